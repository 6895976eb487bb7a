#include "model/views/entry_table.h"

#include "model/store/string_table.h"

#include <array>
#include <charconv>
#include <utility>

namespace hearth {

namespace {

std::string hex(std::uint64_t number)
{
    std::array<char, 16> digits{};
    const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), number, 16);
    return "0x" + std::string(digits.data(), end);
}

} // namespace

std::string_view baseName(std::string_view path)
{
    while (path.size() > 1 && path.ends_with('/'))
        path.remove_suffix(1);
    const std::size_t slash = path.rfind('/');
    return slash == std::string_view::npos || path.size() == 1 ? path : path.substr(slash + 1);
}

void EntryTable::follow(std::shared_ptr<const Snapshot> snapshot)
{
    m_snapshot = std::move(snapshot);
    m_ofName.resize(m_snapshot->strings.size(), EntryId::none());
}

/// @return null if there is none, or no such frame
const Function *EntryTable::innermostFunction(std::size_t frame) const
{
    if (frame >= m_snapshot->frames.size())
        return nullptr;
    const std::span<const Line> lines = m_snapshot->linesOf(FrameId(frame));
    return lines.empty() || lines.front().function.isNone()
               ? nullptr
               : &m_snapshot->functions[lines.front().function.value];
}

/// Each step of the way to a name is taken some frames ahead of the next step.
void EntryTable::prefetchBehind(FrameId frame) const
{
    constexpr std::size_t kStep = 8;
    if (const Function *function = innermostFunction(frame.value + 3 * kStep))
        __builtin_prefetch(function);
    if (const Function *function = innermostFunction(frame.value + 2 * kStep)) {
        m_snapshot->strings.prefetch(function->name);
        __builtin_prefetch(&m_ofName[function->name.value]);
    }
    if (const Function *function = innermostFunction(frame.value + kStep))
        __builtin_prefetch(m_snapshot->text(function->name).data());
}

EntryId EntryTable::entryOf(FrameId frame, const Line &line)
{
    if (line.function.isNone())
        return entryWithoutLine(frame);
    const Function &function = m_snapshot->functions[line.function.value];
    const std::string_view name = m_snapshot->text(function.name);
    const bool isByNameAlone = m_granularity == Granularity::Function && !name.empty();
    if (isByNameAlone && !m_ofName[function.name.value].isNone())
        return m_ofName[function.name.value];
    const std::int64_t shownLine = m_granularity == Granularity::Line || m_granularity == Granularity::Address
                                       ? line.line
                                       : function.startLine;
    const Entry entry = describe(frame, name, m_snapshot->text(function.file), shownLine);
    // Other functions have other names; only names like those made up here may stand for something else as
    // well.
    const bool isDistinct = isByNameAlone && !m_hasTags && name.front() != '[' && name.front() != '<';
    const EntryId id = isDistinct ? append(entry) : intern(entry, keyOf(entry));
    if (isByNameAlone)
        m_ofName[function.name.value] = id;
    return id;
}

EntryId EntryTable::entryWithoutLine(FrameId frame)
{
    const Entry entry = describe(frame, {}, {}, 0);
    return intern(entry, keyOf(entry));
}

EntryId EntryTable::entryOfBinary(FrameId frame)
{
    const BinaryId binary = *m_snapshot->binaryOf(frame);
    Entry entry;
    entry.kind = m_snapshot->frames[frame.value].kind;
    entry.binary = m_snapshot->text(m_snapshot->binaries[binary.value].path);
    entry.name = entry.binary.empty()                   ? kUnknown
                 : m_granularity == Granularity::Binary ? baseName(entry.binary)
                                                        : bracketed(binary);
    return intern(entry, keyOf(entry));
}

EntryId EntryTable::entryOfTag(std::string_view value, std::string_view key)
{
    indexAll();
    Entry entry;
    entry.file = key;
    entry.name = m_granularity == Granularity::File ? key : value;
    if (entry.name.empty())
        entry.name = kUnknown;
    entry.isTag = true;
    Entry owned = entry; // the caller's text need not outlive the call
    owned.file = own(std::string(entry.file));
    owned.name = own(std::string(entry.name));
    return intern(owned, keyOf(owned));
}

/// Puts together what a view shows of a line of a frame.
Entry EntryTable::describe(FrameId frame, std::string_view function, std::string_view file, std::int64_t line)
{
    Entry entry;
    entry.file = file;
    entry.line = line;
    entry.kind = m_snapshot->frames[frame.value].kind;
    const std::optional<BinaryId> binary = m_snapshot->binaryOf(frame);
    if (binary)
        entry.binary = m_snapshot->text(m_snapshot->binaries[binary->value].path);
    switch (m_granularity) {
    case Granularity::File:
        entry.name = file;
        break;
    case Granularity::Binary:
        entry.name = baseName(entry.binary);
        break;
    default:
        entry.name = function;
    }
    if (m_granularity == Granularity::Address)
        entry.address = m_snapshot->frames[frame.value].address;
    if (!entry.name.empty())
        return entry;
    entry.isNameless = true;
    if (m_granularity == Granularity::Address && entry.address != 0)
        entry.name = own((entry.binary.empty() ? std::string() : std::string(baseName(entry.binary)) + '+') +
                         hex(entry.address));
    else if (entry.binary.empty() || m_granularity == Granularity::Binary)
        entry.name = kUnknown;
    else
        entry.name = bracketed(*binary);
    return entry;
}

std::string_view EntryTable::bracketed(BinaryId binary)
{
    if (m_bracketed.size() <= binary.value)
        m_bracketed.resize(m_snapshot->binaries.size());
    std::string_view &name = m_bracketed[binary.value];
    if (name.empty())
        name =
            own('[' + std::string(baseName(m_snapshot->text(m_snapshot->binaries[binary.value].path))) + ']');
    return name;
}

std::uint64_t EntryTable::keyOf(const Entry &entry) const
{
    std::uint64_t key = hashText(entry.name);
    switch (m_granularity) {
    case Granularity::Function:
    case Granularity::File:
        return key;
    case Granularity::FileFunction:
        return mixHash(key, hashText(entry.file));
    case Granularity::Binary:
        return mixHash(key, hashText(entry.binary));
    case Granularity::Line:
        return mixHash(mixHash(key, hashText(entry.file)), static_cast<std::uint64_t>(entry.line));
    case Granularity::Address:
        key = mixHash(mixHash(key, hashText(entry.file)), static_cast<std::uint64_t>(entry.line));
        return mixHash(mixHash(key, hashText(entry.binary)), entry.address);
    }
    return key;
}

bool EntryTable::isSame(const Entry &a, const Entry &b) const
{
    if (a.name != b.name)
        return false;
    switch (m_granularity) {
    case Granularity::Function:
    case Granularity::File:
        return true;
    case Granularity::FileFunction:
        return a.file == b.file;
    case Granularity::Binary:
        return a.binary == b.binary;
    case Granularity::Line:
        return a.file == b.file && a.line == b.line;
    case Granularity::Address:
        return a.file == b.file && a.line == b.line && a.binary == b.binary && a.address == b.address;
    }
    return false;
}

EntryId EntryTable::intern(const Entry &entry, std::uint64_t key)
{
    const std::uint32_t found =
        m_index.find(key, [&](std::uint32_t row) { return isSame(m_entries[row], entry); });
    if (found != RowIndex::kNoRow)
        return EntryId(found);
    const EntryId id = append(entry);
    m_index.insert(key, id.value);
    return id;
}

EntryId EntryTable::append(const Entry &entry)
{
    const EntryId id(m_entries.size());
    m_entries.push_back(entry);
    return id;
}

/// Tags may be called like any function, so from now on all names are looked up.
void EntryTable::indexAll()
{
    if (m_hasTags)
        return;
    m_hasTags = true;
    m_index = {};
    for (std::size_t row = 0; row < m_entries.size(); ++row)
        m_index.insert(keyOf(m_entries[row]), static_cast<std::uint32_t>(row));
}

std::string_view EntryTable::own(std::string text)
{
    return m_texts.emplace_back(std::move(text));
}

} // namespace hearth
