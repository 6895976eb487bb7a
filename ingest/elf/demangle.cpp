#include "ingest/elf/demangle.h"

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

} // namespace

std::string demangled(const std::string &name)
{
    if (name.size() > kLongest)
        return name;
    if (name.starts_with("_Z") || name.starts_with("_R") || name.starts_with("__Z"))
        return demangled(name, kAutomatic);
    if (name.starts_with("_D") && name.size() > 2 && name[2] >= '0' && name[2] <= '9')
        return demangled(name, kD);
    return name;
}

} // namespace hearth
