#include "ingest/bytes/input_stream.h"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

namespace hearth {

namespace {

constexpr std::size_t kBlock = std::size_t(512) << 10;
constexpr std::size_t kHeadroom = std::size_t(64)
                                  << 10; ///< before each block, for what the reader left of the one before
constexpr std::size_t kBlocks = 4;

} // namespace

/// A ring of blocks that a thread fills ahead of the reader.
struct InputStream::ReadAhead {
    explicit ReadAhead(std::unique_ptr<ByteSource> byteSource) : source(std::move(byteSource))
    {
        thread = std::jthread([this](const std::stop_token &stop) { fill(stop); });
    }

    void fill(const std::stop_token &stop)
    {
        for (std::size_t next = 0;; next = (next + 1) % kBlocks) {
            Block &block = blocks[next];
            {
                std::unique_lock lock(mutex);
                if (!changed.wait(lock, stop, [&] { return block.state == State::Free; }))
                    return;
            }
            if (block.memory.empty())
                block.memory.resize(kHeadroom + kBlock);
            const std::size_t size = source->read(std::span(block.memory).subspan(kHeadroom));
            const std::lock_guard lock(mutex);
            block.size = size;
            block.state = State::Full;
            isAtEnd = size < kBlock;
            changed.notify_all();
            if (isAtEnd)
                return;
        }
    }

    /// Waits for the next block, and gives the one before back. @return null at the end
    std::span<std::uint8_t> next()
    {
        std::unique_lock lock(mutex);
        if (current != kBlocks) {
            blocks[current].state = State::Free;
            changed.notify_all();
        }
        const std::size_t following = current == kBlocks ? 0 : (current + 1) % kBlocks;
        Block &block = blocks[following];
        changed.wait(lock, [&] { return block.state == State::Full || isAtEnd; });
        if (block.state != State::Full)
            return {};
        current = following;
        return std::span(block.memory).subspan(kHeadroom, block.size);
    }

    enum class State : std::uint8_t { Free, Full };
    struct Block {
        std::vector<std::uint8_t> memory;
        std::size_t size = 0;
        State state = State::Free;
    };

    std::unique_ptr<ByteSource> source;
    std::vector<std::uint8_t>
        longRest; ///< the window, when what was left of it does not fit a block's headroom

    std::mutex mutex;
    std::condition_variable_any changed;
    // Guarded by the mutex; a Full block's memory belongs to the reader, a Free one's to the thread.
    std::array<Block, kBlocks> blocks;
    std::size_t current = kBlocks;
    bool isAtEnd = false;

    std::jthread thread;
};

InputStream::InputStream(std::unique_ptr<ByteSource> source)
    : m_readAhead(std::make_unique<ReadAhead>(std::move(source)))
{}

InputStream::~InputStream() = default;

bool InputStream::extend()
{
    std::vector<std::uint8_t> &longRest = m_readAhead->longRest;
    const bool isLong = !longRest.empty();
    if (isLong)
        longRest.erase(longRest.begin(), longRest.end() - static_cast<std::ptrdiff_t>(m_window.size()));
    else if (m_window.size() > kHeadroom)
        longRest.assign(m_window.begin(), m_window.end());
    // The block that the window is in may be refilled from here on.
    std::array<std::uint8_t, kHeadroom> shortRest;
    const std::size_t rest = m_window.size();
    if (longRest.empty() && rest > 0)
        std::memcpy(shortRest.data(), m_window.data(), rest);
    const std::span<std::uint8_t> block = m_readAhead->next();
    if (rest > kHeadroom || block.empty()) {
        if (longRest.empty())
            longRest.assign(shortRest.begin(), shortRest.begin() + static_cast<std::ptrdiff_t>(rest));
        longRest.insert(longRest.end(), block.begin(), block.end());
        m_window = longRest;
        return !block.empty();
    }
    std::uint8_t *const begin = block.data() - rest;
    if (rest > 0)
        std::memcpy(begin, isLong ? longRest.data() : shortRest.data(), rest);
    m_window = {begin, rest + block.size()};
    longRest.clear();
    return true;
}

bool InputStream::ensure(std::size_t size)
{
    while (m_window.size() < size)
        if (!extend())
            return false;
    return true;
}

std::optional<InputFault> InputStream::fault() const
{
    const std::lock_guard lock(m_readAhead->mutex);
    return m_readAhead->isAtEnd ? m_readAhead->source->fault() : std::nullopt;
}

} // namespace hearth
