#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

namespace hearth {

/// A published prefix of a Column. Reading it needs no lock: these rows never change again.
template <class T>
class ColumnView {
public:
    ColumnView() = default;
    ColumnView(std::shared_ptr<const T[]> rows, std::size_t size) : m_rows(std::move(rows)), m_size(size) {}

    std::size_t size() const { return m_size; }
    bool empty() const { return m_size == 0; }
    const T &operator[](std::size_t row) const
    {
        assert(row < m_size);
        return m_rows.get()[row];
    }
    const T *begin() const { return m_rows.get(); }
    const T *end() const { return m_rows.get() + m_size; }
    std::span<const T> span() const { return {m_rows.get(), m_size}; }
    std::span<const T> span(std::size_t begin, std::size_t count) const
    {
        return span().subspan(begin, count);
    }

private:
    std::shared_ptr<const T[]> m_rows;
    std::size_t m_size = 0;
};

/// Rows that one thread appends and any thread reads up to the size it was told.
///
/// The writer fills rows behind every published size, so views and writer touch different memory. When the
/// buffer is full it is copied to one of twice the size; views keep the old one alive for as long as they
/// need it.
template <class T>
class Column {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    Column() = default;
    /// Copies the rows: what two columns append must not meet.
    Column(const Column &other) { append(other.span(0, other.size())); }
    Column(Column &&other) noexcept
        : m_rows(std::move(other.m_rows)), m_size(std::exchange(other.m_size, 0)),
          m_capacity(std::exchange(other.m_capacity, 0))
    {}
    Column &operator=(Column other) noexcept
    {
        std::swap(m_rows, other.m_rows);
        std::swap(m_size, other.m_size);
        std::swap(m_capacity, other.m_capacity);
        return *this;
    }
    ~Column() = default;

    std::size_t size() const { return m_size; }
    bool empty() const { return m_size == 0; }
    std::size_t bytes() const { return m_capacity * sizeof(T); }
    const T *data() const { return m_rows.get(); }
    const T &operator[](std::size_t row) const
    {
        assert(row < m_size);
        return m_rows.get()[row];
    }
    std::span<const T> span(std::size_t begin, std::size_t count) const
    {
        assert(begin + count <= m_size);
        return {m_rows.get() + begin, count};
    }

    void push_back(const T &row)
    {
        const T copy = row; // may live in the buffer that is about to be replaced
        reserve(m_size + 1);
        m_rows.get()[m_size++] = copy;
    }
    /// REQUIRES: the row has not been published yet.
    void replace(std::size_t row, const T &with)
    {
        assert(row < m_size);
        m_rows.get()[row] = with;
    }
    /// @return the row at which `rows` now begin
    std::size_t append(std::span<const T> rows)
    {
        const std::size_t begin = m_size;
        reserve(m_size + rows.size());
        if (!rows.empty())
            std::memcpy(m_rows.get() + begin, rows.data(), rows.size_bytes());
        m_size += rows.size();
        return begin;
    }
    void reserve(std::size_t capacity)
    {
        if (capacity <= m_capacity)
            return;
        m_capacity = std::max({capacity, m_capacity * 2, std::size_t(16)});
        auto rows = std::make_shared_for_overwrite<T[]>(m_capacity);
        if (m_size > 0)
            std::memcpy(rows.get(), m_rows.get(), m_size * sizeof(T));
        m_rows = std::move(rows);
    }

    ColumnView<T> view() const { return {m_rows, m_size}; }

private:
    std::shared_ptr<T[]> m_rows;
    std::size_t m_size = 0;
    std::size_t m_capacity = 0;
};

} // namespace hearth
