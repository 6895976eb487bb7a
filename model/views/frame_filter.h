#pragma once

#include "model/lens/compiled_lens.h"
#include "model/lens/lens.h"
#include "model/store/snapshot.h"
#include "model/views/entry_table.h"
#include "model/views/string_matches.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hearth {

/// What a lens makes of one frame, wherever it stands in a stack.
struct FilteredFrame {
    std::uint64_t pathTerms = 0;  ///< bit i: path term i matches it
    std::uint32_t fromTerms = 0;  ///< bit i: stacks may begin here by from term i
    std::uint32_t entryBegin = 0; ///< of the lines that are left, outermost first
    std::uint32_t entryCount = 0;
    bool isHidden = false;     ///< nothing of it is left
    bool isDropped = false;    ///< matches the profile's drop_frames as a whole: it goes, and what it called
    bool dropsCallees = false; ///< matches them with one of its inlined lines: what it called goes
    bool endsStack = false;    ///< stacks end here
    bool isPivot = false;      ///< and this is where they have to
    bool isTag = false;        ///< stands for an attribute, not for a frame
};

/// Applies the rules of a lens (and the drop_frames of the data set) to frames, each of them once.
///
/// Follows pprof, which edits locations and not stacks: a line that a rule cuts from a frame is gone from
/// that frame in all stacks. Rules see what earlier ones left, in this order: drop, path terms, hide, show,
/// from, noinlines.
class FrameFilter {
public:
    /// Which frame that is on a stack already an entry is taken together with.
    enum class Join : std::uint8_t {
        None,
        Caller, ///< the one before it, if that is the same
        Same    ///< the same further out, and what is between goes
    };

    static constexpr std::size_t kMostPathTerms = 64;
    static constexpr std::size_t kMostFromTerms = 32;

    /// @return an error if there are more terms than this can tell apart
    static Result<FrameFilter> create(const CompiledLens &compiled, const Lens &lens,
                                      const Snapshot &snapshot);

    /// Adds the frames that the snapshot has more than the ones before it.
    void extend(const std::shared_ptr<const Snapshot> &snapshot);

    /// Adds a frame that stands for an attribute. Path terms and rules see it as a function of that name in a
    /// file that is called like the key.
    FilteredFrame filterTag(std::string_view value, std::string_view key);

    /// Adds a frame that stands for a group of samples, which no rule sees.
    FilteredFrame groupFrame(std::string_view value, std::string_view key);

    const FilteredFrame &operator[](FrameId frame) const { return m_frames[frame.value]; }
    std::span<const EntryId> entriesOf(const FilteredFrame &frame) const
    {
        return std::span(m_entries).subspan(frame.entryBegin, frame.entryCount);
    }
    EntriesView entries() const { return m_table->view(); }
    std::string_view nameOf(EntryId entry) const { return m_table->nameOf(entry); }
    Join joinOf(EntryId entry) const
    {
        return entry.value < m_joins.size() ? m_joins[entry.value] : Join::None;
    }
    /// The names that stacks have to begin with.
    std::span<const std::string> under() const { return m_under; }

    /// Why drop_frames are not applied; empty if they are, or if there are none.
    const std::string &warning() const { return m_warning; }

    /// Path terms of pprof's kind (focus, ignore), and hide and show, remove samples without any frame.
    bool removesEmptyStacks() const { return m_removesEmptyStacks; }
    std::uint64_t requiredTerms() const { return m_required; }
    std::uint64_t forbiddenTerms() const { return m_forbidden; }
    /// Of these it is the innermost frame that counts.
    std::uint64_t selfTerms() const { return m_selfTerms; }
    bool requiresPivot() const { return m_requiresPivot; }
    std::uint32_t fromTermCount() const { return static_cast<std::uint32_t>(m_from.size()); }

private:
    struct PathRule {
        PathTermKind kind;
        StringMatches names;
    };
    struct FromRule {
        bool isPivot;
        StringMatches names;
    };
    struct ToRule {
        bool isPivot; ///< of an inverted lens: it shows who called it
        StringMatches names;
    };
    /// A frame on its way through the rules: which of its lines are left, innermost first.
    struct Subject {
        FrameId frame = FrameId::none();
        std::optional<StringId> binary;
        std::span<const Line> lines;
        bool hadLines = false;
    };

    explicit FrameFilter(Granularity granularity) : m_table(std::make_shared<EntryTable>(granularity)) {}

    void compileDropFrames(const Snapshot &snapshot);
    FilteredFrame filter(FrameId frame);
    void addTagEntry(FilteredFrame &frame, std::string_view value, std::string_view key);
    void drop(FilteredFrame &result);
    bool dropsFunction(StringId name);
    std::uint64_t matchPathTerms(const Subject &subject);
    void hideAndShow(const Subject &subject, FilteredFrame &result);
    void cutFrom(const Subject &subject, FilteredFrame &result);
    void cutTo(const Subject &subject, FilteredFrame &result);
    void addEntries(const Subject &subject);
    void addEntry(EntryId entry, Join join);
    bool matchesName(StringMatches &rule, const Line &line);
    bool matchesFunction(StringMatches &rule, const Line &line);
    bool matchesBinary(StringMatches &rule, const Subject &subject);

    std::shared_ptr<const Snapshot> m_snapshot;
    std::shared_ptr<EntryTable> m_table;
    std::vector<FilteredFrame> m_frames;
    std::vector<EntryId> m_entries;
    std::vector<std::uint32_t> m_entryOfTag; ///< by entry: where in m_entries it stands alone
    std::vector<Line> m_lines;               ///< left of the frame at hand

    std::optional<Matcher> m_drop;
    std::optional<Matcher> m_keep;
    std::vector<std::uint8_t> m_drops; ///< by StringId of a function's name: 0 not asked, 1 no, 2 yes
    std::vector<PathRule> m_path;
    std::vector<StringMatches> m_hide;
    std::vector<StringMatches> m_show;
    std::vector<FromRule> m_from;
    std::vector<ToRule> m_to;
    std::vector<StringMatches> m_once;
    std::vector<StringMatches> m_collapse;
    std::vector<Join> m_joins; ///< by entry; may be shorter than the table
    std::vector<std::string> m_under;
    std::uint64_t m_required = 0;
    std::uint64_t m_forbidden = 0;
    std::uint64_t m_selfTerms = 0;
    bool m_requiresPivot = false;
    std::string m_warning;
    bool m_removesEmptyStacks = false;
    bool m_noInlines = false;
};

} // namespace hearth
