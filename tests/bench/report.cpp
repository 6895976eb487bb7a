#include "tests/bench/report.h"

#include <cstdio>

namespace hearth::bench {

namespace {

std::string filter;

} // namespace

void setFilter(const std::string &text)
{
    filter = text;
}

bool isWanted(const std::string &name)
{
    return name.find(filter) != std::string::npos;
}

void row(const std::string &name, double milliseconds, const std::string &note)
{
    std::printf("%-58s %10.2f ms  %s\n", name.c_str(), milliseconds, note.c_str());
    std::fflush(stdout);
}

void share(const std::string &name, double part, const std::string &note)
{
    std::printf("%-58s %10.2f %%   %s\n", name.c_str(), part * 100, note.c_str());
    std::fflush(stdout);
}

} // namespace hearth::bench
