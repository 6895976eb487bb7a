#include "model/views/frame_filter.h"

#include <algorithm>
#include <utility>

namespace hearth {

namespace {

constexpr std::uint32_t kNotThere = 0xffffffffU;
constexpr std::string_view kAnonymous = "(anonymous namespace)";
constexpr std::string_view kCallOperator = "operator()";

/// The name up to its parameter list: what drop_frames are matched against.
std::string_view withoutParameters(std::string_view name)
{
    if (name.starts_with('.')) // entry points of the PowerPC ELF v1 ABI
        name.remove_prefix(1);
    for (std::size_t at = 0; at < name.size(); ++at) {
        if (name.substr(at).starts_with(kAnonymous))
            at += kAnonymous.size() - 1;
        else if (name.substr(at).starts_with(kCallOperator))
            at += kCallOperator.size() - 1;
        else if (name[at] == '(')
            return name.substr(0, at);
    }
    return name;
}

Result<std::optional<Matcher>> wholeNameMatcher(std::string_view expression, std::string_view what)
{
    if (expression.empty())
        return std::nullopt;
    const Result<Matcher> matcher = Matcher::regex("^(" + std::string(expression) + ")$");
    if (!matcher)
        return failure("the profile's " + std::string(what) +
                       " is not a regular expression: " + matcher.error().message);
    return *matcher;
}

} // namespace

Result<FrameFilter> FrameFilter::create(const CompiledLens &compiled, const Lens &lens,
                                        const Snapshot &snapshot)
{
    FrameFilter filter(lens.granularity);
    filter.m_noInlines = lens.noInlines;
    if (compiled.paths.size() > kMostPathTerms)
        return failure("more than 64 conditions on stacks");
    for (std::size_t i = 0; i < compiled.paths.size(); ++i) {
        const CompiledLens::Path &term = compiled.paths[i];
        filter.m_path.push_back({term.kind, StringMatches(term.matcher)});
        (term.isNegated ? filter.m_forbidden : filter.m_required) |= std::uint64_t(1) << i;
        filter.m_selfTerms |= std::uint64_t(term.kind == PathTermKind::Self) << i;
        filter.m_removesEmptyStacks |= term.kind == PathTermKind::Focus;
    }
    filter.m_under = lens.under;
    for (const CompiledLens::FrameRule &rule : compiled.frames) {
        switch (rule.kind) {
        case FrameTermKind::Hide:
            filter.m_hide.emplace_back(rule.matcher);
            break;
        case FrameTermKind::Show:
            filter.m_show.emplace_back(rule.matcher);
            break;
        case FrameTermKind::To:
            filter.m_to.push_back({false, StringMatches(rule.matcher)});
            break;
        case FrameTermKind::Once:
            filter.m_once.emplace_back(rule.matcher);
            break;
        case FrameTermKind::Collapse:
            filter.m_collapse.emplace_back(rule.matcher);
            break;
        case FrameTermKind::Pivot:
            if (lens.isInverted) {
                filter.m_to.push_back({true, StringMatches(rule.matcher)});
                filter.m_requiresPivot = true;
                break;
            }
            [[fallthrough]];
        case FrameTermKind::From:
            filter.m_from.push_back({rule.kind == FrameTermKind::Pivot, StringMatches(rule.matcher)});
        }
    }
    if (filter.m_from.size() > kMostFromTerms)
        return failure("more than 32 places to begin stacks at");
    filter.m_removesEmptyStacks |= !filter.m_hide.empty() || !filter.m_show.empty();

    filter.compileDropFrames(snapshot);
    return filter;
}

/// As when pprof merges profiles, the expressions of the first count for all; if one of them is wrong,
/// neither does.
void FrameFilter::compileDropFrames(const Snapshot &snapshot)
{
    if (snapshot.origins.empty())
        return;
    const Origin &origin = snapshot.origins.front();
    const auto drop = wholeNameMatcher(origin.dropFrames, "drop_frames");
    const auto keep = wholeNameMatcher(origin.keepFrames, "keep_frames");
    if (drop && keep) {
        m_drop = *drop;
        m_keep = *keep;
    } else if (!origin.dropFrames.empty()) {
        m_warning = (!drop ? drop.error() : keep.error()).message + "; no frames were dropped";
    }
}

void FrameFilter::extend(const std::shared_ptr<const Snapshot> &snapshot)
{
    m_snapshot = snapshot;
    m_table->follow(snapshot);
    const std::size_t count = snapshot->frames.size();
    m_frames.reserve(count);
    for (std::size_t frame = m_frames.size(); frame < count; ++frame) {
        m_table->prefetchBehind(FrameId(frame));
        m_frames.push_back(filter(FrameId(frame)));
    }
}

FilteredFrame FrameFilter::filter(FrameId frame)
{
    FilteredFrame result;
    Subject subject;
    subject.frame = frame;
    if (const auto binary = m_snapshot->binaryOf(frame))
        subject.binary = m_snapshot->binaries[binary->value].path;
    const std::span<const Line> lines = m_snapshot->linesOf(frame);
    m_lines.assign(lines.begin(), lines.end());
    subject.hadLines = !m_lines.empty();
    if (m_drop)
        drop(result);
    subject.lines = m_lines;
    result.pathTerms = matchPathTerms(subject);
    hideAndShow(subject, result);
    if (!result.isHidden)
        cutFrom(subject, result);
    if (!result.isHidden)
        cutTo(subject, result);
    if (m_noInlines && m_lines.size() > 1)
        m_lines.erase(m_lines.begin(), m_lines.end() - 1);

    result.entryBegin = static_cast<std::uint32_t>(m_entries.size());
    if (!result.isHidden)
        addEntries(subject);
    result.entryCount = static_cast<std::uint32_t>(m_entries.size() - result.entryBegin);
    return result;
}

void FrameFilter::addEntries(const Subject &subject)
{
    const auto isOfBinary = [&](StringMatches &rule) { return matchesBinary(rule, subject); };
    if (std::ranges::any_of(m_collapse, isOfBinary))
        return addEntry(m_table->entryOfBinary(subject.frame), Join::Caller);
    const bool isBinaryOnce = std::ranges::any_of(m_once, isOfBinary);
    for (std::size_t i = m_lines.size(); i-- > 0;) {
        const bool isOnce = isBinaryOnce || std::ranges::any_of(m_once, [&](StringMatches &rule) {
                                return matchesFunction(rule, m_lines[i]);
                            });
        addEntry(m_table->entryOf(subject.frame, m_lines[i]), isOnce ? Join::Same : Join::None);
    }
    if (subject.hadLines)
        return;
    addEntry(m_table->entryWithoutLine(subject.frame), isBinaryOnce ? Join::Same : Join::None);
}

void FrameFilter::addEntry(EntryId entry, Join join)
{
    m_entries.push_back(entry);
    if (join == Join::None)
        return;
    if (m_joins.size() <= entry.value)
        m_joins.resize(entry.value + 1, Join::None);
    m_joins[entry.value] = join;
}

/// Cuts the lines from the outermost match on inwards, in all stacks; whether the rest of a stack goes with
/// them is decided by the stack.
void FrameFilter::drop(FilteredFrame &result)
{
    for (std::size_t i = m_lines.size(); i-- > 0;) {
        const FunctionId function = m_lines[i].function;
        if (function.isNone() || !dropsFunction(m_snapshot->functions[function.value].name))
            continue;
        result.dropsCallees = true;
        if (i + 1 == m_lines.size())
            result.isDropped = true;
        else
            m_lines.erase(m_lines.begin(), m_lines.begin() + static_cast<std::ptrdiff_t>(i + 1));
        return;
    }
}

bool FrameFilter::dropsFunction(StringId name)
{
    if (m_drops.size() <= name.value)
        m_drops.resize(m_snapshot->strings.size());
    std::uint8_t &answer = m_drops[name.value];
    if (answer == 0) {
        const std::string_view shortName = withoutParameters(m_snapshot->text(name));
        const bool drops = !m_snapshot->text(name).empty() && m_drop->matches(shortName) &&
                           !(m_keep && m_keep->matches(shortName));
        answer = drops ? 2 : 1;
    }
    return answer == 2;
}

bool FrameFilter::matchesFunction(StringMatches &rule, const Line &line)
{
    if (line.function.isNone())
        return false;
    const Function &function = m_snapshot->functions[line.function.value];
    return rule.matches(*m_snapshot, function.name) || rule.matches(*m_snapshot, function.file);
}

bool FrameFilter::matchesBinary(StringMatches &rule, const Subject &subject)
{
    return subject.binary && rule.matches(*m_snapshot, *subject.binary);
}

std::uint64_t FrameFilter::matchPathTerms(const Subject &subject)
{
    const auto anyLine = [&](auto test) {
        return std::ranges::any_of(subject.lines, [&](const Line &line) {
            return !line.function.isNone() && test(m_snapshot->functions[line.function.value]);
        });
    };
    std::uint64_t matched = 0;
    for (std::size_t i = 0; i < m_path.size(); ++i) {
        StringMatches &rule = m_path[i].names;
        bool matches = false;
        switch (m_path[i].kind) {
        case PathTermKind::Literal:
        case PathTermKind::Regex:
            matches =
                anyLine([&](const Function &function) { return rule.matches(*m_snapshot, function.name); });
            break;
        case PathTermKind::File:
            matches =
                anyLine([&](const Function &function) { return rule.matches(*m_snapshot, function.file); });
            break;
        case PathTermKind::Focus:
            matches = matchesBinary(rule, subject) ||
                      std::ranges::any_of(subject.lines,
                                          [&](const Line &line) { return matchesFunction(rule, line); });
            break;
        case PathTermKind::Library:
            matches = matchesBinary(rule, subject);
            break;
        case PathTermKind::FrameKind:
            matches = rule.matches(*m_snapshot, m_snapshot->frames[subject.frame.value].kind);
            break;
        case PathTermKind::Self:
            matches = matchesBinary(rule, subject) ||
                      (!subject.lines.empty() && matchesFunction(rule, subject.lines.front()));
            break;
        }
        matched |= std::uint64_t(matches) << i;
    }
    return matched;
}

void FrameFilter::hideAndShow(const Subject &subject, FilteredFrame &result)
{
    for (StringMatches &rule : m_hide) {
        const bool isBinary = matchesBinary(rule, subject);
        const std::size_t before = m_lines.size();
        std::erase_if(m_lines, [&](const Line &line) { return isBinary || matchesFunction(rule, line); });
        result.isHidden |= m_lines.empty() && (isBinary || before > 0);
    }
    for (StringMatches &rule : m_show) {
        if (!matchesBinary(rule, subject))
            std::erase_if(m_lines, [&](const Line &line) {
                return !line.function.isNone() && !matchesFunction(rule, line);
            });
        result.isHidden |=
            m_lines.empty(); // without lines there is nothing to show, wherever the frame is from
    }
}

void FrameFilter::cutFrom(const Subject &subject, FilteredFrame &result)
{
    for (std::size_t i = 0; i < m_from.size(); ++i) {
        FromRule &rule = m_from[i];
        bool matches = !rule.isPivot && matchesBinary(rule.names, subject);
        for (std::size_t line = m_lines.size(); !matches && line-- > 0;) {
            const FunctionId function = m_lines[line].function;
            matches = !function.isNone() && (rule.isPivot ? matchesName(rule.names, m_lines[line])
                                                          : matchesFunction(rule.names, m_lines[line]));
            if (matches)
                m_lines.resize(line + 1);
        }
        result.fromTerms |= std::uint32_t(matches) << i;
    }
}

/// Cuts what the outermost match called.
void FrameFilter::cutTo(const Subject &subject, FilteredFrame &result)
{
    for (ToRule &rule : m_to) {
        bool matches = !rule.isPivot && matchesBinary(rule.names, subject);
        if (matches && !m_lines.empty())
            m_lines.erase(m_lines.begin(), m_lines.end() - 1);
        for (std::size_t line = m_lines.size(); !matches && line-- > 0;) {
            const FunctionId function = m_lines[line].function;
            matches = !function.isNone() && (rule.isPivot ? matchesName(rule.names, m_lines[line])
                                                          : matchesFunction(rule.names, m_lines[line]));
            if (matches)
                m_lines.erase(m_lines.begin(), m_lines.begin() + static_cast<std::ptrdiff_t>(line));
        }
        result.endsStack |= matches;
        result.isPivot |= matches && rule.isPivot;
    }
}

bool FrameFilter::matchesName(StringMatches &rule, const Line &line)
{
    return rule.matches(*m_snapshot, m_snapshot->functions[line.function.value].name);
}

FilteredFrame FrameFilter::filterTag(std::string_view value, std::string_view key)
{
    const auto matchesEither = [&](const StringMatches &rule) {
        return rule.matches(value) || rule.matches(key);
    };
    FilteredFrame result;
    for (std::size_t i = 0; i < m_path.size(); ++i) {
        const StringMatches &rule = m_path[i].names;
        bool matches = false;
        switch (m_path[i].kind) {
        case PathTermKind::Literal:
        case PathTermKind::Regex:
            matches = rule.matches(value);
            break;
        case PathTermKind::File:
            matches = rule.matches(key);
            break;
        case PathTermKind::Focus:
            matches = matchesEither(rule);
            break;
        case PathTermKind::Library:
        case PathTermKind::FrameKind:
        case PathTermKind::Self:
            break;
        }
        result.pathTerms |= std::uint64_t(matches) << i;
    }
    result.isHidden =
        std::ranges::any_of(m_hide, matchesEither) || !std::ranges::all_of(m_show, matchesEither);
    for (std::size_t i = 0; i < m_from.size(); ++i)
        result.fromTerms |=
            std::uint32_t(m_from[i].isPivot ? m_from[i].names.matches(value) : matchesEither(m_from[i].names))
            << i;
    for (const ToRule &rule : m_to) {
        const bool matches = rule.isPivot ? rule.names.matches(value) : matchesEither(rule.names);
        result.endsStack |= matches;
        result.isPivot |= matches && rule.isPivot;
    }
    result.isTag = true;
    if (!result.isHidden)
        addTagEntry(result, value, key);
    return result;
}

FilteredFrame FrameFilter::groupFrame(std::string_view value, std::string_view key)
{
    FilteredFrame result;
    result.isTag = true;
    addTagEntry(result, value, key);
    return result;
}

void FrameFilter::addTagEntry(FilteredFrame &frame, std::string_view value, std::string_view key)
{
    const EntryId entry = m_table->entryOfTag(value, key);
    if (m_entryOfTag.size() <= entry.value)
        m_entryOfTag.resize(entry.value + 1, kNotThere);
    std::uint32_t &position = m_entryOfTag[entry.value];
    if (position == kNotThere) {
        position = static_cast<std::uint32_t>(m_entries.size());
        m_entries.push_back(entry);
    }
    frame.entryBegin = position;
    frame.entryCount = 1;
}

} // namespace hearth
