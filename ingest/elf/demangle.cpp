#include "ingest/elf/demangle.h"

#include "ingest/bytes/text_codes.h"

#include <cstdlib>
#include <memory>

// libiberty's header cannot be included: it declares basename() unlike <cstring> does.
extern "C" char *cplus_demangle(const char *mangled, int options);

namespace hearth {

namespace {

constexpr int kParameters = 1 << 0;
constexpr int kQualifiers = 1 << 1;
constexpr int kAutomatic = 1 << 8; ///< C++ or Rust
constexpr int kD = 1 << 16;
constexpr std::size_t kLongest = 16 * 1024;

std::string demangled(const std::string &name, int style)
{
    const std::unique_ptr<char, decltype(&std::free)> text(
        cplus_demangle(name.c_str(), kParameters | kQualifiers | style), &std::free);
    return text ? std::string(text.get()) : name;
}

/// Go's linker writes a dot of the last part of an import path, and what is no ASCII, as %2e.
std::string withoutPercents(const std::string &name)
{
    std::string text;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const auto byte = name[i] == '%' ? bytesOfHex(std::string_view(name).substr(i + 1, 2)) : std::nullopt;
        if (byte && byte->size() == 1)
            i += 2;
        text += byte && byte->size() == 1 ? (*byte)[0] : name[i];
    }
    return text;
}

} // namespace

std::string demangled(const std::string &name)
{
    if (name.size() > kLongest)
        return name;
    if (name.starts_with("_Z") || name.starts_with("_R") || name.starts_with("__Z"))
        return demangled(name, kAutomatic);
    if (name.starts_with("_D") && name.size() > 2 && name[2] >= '0' && name[2] <= '9')
        return demangled(name, kD);
    return name.find('%') == std::string::npos ? name : withoutPercents(name);
}

} // namespace hearth
