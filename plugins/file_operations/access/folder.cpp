#include "access/folder.hpp"

#include <dirent.h>
#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

namespace file_operations {
namespace {

Kind kind_of_type(int folder, const dirent& entry) {
    switch (entry.d_type) {
        case DT_REG:
            return Kind::file;
        case DT_DIR:
            return Kind::folder;
        case DT_LNK:
            return Kind::link;
        case DT_UNKNOWN:
            break;  // some file systems do not provide it
        default:
            return Kind::other;
    }
    struct stat status {};
    if (::fstatat(folder, entry.d_name, &status, AT_SYMLINK_NOFOLLOW) != 0) return Kind::other;
    return kind_of(status);
}

// A folder may have millions of entries.
constexpr std::size_t entries_between_questions = 1024;

struct Pending {
    std::string path;
    int depth;
};

}  // namespace

Kind kind_of(const struct stat& status) {
    if (S_ISREG(status.st_mode)) return Kind::file;
    if (S_ISDIR(status.st_mode)) return Kind::folder;
    if (S_ISLNK(status.st_mode)) return Kind::link;
    return Kind::other;
}

Listing list_folder(int folder, const std::function<bool()>& cancelled) {
    Listing out;
    const int copy = ::fcntl(folder, F_DUPFD_CLOEXEC, 0);
    const std::unique_ptr<DIR, int (*)(DIR*)> stream(copy < 0 ? nullptr : ::fdopendir(copy),
                                                     &::closedir);
    if (!stream) {
        out.error = errno;
        if (copy >= 0) ::close(copy);
        return out;
    }
    for (;;) {
        errno = 0;
        const dirent* entry = ::readdir(stream.get());
        if (!entry) break;
        const std::string_view name = entry->d_name;
        if (name == "." || name == "..") continue;
        if (cancelled && out.entries.size() % entries_between_questions == 0 && cancelled()) {
            out.error = ECANCELED;
            return out;
        }
        out.entries.push_back({std::string(name), kind_of_type(folder, *entry)});
    }
    out.error = errno;
    std::sort(out.entries.begin(), out.entries.end(),
              [](const Entry& a, const Entry& b) { return a.name < b.name; });
    return out;
}

std::string join_path(std::string_view folder, std::string_view name) {
    std::string out;
    out.reserve(folder.size() + name.size() + 1);
    out += folder;
    if (!folder.empty()) out += '/';
    out += name;
    return out;
}

bool walk_tree(const Access& access, const Walk& walk, const bool* stop) {
    // By paths instead of open folders: a deep tree would need too many descriptors.
    std::vector<Pending> pending{{walk.path, 1}};
    while (!pending.empty()) {
        const Pending here = std::move(pending.back());
        pending.pop_back();
        if (walk.cancelled && walk.cancelled()) return false;
        auto folder = access.open_folder(walk.root, here.path);
        if (!folder) {
            if (walk.note) walk.note(folder.failure().message);
            continue;
        }
        const Listing listing = list_folder(folder->get(), walk.cancelled);
        if (listing.error == ECANCELED) return false;
        if (listing.error != 0 && walk.note) {
            walk.note(access.shown(walk.root, here.path) + ": " + std::strerror(listing.error));
        }
        std::vector<Pending> below;
        std::size_t looked_at = 0;
        for (const Entry& entry : listing.entries) {
            if (++looked_at % entries_between_questions == 0 && walk.cancelled &&
                walk.cancelled()) {
                return false;
            }
            if (entry.name[0] == '.' && !walk.hidden) continue;
            const bool is_folder = entry.kind == Kind::folder;
            const std::string path = join_path(here.path, entry.name);
            if (!access.allows_name(path, entry.name, is_folder)) continue;
            const bool enter = walk.visit({path, entry, folder->get(), here.depth});
            if (stop && *stop) return false;
            if (is_folder && enter && here.depth < walk.max_depth) {
                below.push_back({path, here.depth + 1});
            }
        }
        pending.insert(pending.end(), std::make_move_iterator(below.rbegin()),
                       std::make_move_iterator(below.rend()));
    }
    return true;
}

}  // namespace file_operations
