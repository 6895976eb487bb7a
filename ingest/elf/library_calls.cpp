#include "ingest/elf/library_calls.h"

#include "ingest/elf/cursor.h"

#include <algorithm>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>

namespace hearth {

namespace {

constexpr std::uint64_t kStubSize = 16;
constexpr std::uint64_t kMostBytes = std::uint64_t(16) << 20; ///< of a section that is looked into
constexpr std::uint64_t kRelocationSize = 24;
constexpr std::uint64_t kSymbolSize = 24;

/// By the place in memory that the linker fills, the symbol whose address it puts there.
using Destinations = std::unordered_map<std::uint64_t, std::uint32_t>;

Destinations destinationsOf(const ElfFile &file)
{
    Destinations destinations;
    for (const char *name : {".rela.plt", ".rela.dyn"}) {
        const std::vector<std::uint8_t> bytes = file.content(name).all(kMostBytes);
        Cursor cursor(bytes, file.byteOrder());
        while (cursor.left() >= kRelocationSize) {
            const std::uint64_t place = cursor.u64();
            const std::uint64_t info = cursor.u64();
            cursor.skip(8); // what is added
            if (const auto symbol = static_cast<std::uint32_t>(info >> 32U); symbol != 0)
                destinations.emplace(place, symbol);
        }
    }
    return destinations;
}

/// `jmp *distance(%rip)`, behind a landing pad or not.
std::optional<std::uint64_t> x86Destination(std::uint64_t address, std::span<const std::uint8_t> stub)
{
    Cursor cursor(stub);
    constexpr std::uint32_t kEndbr64 = 0xfa1e0ff3;
    if (cursor.u32() != kEndbr64)
        cursor.seek(0);
    if (stub[cursor.position()] == 0xf2) // the jump may have a prefix
        cursor.skip(1);
    if (cursor.u16() != 0x25ff)
        return std::nullopt;
    const auto distance = static_cast<std::int32_t>(cursor.u32());
    return address + cursor.position() + static_cast<std::uint64_t>(std::int64_t(distance));
}

/// `adrp x16, page` and `ldr x17, [x16, offset]`, behind a landing pad or not.
std::optional<std::uint64_t> armDestination(std::uint64_t address, std::span<const std::uint8_t> stub)
{
    Cursor cursor(stub);
    constexpr std::uint32_t kLandingPad = 0xd503245f;
    std::uint32_t page = cursor.u32();
    if (page == kLandingPad) {
        address += 4;
        page = cursor.u32();
    }
    const std::uint32_t load = cursor.u32();
    if ((page & 0x9f00001fU) != 0x90000010U || (load & 0xffc003ffU) != 0xf9400211U)
        return std::nullopt;
    const std::uint64_t pages = ((page >> 5U) & 0x7ffffU) << 2U | ((page >> 29U) & 3U);
    const std::uint64_t distance = (pages ^ 0x100000U) - 0x100000U; // 21 bits with a sign
    return (address & ~std::uint64_t(0xfff)) + (distance << 12U) + (((load >> 10U) & 0xfffU) << 3U);
}

class CallReader {
public:
    explicit CallReader(const ElfFile &file)
        : m_file(file), m_destinations(destinationsOf(file)), m_symbols(file.content(".dynsym")),
          m_names(file.content(".dynstr"))
    {}

    void read(const ElfSection &section)
    {
        const auto content = m_file.content(section);
        if (!content)
            return;
        const std::vector<std::uint8_t> bytes = content->all(kMostBytes);
        const std::span<const std::uint8_t> all(bytes);
        // In .plt.got stubs may be half as long as elsewhere.
        const std::uint64_t step = section.name == ".plt.got" ? kStubSize / 2 : kStubSize;
        for (std::uint64_t at = 0; at + step <= bytes.size(); at += step)
            addStub(section.address + at, all.subspan(at, std::min(kStubSize, bytes.size() - at)), step);
    }

    std::vector<LibraryCall> take() { return std::move(m_calls); }

private:
    void addStub(std::uint64_t address, std::span<const std::uint8_t> stub, std::uint64_t size)
    {
        const auto place = m_file.machine() == ElfMachine::X86_64 ? x86Destination(address, stub)
                                                                  : armDestination(address, stub);
        const auto destination = place ? m_destinations.find(*place) : m_destinations.end();
        if (destination == m_destinations.end())
            return;
        const auto entry = m_symbols.read(destination->second * kSymbolSize, sizeof(std::uint32_t));
        if (!entry)
            return;
        std::string name = m_names.text(Cursor(*entry, m_file.byteOrder()).u32());
        if (!name.empty())
            m_calls.push_back({address, size, std::move(name)});
    }

    const ElfFile &m_file;
    Destinations m_destinations;
    ByteRange m_symbols;
    ByteRange m_names;
    std::vector<LibraryCall> m_calls;
};

} // namespace

std::vector<LibraryCall> libraryCallsOf(const ElfFile &file)
{
    const bool isKnown = file.machine() == ElfMachine::X86_64 || file.machine() == ElfMachine::Arm64;
    if (!isKnown || !file.is64())
        return {};
    CallReader reader(file);
    for (const char *name : {".plt", ".plt.sec", ".plt.got"})
        if (const ElfSection *const section = file.section(name))
            reader.read(*section);
    return reader.take();
}

} // namespace hearth
