#include "host/sandbox/found_files.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>

#include "host/os/path_walk.hpp"

namespace toolhost::sandbox {
namespace {

// As many files as 16 walks can find. Each takes about 100 bytes.
constexpr std::size_t kMaxKept = 16 * kMaxNestedFiles;

bool is_granted(const Confinement& confinement, const std::string& path) {
    return std::ranges::any_of(confinement.write,
                               [&](const auto& folder) { return os::is_within(path, folder); });
}

// A granted path, and folders that contain one, are not protected.
bool contains_granted(const Confinement& confinement, const std::string& path) {
    return std::ranges::any_of(confinement.write,
                               [&](const auto& folder) { return os::is_within(folder, path); });
}

bool is_called(std::string_view path, std::string_view name) {
    return path.size() > name.size() && path.ends_with(name) &&
           path[path.size() - name.size() - 1] == '/';
}

enum class Match { none, whole, beginning };

// Whether the path ends with one of the names, or with the beginning of one, as a file that
// obstructs a trusted file does.
Match match(const Confinement& confinement, std::string_view path) {
    auto best = Match::none;
    for (std::string_view name : confinement.trusted_names) {
        if (is_called(path, name)) return Match::whole;
        for (auto cut = name.rfind('/'); cut != name.npos; cut = name.rfind('/')) {
            name = name.substr(0, cut);
            if (is_called(path, name)) best = Match::beginning;
        }
    }
    return best;
}

enum class Kind { trusted, in_the_way, locked };
enum class State { gone, other, held };

// A folder that obstructs a trusted file is protected only while it is locked.
State state_of(const std::string& path, Kind kind) {
    struct stat info {};
    if (::lstat(path.c_str(), &info) != 0)
        return errno == ENOENT || errno == ENOTDIR ? State::gone : State::held;
    if (kind == Kind::trusted || (kind == Kind::in_the_way && !S_ISDIR(info.st_mode)))
        return State::held;
    return S_ISDIR(info.st_mode) && is_locked(info) ? State::held : State::other;
}

// Merges two sorted lists.
void join(std::vector<std::string>& to, const std::vector<std::string>& more) {
    std::vector<std::string> both;
    std::ranges::set_union(to, more, std::back_inserter(both));
    to = std::move(both);
}

// Like join(), up to a limit. Returns false if some paths do not fit.
bool add(std::vector<std::string>& to, const std::vector<std::string>& more) {
    std::vector<std::string> added;
    std::ranges::set_difference(more, to, std::back_inserter(added));
    const auto room = kMaxNestedFiles - std::min(kMaxNestedFiles, to.size());
    const bool fits = added.size() <= room;
    if (!fits) added.resize(room);
    join(to, added);
    return fits;
}

bool keep(std::set<std::string>& kept, const std::vector<std::string>& found) {
    for (const auto& path : found) {
        if (kept.size() >= kMaxKept && !kept.contains(path)) return false;
        kept.insert(path);
    }
    return true;
}

}  // namespace

void FoundFiles::merge(const Confinement& confinement, const NestedFiles& before,
                       NestedFiles& found) {
    NestedFiles known;
    {
        const MutexLock lock(mutex_);
        for (const auto& path : paths_)
            if (is_granted(confinement, path) && !contains_granted(confinement, path) &&
                match(confinement, path) != Match::none)
                known.paths.push_back(path);
        for (const auto& path : locked_)
            if (is_granted(confinement, path)) known.locked.push_back(path);
    }
    join(known.paths, before.paths);
    join(known.locked, before.locked);
    std::vector<std::string> gone;  // checked without the lock, because file systems may be slow
    const auto drop = [&](const std::string& path, Kind kind) {
        const auto state = state_of(path, kind);
        if (state == State::gone) gone.push_back(path);
        return state != State::held;
    };
    std::erase_if(known.paths, [&](const auto& path) {
        return drop(path,
                    match(confinement, path) == Match::whole ? Kind::trusted : Kind::in_the_way);
    });
    std::erase_if(known.locked, [&](const auto& path) { return drop(path, Kind::locked); });
    bool fits = add(known.paths, found.paths);
    fits = add(known.locked, found.locked) && fits;
    found.paths = std::move(known.paths);
    found.locked = std::move(known.locked);
    const MutexLock lock(mutex_);
    for (const auto& path : gone) {
        paths_.erase(path);
        locked_.erase(path);
    }
    fits = keep(paths_, found.paths) && fits;
    fits = keep(locked_, found.locked) && fits;
    found.complete = found.complete && fits;
}

}  // namespace toolhost::sandbox
