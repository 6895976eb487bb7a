#pragma once

#include <cstdint>
#include <span>
#include <string_view>

// What runs in the demo. Frames are written "L name@file:line" and parted by ';', where L says whose code it
// is: n the shop (C++), p its recommendations (Python), x what those call (C), g the gateway (Go), l libc, k
// the kernel, s a library without symbols. Behind an i is what was inlined into the frame before it.

namespace hearth {

struct DemoCode {
    char letter;
    std::string_view kind;
    std::string_view binary;
};
const DemoCode &codeOf(char letter);

struct DemoStack {
    std::string_view frames;
    std::uint32_t weight;
};

struct DemoThread {
    std::string_view service;
    std::string_view process;
    std::string_view name;
    std::uint32_t busy;     ///< out of a thousand
    std::uint32_t slowdown; ///< how much busier while the shop is slow, in tenths
    std::int64_t phase;
    std::span<const DemoStack> stacks;
    std::span<const DemoStack> slowStacks; ///< what runs instead while the shop is slow; empty: the same
};
std::span<const DemoThread> demoThreads();

} // namespace hearth
