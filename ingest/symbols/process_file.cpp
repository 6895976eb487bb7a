#include "ingest/symbols/process_file.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <fstream>

namespace hearth {

namespace {

std::string folderOf(std::uint32_t process)
{
    return "/proc/" + std::to_string(process);
}

/// Whom files of a process belong to; of one that has gone, it can only be told whether they are ours.
std::uint32_t userOf(std::uint32_t process)
{
    struct stat status{};
    return ::stat(folderOf(process).c_str(), &status) == 0 ? status.st_uid : ::geteuid();
}

bool isOwn(int file, std::uint32_t process)
{
    struct stat status{};
    return ::fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == userOf(process) &&
           (status.st_mode & S_IWOTH) == 0;
}

} // namespace

std::string innermostNumber(std::uint32_t process)
{
    std::ifstream status(folderOf(process) + "/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("NSpid:")) // "NSpid:\t4711\t12"
            return line.substr(line.find_last_of("\t ") + 1);
    return std::to_string(process);
}

int openFileOf(std::uint32_t process, const std::string &path)
{
    open_how how{};
    how.flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW;
    how.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
    for (const std::string &root : {folderOf(process) + "/root", std::string("/")}) {
        const int folder = ::open(root.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
        if (folder < 0)
            continue;
        const auto file = static_cast<int>(::syscall(SYS_openat2, folder, path.c_str(), &how, sizeof how));
        ::close(folder);
        if (file < 0 || isOwn(file, process))
            return file;
        ::close(file);
        return -1;
    }
    return -1;
}

} // namespace hearth
