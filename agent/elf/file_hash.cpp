#include "agent/elf/file_hash.h"

#include <openssl/sha.h>

#include <algorithm>
#include <array>
#include <vector>

namespace hearth::agent {

std::string fileHash(const FileBytes &file)
{
    constexpr std::size_t kPart = 4096;
    constexpr std::size_t kHashBytes = 16;
    const std::uint64_t size = file.size();
    const auto part = static_cast<std::size_t>(std::min<std::uint64_t>(size, kPart));
    std::vector<std::uint8_t> hashed(2 * part);
    const std::span<std::uint8_t> parts(hashed);
    if (file.read(0, parts.first(part)) != part || file.read(size - part, parts.last(part)) != part)
        return {};
    for (int shift = 56; shift >= 0; shift -= 8)
        hashed.push_back(static_cast<std::uint8_t>(size >> shift));
    std::array<std::uint8_t, SHA256_DIGEST_LENGTH> digest{};
    SHA256(hashed.data(), hashed.size(), digest.data());
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    for (std::size_t i = 0; i < kHashBytes; ++i) {
        text += kDigits[digest.at(i) >> 4];
        text += kDigits[digest.at(i) & 15];
    }
    return text;
}

} // namespace hearth::agent
