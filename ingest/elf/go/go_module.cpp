#include "ingest/elf/go/go_module.h"

#include "ingest/elf/cursor.h"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>

// runtime/symtab.go, `type moduledata`: it begins with pointers to the table of functions and to the names
// in that. Stripped programs are searched for these two.

namespace hearth::go {

namespace {

constexpr std::uint32_t kRelocations = 4;
constexpr std::uint64_t kMostRelocations = std::uint64_t(128) << 20; ///< bytes
constexpr std::uint64_t kBlock = std::uint64_t(1) << 20;

/// Words of moduledata.
enum Word : unsigned { kNames = 1, kText = 22, kFunctionData18 = 38, kFunctionData20 = 40 };

/// A part of the file at an address.
struct Part {
    std::uint64_t address = 0;
    ByteRange bytes;
};

/// What the loader makes of relative relocations, by address. Others name symbols; Go's own tables have none.
std::vector<Relocation> relocationsOf(const ElfFile &file)
{
    std::vector<Relocation> relocations;
    const std::size_t entrySize = file.is64() ? 24 : 12;
    const unsigned wordSize = file.is64() ? 8 : 4;
    std::uint64_t left = kMostRelocations;
    for (const ElfSection &section : file.sections()) {
        const auto bytes = section.type == kRelocations && section.address != 0
                               ? file.bytes().read(section.offset, std::min(left, section.size))
                               : std::nullopt;
        if (!bytes)
            continue;
        left -= bytes->size();
        Cursor cursor(*bytes, file.byteOrder());
        while (cursor.left() >= entrySize) {
            const std::uint64_t place = cursor.unsignedOf(wordSize);
            const std::uint64_t info = cursor.unsignedOf(wordSize);
            const std::uint64_t addend = cursor.unsignedOf(wordSize);
            if (info >> (file.is64() ? 32 : 8) == 0 && addend != 0)
                relocations.push_back({place, addend});
        }
    }
    std::ranges::sort(relocations, {}, &Relocation::place);
    return relocations;
}

Part partOf(const ElfFile &file, const ElfSegment &segment)
{
    return {segment.address, file.bytes().part(segment.offset, segment.size)};
}

/// From there on to the end of what is mapped with it.
std::optional<Part> mappedFrom(const ElfFile &file, std::uint64_t address)
{
    for (const ElfSegment &segment : file.segments())
        if (address >= segment.address && address - segment.address < segment.size) {
            const std::uint64_t skipped = address - segment.address;
            return Part{address, file.bytes().part(segment.offset + skipped, segment.size - skipped)};
        }
    return std::nullopt;
}

/// The first word in a part that `isIt` says yes to.
std::optional<std::uint64_t> findIn(const Part &part, std::size_t wordSize, std::endian order,
                                    const std::function<bool(std::uint64_t word, std::uint64_t at)> &isIt)
{
    std::vector<std::uint8_t> block(kBlock);
    for (std::uint64_t begin = 0; begin < part.bytes.size(); begin += kBlock) {
        Cursor cursor(part.bytes.filled(begin, block), order);
        while (cursor.left() >= wordSize) {
            const std::uint64_t at = part.address + begin + cursor.position();
            if (isIt(cursor.unsignedOf(static_cast<unsigned>(wordSize)), at))
                return at;
        }
    }
    return std::nullopt;
}

/// The table where no section has its name: linkers put it among other data.
std::optional<Part> searchTable(const ElfFile &file)
{
    if (file.goBuildId().empty() && file.section(".go.buildinfo") == nullptr)
        return std::nullopt;
    for (const ElfSegment &segment : file.segments()) {
        if (segment.isExecutable)
            continue;
        const Part part = partOf(file, segment);
        const auto found =
            findIn(part, sizeof(std::uint32_t), file.byteOrder(), [&](std::uint64_t word, std::uint64_t at) {
                constexpr std::uint32_t kMagics = 0xfffffff0; // and four bits, in all of them
                return (word & kMagics) == kMagics &&
                       readHeader(part.bytes.part(at - part.address, part.bytes.size())).has_value();
            });
        if (found)
            return mappedFrom(file, *found);
    }
    return std::nullopt;
}

std::optional<Part> tableOf(const ElfFile &file)
{
    for (const char *const name : {".gopclntab", ".data.rel.ro.gopclntab"})
        if (const ElfSection *const section = file.section(name))
            return Part{section->address, file.bytes().part(section->offset, section->size)};
    return searchTable(file);
}

/// Looks for moduledata and reads it.
class ModuleData {
public:
    ModuleData(const ElfFile &file, const Part &table, const Header &header,
               std::span<const Relocation> relocations)
        : m_file(file), m_header(header), m_relocations(relocations), m_table(table.address),
          m_names(table.address + header.names)
    {}

    std::optional<std::uint64_t> find() const
    {
        for (const Relocation &relocation : m_relocations)
            if (isHere(relocation.value, relocation.place))
                return relocation.place;
        const auto isIt = [this](std::uint64_t word, std::uint64_t at) { return isHere(word, at); };
        for (const char *const name : {".go.module", ".noptrdata"})
            if (const ElfSection *const section = m_file.section(name))
                if (const auto found =
                        findIn({section->address, m_file.content(*section).value_or(ByteRange())},
                               m_header.pointerSize, m_header.byteOrder, isIt))
                    return found;
        for (const ElfSegment &segment : m_file.segments())
            if (!segment.isExecutable)
                if (const auto found =
                        findIn(partOf(m_file, segment), m_header.pointerSize, m_header.byteOrder, isIt))
                    return found;
        return std::nullopt;
    }

    std::uint64_t word(std::uint64_t address) const
    {
        const auto relocation = std::ranges::lower_bound(m_relocations, address, {}, &Relocation::place);
        if (relocation != m_relocations.end() && relocation->place == address)
            return relocation->value;
        const auto offset = m_file.offsetOfAddress(address);
        std::array<std::uint8_t, 8> bytes{};
        if (!offset)
            return 0;
        return Cursor(m_file.bytes().filled(*offset, bytes), m_header.byteOrder)
            .unsignedOf(m_header.pointerSize);
    }

private:
    bool isHere(std::uint64_t value, std::uint64_t at) const
    {
        return value == m_table && word(at + kNames * m_header.pointerSize) == m_names;
    }

    const ElfFile &m_file;
    const Header &m_header;
    const std::span<const Relocation> m_relocations;
    const std::uint64_t m_table;
    const std::uint64_t m_names;
};

bool isCode(const ElfFile &file, std::uint64_t address)
{
    return std::ranges::any_of(file.segments(), [&](const ElfSegment &segment) {
        return segment.isExecutable && address >= segment.address && address - segment.address < segment.size;
    });
}

} // namespace

std::optional<Module> findModule(const ElfFile &file)
{
    const std::optional<Part> table = tableOf(file);
    const auto header = table ? readHeader(table->bytes) : std::nullopt;
    if (!header)
        return std::nullopt;
    Module module{.table = table->bytes, .header = *header, .functionData = {}, .relocations = {}};
    std::vector<Relocation> relocations = relocationsOf(file);
    if (header->layout < Layout::Go18) {
        for (const Relocation &relocation : relocations)
            if (relocation.place >= table->address && relocation.place - table->address < table->bytes.size())
                module.relocations.push_back({relocation.place - table->address, relocation.value});
        return module;
    }
    const ModuleData data(file, *table, *header, relocations);
    module.text = header->textStart;
    if (const auto begin = data.find()) {
        module.text = data.word(*begin + kText * header->pointerSize);
        const unsigned word = header->layout == Layout::Go18 ? kFunctionData18 : kFunctionData20;
        if (const auto part = mappedFrom(file, data.word(*begin + word * header->pointerSize)))
            module.functionData = part->bytes;
    }
    return isCode(file, module.text) ? std::optional(std::move(module)) : std::nullopt;
}

} // namespace hearth::go
