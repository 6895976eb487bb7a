#include "ingest/code/source_places.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace hearth {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostSearched = 300'000; ///< files of a folder that somebody chose without looking
constexpr std::size_t kMostParents = 4;        ///< of a program's folder

/// "/a/b/c.cpp" → "a/b/c.cpp", "b/c.cpp", "c.cpp"
std::vector<std::string_view> endingsOf(std::string_view path)
{
    std::vector<std::string_view> endings;
    for (std::size_t begin = 0; begin < path.size();) {
        if (path[begin] != '/')
            endings.push_back(path.substr(begin));
        const std::size_t slash = path.find('/', begin);
        begin = slash == std::string_view::npos ? path.size() : slash + 1;
    }
    return endings;
}

/// Whether a path is in a folder, or is it.
bool isIn(std::string_view path, std::string_view folder)
{
    while (folder.size() > 1 && folder.ends_with('/'))
        folder.remove_suffix(1);
    return path.starts_with(folder) &&
           (path.size() == folder.size() || folder.ends_with('/') || path[folder.size()] == '/');
}

std::string joined(std::string_view folder, std::string_view rest)
{
    while (rest.starts_with('/'))
        rest.remove_prefix(1);
    if (rest.empty())
        return std::string(folder);
    return std::string(folder) + (folder.ends_with('/') ? "" : "/") + std::string(rest);
}

void addMapped(std::string_view path, std::string_view place, std::vector<std::string> &candidates)
{
    const std::size_t equals = place.find('=');
    const std::string_view from = place.substr(0, equals);
    if (equals != std::string_view::npos && isIn(path, from))
        candidates.push_back(
            joined(place.substr(equals + 1), path.substr(std::min(from.size(), path.size()))));
}

std::string variable(const char *name)
{
    const char *const value = std::getenv(name);
    return value == nullptr ? std::string() : value;
}

/// Where the tools of Go and Rust keep the sources that they call by other names.
std::vector<std::string> toolFolders(std::string_view path)
{
    const std::string home = variable("HOME");
    constexpr std::string_view kRust = "/rustc/";
    std::vector<std::string> folders;
    if (path.starts_with(kRust)) {
        std::error_code error;
        for (fs::directory_iterator entry(home + "/.rustup/toolchains", error), end; !error && entry != end;
             entry.increment(error))
            folders.push_back(entry->path().string() + "/lib/rustlib/src/rust");
        folders.emplace_back("/usr/lib/rustlib/src/rust");
    } else if (path.ends_with(".go") && !path.starts_with('/')) {
        const std::string goPath = variable("GOPATH");
        folders.push_back((goPath.empty() ? home + "/go" : goPath) + "/pkg/mod");
        if (const std::string root = variable("GOROOT"); !root.empty())
            folders.push_back(root + "/src");
        folders.emplace_back("/usr/local/go/src");
        folders.emplace_back("/usr/lib/go/src");
    }
    return folders;
}

/// "/rustc/HASH/library/core/src/lib.rs" → "library/core/src/lib.rs"
std::string_view withoutTool(std::string_view path)
{
    constexpr std::string_view kRust = "/rustc/";
    if (!path.starts_with(kRust))
        return path;
    const std::size_t slash = path.find('/', kRust.size());
    return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::size_t sharedEnd(std::string_view a, std::string_view b)
{
    const auto [inA, inB] = std::mismatch(a.rbegin(), a.rend(), b.rbegin(), b.rend());
    auto shared = static_cast<std::size_t>(inA - a.rbegin());
    // Back to where a part of both paths begins.
    const bool isWhole = (shared == a.size() || a[a.size() - shared - 1] == '/') &&
                         (shared == b.size() || b[b.size() - shared - 1] == '/');
    while (!isWhole && shared > 0 && a[a.size() - shared] != '/')
        --shared;
    return shared;
}

} // namespace

std::vector<std::string> candidatesFor(const std::string &path, const std::vector<std::string> &places,
                                       const std::string &program)
{
    std::vector<std::string> candidates;
    if (path.empty())
        return candidates;
    for (const std::string &place : places)
        addMapped(path, place, candidates);
    if (path.starts_with('/'))
        candidates.push_back(path);
    for (const std::string &place : places)
        if (place.find('=') == std::string::npos)
            for (const std::string_view ending : endingsOf(path))
                candidates.push_back(joined(place, ending));
    for (const std::string &folder : toolFolders(path))
        candidates.push_back(joined(folder, withoutTool(path)));
    if (!path.starts_with('/') && !program.empty()) {
        fs::path folder = fs::path(program).parent_path();
        for (std::size_t i = 0; i < kMostParents && folder.has_relative_path();
             ++i, folder = folder.parent_path())
            candidates.push_back(joined(folder.string(), path));
    }
    return candidates;
}

std::string mappingBetween(std::string_view wanted, std::string_view found)
{
    const std::size_t shared = sharedEnd(wanted, found);
    std::string_view from = wanted.substr(0, wanted.size() - shared);
    std::string_view to = found.substr(0, found.size() - shared);
    if (from.empty()) // of a path that was relative: a folder to look in
        return std::string(to);
    while (from.size() > 1 && from.ends_with('/'))
        from.remove_suffix(1);
    while (to.size() > 1 && to.ends_with('/'))
        to.remove_suffix(1);
    return std::string(from) + '=' + std::string(to);
}

std::string searchedIn(const std::string &folder, std::string_view wanted)
{
    for (const std::string_view ending : endingsOf(wanted)) {
        std::error_code error;
        if (fs::is_regular_file(joined(folder, ending), error))
            return joined(folder, ending);
    }
    const std::string name = fs::path(wanted).filename().string();
    std::string best;
    std::error_code error;
    std::size_t count = 0;
    const auto options = fs::directory_options::skip_permission_denied;
    for (fs::recursive_directory_iterator entry(folder, options, error), end;
         !error && entry != end && ++count <= kMostSearched; entry.increment(error)) {
        const fs::path &path = entry->path();
        if (path.filename() == name && entry->is_regular_file(error) &&
            (best.empty() || sharedEnd(wanted, path.string()) > sharedEnd(wanted, best)))
            best = path.string();
    }
    return best;
}

} // namespace hearth
