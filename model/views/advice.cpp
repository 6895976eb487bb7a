#include "model/views/advice.h"

#include "model/lens/units.h"
#include "model/store/losses.h"
#include "model/views/linked_spans.h"
#include "model/views/overview.h"
#include "model/views/short_name.h"
#include "model/views/time_range.h"
#include "model/views/timeline.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numeric>
#include <utility>

namespace hearth {

namespace {

std::string percent(double share)
{
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.3g %%", 100 * share);
    return text.data();
}

/// As long as a name may be in a sentence.
std::string shortened(std::string_view name)
{
    constexpr std::size_t kLongest = 60;
    return shortName(name, [](std::string_view text) { return text.size() <= kLongest; });
}

std::int64_t lengthOf(const TimeRange &range)
{
    std::int64_t length = 0;
    return __builtin_sub_overflow(range.end, range.begin, &length) ? std::numeric_limits<std::int64_t>::max()
                                                                   : length;
}

/// Collects what there is to say of one overview.
class Adviser {
public:
    Adviser(const Overview &overview, double observations)
        : m_overview(overview), m_tree(*overview.evaluation->tree), m_observations(observations),
          m_whole(m_tree.extent(TreeShape::kRoot))
    {}

    bool isAboutNothing() const { return m_whole == 0; }
    std::vector<Advice> take() { return std::move(m_advice); }

    /// Shares of few samples are guesses, and how wide of the mark they may be is known.
    void adviseOnNumber()
    {
        constexpr double kEnough = 400; // shares are within 5 percent points
        constexpr double kWidth95 = 1.96;
        if (m_observations <= 0 || m_observations >= kEnough)
            return;
        const double error = std::min(0.5, kWidth95 * 0.5 / std::sqrt(m_observations));
        add(AdviceKind::TooFew, "Only " + std::to_string(std::llround(m_observations)) +
                                    (std::llround(m_observations) == 1 ? " sample" : " samples") +
                                    ": a share may be off by " + percent(error) +
                                    " of the whole. Record for longer to know more.");
    }

    void adviseOnNames()
    {
        constexpr double kGood = 0.95;
        if (m_overview.named >= kGood)
            return;
        const auto &rows = m_overview.binaries.rows;
        const auto worst = std::ranges::max_element(rows, {}, &BinaryRow::nameless);
        if (worst == rows.end() || worst->nameless <= 0)
            return add(AdviceKind::Names, percent(1 - m_overview.named) +
                                              " ran in functions that nothing names, nor their files.");
        add(AdviceKind::Names,
            percent(1 - m_overview.named) + " ran in functions without a name, most of it in " +
                std::string(baseName(worst->path)) + ": give its symbols.",
            worst->path);
    }

    void adviseOnLosses()
    {
        std::uint64_t most = 0;
        Loss worst{};
        for (std::size_t kind = 0; kind < kLossKinds; ++kind) {
            const auto loss = static_cast<Loss>(kind);
            const std::uint64_t count =
                loss == Loss::OriginalPayloads ? 0 : m_overview.snapshot->losses.count(loss);
            if (count > most)
                std::tie(most, worst) = std::pair(count, loss);
        }
        if (most > 0)
            add(AdviceKind::Losses, "Something is missing: " + std::to_string(most) + " × " +
                                        std::string(describe(worst).explanation) + '.');
    }

    /// The way down, as long as nearly everything goes one way.
    void adviseOnPath()
    {
        constexpr double kNearlyAll = 0.8;
        NodeId node = TreeShape::kRoot;
        for (;;) {
            const auto children = m_tree.children(node);
            const auto heaviest =
                std::ranges::max_element(children, {}, [&](NodeId child) { return m_tree.extent(child); });
            if (heaviest == children.end() || m_tree.extent(*heaviest) < kNearlyAll * m_whole)
                break;
            node = *heaviest;
        }
        if (node == TreeShape::kRoot || m_tree.children(node).empty())
            return;
        const std::string_view name = m_tree.entries()[m_tree.entryOf(node)].name;
        add(AdviceKind::Path,
            percent(m_tree.extent(node) / m_whole) + " is in " + shortened(name) + " and what it calls.",
            name);
    }

    void adviseOnFunction()
    {
        constexpr double kHot = 0.1;
        if (m_overview.functions.rows.empty())
            return;
        const TopRow &hottest = m_overview.functions.rows.front();
        const double share = std::abs(static_cast<double>(hottest.self)) / m_whole;
        if (share >= kHot && !hottest.isNameless)
            add(AdviceKind::Function,
                percent(share) + " is in " + shortened(hottest.name) + " itself: see who calls it.",
                hottest.name);
    }

    void adviseOnValues()
    {
        constexpr double kMost = 0.5;
        std::int64_t said = 0; // a service is often one process: that is said once
        for (const AttributeTop &attribute : m_overview.attributes) {
            const TopRow &first = attribute.values.rows.front();
            const double share = std::abs(static_cast<double>(first.total)) / m_whole;
            if (share < kMost || first.name.empty() || first.total == said)
                continue;
            said = first.total;
            add(AdviceKind::Value,
                percent(share) + " is of the " + attribute.key + ' ' + std::string(first.name) + ", one of " +
                    std::to_string(attribute.values.rowCount) + '.',
                first.name);
            m_advice.back().key = attribute.key;
        }
    }

    /// The narrowest range that holds half of everything, if that is much narrower than half of the time.
    /// @return false if stopped
    bool adviseOnTime(const Lens &lens, const std::stop_token &stop)
    {
        constexpr std::size_t kBins = 60;
        constexpr std::size_t kNarrow = kBins / 6;
        const Snapshot &snapshot = *m_overview.snapshot;
        const auto selection = selectionOf(snapshot, lens);
        const auto all = timeSpanOf(snapshot);
        if (!selection || !all)
            return true;
        TimeRange range = resolve(lens.time, snapshot);
        range = {std::max(range.begin, all->begin), std::min(range.end, all->end)};
        if (lengthOf(range) < std::int64_t(kBins))
            return true;
        const std::vector<std::uint32_t> laneOf(snapshot.contexts.size(), 0);
        const auto timeline = timelineOf(snapshot, *selection, range, kBins, laneOf, 1, stop);
        if (!timeline)
            return false;
        const std::vector<std::int64_t> &sums = timeline->lanes.front();
        const double whole = std::accumulate(sums.begin(), sums.end(), 0.0);
        const auto [begin, end] = narrowestHalf(sums, whole);
        if (whole <= 0 || end - begin > kNarrow)
            return true;
        const double share =
            std::accumulate(sums.begin() + std::ptrdiff_t(begin), sums.begin() + std::ptrdiff_t(end), 0.0) /
            whole;
        const TimeRange busy{timeline->beginOf(begin), end < kBins ? timeline->beginOf(end) - 1 : range.end};
        add(AdviceKind::Time, percent(share) + " is within " + humanValue(lengthOf(busy), "nanoseconds") +
                                  " of " + humanValue(lengthOf(range), "nanoseconds") + '.');
        m_advice.back().range = busy;
        return true;
    }

    void adviseOnSpans()
    {
        const std::size_t links = m_overview.snapshot->links.size() - 1; // the first is none
        const std::uint64_t spans = m_overview.snapshot->spans.rows;
        if (links > 0 && spans > 0)
            add(AdviceKind::Spans, "Samples belong to spans: see which of " + std::to_string(spans) +
                                       (spans == 1 ? " span" : " spans") + " took the time.");
    }

private:
    /// @return first bin, and the one behind the last
    static std::pair<std::size_t, std::size_t> narrowestHalf(const std::vector<std::int64_t> &sums,
                                                             double whole)
    {
        std::pair<std::size_t, std::size_t> best{0, sums.size()};
        double sum = 0;
        std::size_t begin = 0;
        for (std::size_t end = 0; end < sums.size(); ++end) {
            sum += static_cast<double>(sums[end]);
            while (sum - static_cast<double>(sums[begin]) >= whole / 2 && begin < end)
                sum -= static_cast<double>(sums[begin++]);
            if (sum >= whole / 2 && end + 1 - begin < best.second - best.first)
                best = {begin, end + 1};
        }
        return best;
    }

    void add(AdviceKind kind, std::string text, std::string_view name = {})
    {
        m_advice.push_back({kind, std::move(text), std::string(name), {}, {}});
    }

    const Overview &m_overview;
    const CallTree &m_tree;
    double m_observations;
    double m_whole;
    std::vector<Advice> m_advice;
};

} // namespace

std::optional<std::vector<Advice>> adviceOn(const Overview &overview, const Lens &lens, double observations,
                                            const std::stop_token &stop)
{
    Adviser adviser(overview, observations);
    adviser.adviseOnLosses();
    if (adviser.isAboutNothing())
        return adviser.take();
    adviser.adviseOnNumber();
    adviser.adviseOnNames();
    adviser.adviseOnFunction();
    adviser.adviseOnPath();
    if (!adviser.adviseOnTime(lens, stop))
        return std::nullopt;
    adviser.adviseOnValues();
    adviser.adviseOnSpans();
    return adviser.take();
}

} // namespace hearth
