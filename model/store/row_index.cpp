#include "model/store/row_index.h"

#include <random>

namespace hearth {

std::uint64_t hashSeed()
{
    static const std::uint64_t seed = [] {
        std::random_device device;
        return (static_cast<std::uint64_t>(device()) << 32) | device();
    }();
    return seed;
}

} // namespace hearth
