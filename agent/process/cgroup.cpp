#include "agent/process/cgroup.h"

#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/statfs.h>

#include <filesystem>

namespace hearth::agent {

namespace {

bool isInHierarchy(const std::filesystem::path &directory)
{
    struct statfs status{};
    return statfs(directory.c_str(), &status) == 0 && status.f_type == CGROUP2_SUPER_MAGIC;
}

} // namespace

Result<Cgroup> findCgroup(const std::string &directory)
{
    std::error_code error;
    std::filesystem::path path = std::filesystem::canonical(directory, error);
    struct stat status{};
    if (error || stat(path.c_str(), &status) != 0)
        return failure("there is no cgroup " + directory);
    if (!isInHierarchy(path))
        return failure(directory + " is no cgroup of version 2");
    Cgroup cgroup{.id = status.st_ino, .level = 0};
    for (; isInHierarchy(path.parent_path()) && path != path.parent_path(); path = path.parent_path())
        ++cgroup.level;
    return cgroup;
}

} // namespace hearth::agent
