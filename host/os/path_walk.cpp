#include "host/os/path_walk.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <deque>

namespace toolhost::os {
namespace {

constexpr int kMaxLinks = 40;  // as the kernel's

void push_front(std::deque<std::string>& names, std::string_view path) {
    std::vector<std::string> split;
    while (!path.empty()) {
        const auto end = std::min(path.find('/'), path.size());
        if (end > 0) split.emplace_back(path.substr(0, end));
        path.remove_prefix(std::min(end + 1, path.size()));
    }
    names.insert(names.begin(), split.begin(), split.end());
}

// Empty: it cannot be read.
std::string link_target(const std::string& link) {
    char target[PATH_MAX];
    const auto size = ::readlink(link.c_str(), target, sizeof target);
    return size > 0 && size < static_cast<ssize_t>(sizeof target)
               ? std::string(target, static_cast<std::size_t>(size))
               : "";
}

}  // namespace

PathWalk walk_path(const std::string& path) {
    PathWalk walk;
    std::deque<std::string> names;
    push_front(names, path);
    std::string folder;  // empty: the root
    for (int links = 0; !names.empty();) {
        const auto name = std::move(names.front());
        names.pop_front();
        if (name == ".") continue;
        if (name == "..") {
            folder.resize(folder.empty() ? 0 : folder.rfind('/'));
            continue;
        }
        const auto entry = folder + '/' + name;
        struct stat info {};
        if (::lstat(entry.c_str(), &info) != 0) {
            walk.missing = entry;
            for (const auto& rest : names) walk.missing += '/' + rest;
            return walk;
        }
        walk.entries.push_back(entry);
        if (!S_ISLNK(info.st_mode)) {
            folder = entry;
            continue;
        }
        const auto target = link_target(entry);
        if (target.empty() || ++links > kMaxLinks) return walk;
        push_front(names, target);
        if (target.front() == '/') folder.clear();
    }
    walk.exists = true;
    return walk;
}

bool is_within(std::string_view path, std::string_view folder) {
    while (folder.size() > 1 && folder.back() == '/') folder.remove_suffix(1);
    if (folder == "/") return true;
    return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

}  // namespace toolhost::os
