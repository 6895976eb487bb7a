#include "agent/symbols/demangle.h"

#include <cstdlib>
#include <memory>

// libiberty's own header defines what the C library declares otherwise.
extern "C" char *cplus_demangle(const char *mangled, int options);

namespace hearth::agent {

namespace {

constexpr int kParameters = 1 << 0, kAnsi = 1 << 1, kAutomatic = 1 << 8;
constexpr std::size_t kLongest = 4096;

struct Free {
    void operator()(char *text) const { std::free(text); } // NOLINT(cppcoreguidelines-no-malloc)
};

} // namespace

std::string demangled(const std::string &name)
{
    if (name.size() > kLongest || !name.starts_with("_"))
        return name;
    const std::unique_ptr<char, Free> text(cplus_demangle(name.c_str(), kParameters | kAnsi | kAutomatic));
    return text ? std::string(text.get()) : name;
}

} // namespace hearth::agent
