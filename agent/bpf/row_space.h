#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace hearth::agent {

/// Which rows of an array of fixed size are free. What is given back may still be read in the kernel, and is
/// free only when recycle() is called the next time.
class RowSpace {
public:
    explicit RowSpace(std::uint32_t rows) { m_free.emplace(0, rows); }

    /// @return the first of so many rows in a row
    std::optional<std::uint32_t> take(std::uint32_t count);

    void giveBack(std::uint32_t first, std::uint32_t count) { m_givenBack.emplace_back(first, count); }
    void recycle();

private:
    void addFree(std::uint32_t first, std::uint32_t count);

    std::map<std::uint32_t, std::uint32_t> m_free; ///< rows by the first, never two side by side
    std::vector<std::pair<std::uint32_t, std::uint32_t>> m_givenBack;
};

} // namespace hearth::agent
