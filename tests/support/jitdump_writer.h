#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace hearth {

/// Bytes of a jitdump.
class DumpWriter {
public:
    DumpWriter()
    {
        put(0x4a695444, 4);
        put(1, 4);
        put(40, 4);
        put(62, 4);
        put(0, 4);
        put(4711, 4);
        put(0, 8);
        put(0, 8);
    }

    void load(std::uint64_t time, std::uint64_t address, std::uint64_t size, std::uint64_t index,
              std::string_view name)
    {
        record(0, time, 8 + 4 * 8 + name.size() + 1 + size);
        put(4711, 4);
        put(4711, 4);
        for (const std::uint64_t number : {address, address, size, index})
            put(number, 8);
        text(name);
        m_bytes.insert(m_bytes.end(), size, 0xcc);
    }
    void move(std::uint64_t time, std::uint64_t from, std::uint64_t to, std::uint64_t size,
              std::uint64_t index)
    {
        record(1, time, 8 + 5 * 8);
        put(4711, 4);
        put(4711, 4);
        for (const std::uint64_t number : {to, from, to, size, index})
            put(number, 8);
    }
    struct Line {
        std::uint64_t address;
        std::uint32_t line;
        std::string_view file;
    };
    void lines(std::uint64_t time, std::uint64_t address, const std::vector<Line> &lines)
    {
        std::size_t size = 16;
        for (const Line &line : lines)
            size += 16 + line.file.size() + 1;
        record(2, time, size);
        put(address, 8);
        put(lines.size(), 8);
        for (const Line &line : lines) {
            put(line.address, 8);
            put(line.line, 4);
            put(0, 4);
            text(line.file);
        }
    }
    const std::vector<std::uint8_t> &bytes() const { return m_bytes; }

private:
    void record(std::uint32_t kind, std::uint64_t time, std::size_t size)
    {
        put(kind, 4);
        put(16 + size, 4);
        put(time, 8);
    }
    void put(std::uint64_t number, unsigned size)
    {
        for (unsigned i = 0; i < size; ++i)
            m_bytes.push_back(static_cast<std::uint8_t>(number >> (8 * i)));
    }
    void text(std::string_view text)
    {
        m_bytes.insert(m_bytes.end(), text.begin(), text.end());
        m_bytes.push_back(0);
    }

    std::vector<std::uint8_t> m_bytes;
};

} // namespace hearth
