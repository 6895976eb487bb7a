#pragma once

#include <atomic>
#include <cstddef>
#include <utility>

namespace hearth {

/// How many bytes all requests that are being received and decoded may take together. Any thread.
class ByteBudget {
public:
    explicit ByteBudget(std::size_t bytes) : m_left(bytes) {}
    ByteBudget(const ByteBudget &) = delete;
    ByteBudget &operator=(const ByteBudget &) = delete;

    bool take(std::size_t bytes)
    {
        std::size_t left = m_left.load(std::memory_order_relaxed);
        while (bytes <= left)
            if (m_left.compare_exchange_weak(left, left - bytes, std::memory_order_relaxed))
                return true;
        return false;
    }
    void giveBack(std::size_t bytes) { m_left.fetch_add(bytes, std::memory_order_relaxed); }

private:
    std::atomic<std::size_t> m_left;
};

/// What one request has taken of the budget; given back when it is done.
class BudgetShare {
public:
    explicit BudgetShare(ByteBudget &budget) : m_budget(&budget) {}
    BudgetShare(BudgetShare &&other) noexcept
        : m_budget(other.m_budget), m_bytes(std::exchange(other.m_bytes, 0))
    {}
    BudgetShare &operator=(BudgetShare &&) = delete;
    ~BudgetShare() { m_budget->giveBack(m_bytes); }

    /// @return false if the budget does not have that much
    bool grow(std::size_t bytes)
    {
        if (!m_budget->take(bytes))
            return false;
        m_bytes += bytes;
        return true;
    }

private:
    ByteBudget *m_budget;
    std::size_t m_bytes = 0;
};

} // namespace hearth
