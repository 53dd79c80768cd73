#include "host/sandbox/trusted_walk.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <deque>
#include <map>
#include <memory>

#include "host/os/descriptor.hpp"
#include "host/os/path_walk.hpp"

namespace toolhost::sandbox {
namespace {

// Git keeps objects and references there. What git runs of it has names of its own.
constexpr std::string_view kGitFolder = ".git";

using Directory = std::unique_ptr<DIR, decltype([](DIR* folder) { ::closedir(folder); })>;

bool is_own_and_lacks(const struct stat& info, mode_t rights) {
    return ::geteuid() != 0 && info.st_uid == ::geteuid() && (info.st_mode & rights) != rights;
}

class Walk {
public:
    explicit Walk(const Confinement& confinement) : granted_(confinement.write) {
        for (const std::string_view name : confinement.trusted_names) {
            const auto end = std::min(name.find('/'), name.size());
            names_[std::string(name.substr(0, end))].emplace_back(
                name.substr(std::min(end + 1, name.size())));
        }
    }

    // Breadth first: where a bound is reached, what is left out lies deepest.
    NestedFiles run() {
        for (const auto& root : granted_) {
            queue_.push_back({root, roots_.size(), 0});
            roots_.emplace_back(::open(root.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
        }
        for (; !queue_.empty() && found_.complete; queue_.pop_front()) look_into(queue_.front());
        for (auto* list : {&found_.paths, &found_.locked}) {
            std::ranges::sort(*list);
            list->erase(std::unique(list->begin(), list->end()), list->end());
        }
        found_.complete = found_.complete && !too_deep_;
        return std::move(found_);
    }

private:
    struct Folder {
        std::string path;
        std::size_t root;  // its index
        std::size_t depth;
    };

    // Without links and without other mounts below the folder that is granted.
    [[nodiscard]] int open_folder(const Folder& folder) const {
        const auto below =
            folder.depth == 0 ? "." : folder.path.substr(granted_[folder.root].size());
        open_how how{};
        how.flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
        how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_XDEV;
        return static_cast<int>(::syscall(SYS_openat2, roots_[folder.root].get(),
                                          below.c_str() + (below.front() == '/' ? 1 : 0), &how,
                                          sizeof how));
    }

    void look_into(const Folder& folder) {
        if (found_.folders == kMostWalkedFolders) return stop();
        ++found_.folders;
        const int opened = open_folder(folder);
        struct stat info {};
        if (opened < 0) {
            if (errno == EACCES && ::lstat(folder.path.c_str(), &info) == 0 &&
                is_own_and_lacks(info, S_IRUSR | S_IXUSR))
                lock(folder);
            // Gone, a link by now, or another mount. Without openat2 nothing can be looked into.
            else if (errno == ENOSYS || errno == EPERM)
                stop();
            return;
        }
        const Directory entries(::fdopendir(opened));  // which closes it
        if (!entries) {
            ::close(opened);
            return stop();
        }
        if (::fstat(opened, &info) == 0 && is_own_and_lacks(info, S_IXUSR)) return lock(folder);
        while (const auto* entry = ::readdir(entries.get())) {
            const std::string_view name = entry->d_name;
            if (name == "." || name == "..") continue;
            if (++entries_ > kMostWalkedEntries) return stop();
            take(folder, name, entry->d_type);
        }
    }

    void take(const Folder& folder, std::string_view name, unsigned char type) {
        const auto known = names_.find(name);
        if (known == names_.end() && type != DT_DIR && type != DT_UNKNOWN) return;
        auto path = folder.path;
        if (path.back() != '/') path += '/';
        path += name;
        bool whole = false;
        if (known != names_.end())
            for (const auto& rest : known->second) {
                whole = whole || rest.empty();
                // Directly in a granted folder they are known by their names alone.
                if (folder.depth > 0) look_for(rest.empty() ? path : path + '/' + rest);
            }
        if (whole || name == kGitFolder || !is_folder(path, type)) return;
        if (folder.depth == kMostWalkedDepth)
            too_deep_ = true;
        else
            queue_.push_back({std::move(path), folder.root, folder.depth + 1});
    }

    static bool is_folder(const std::string& path, unsigned char type) {
        struct stat info {};
        return type == DT_DIR ||
               (type == DT_UNKNOWN && ::lstat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode));
    }

    void look_for(std::string path) {
        struct stat info {};
        if (::lstat(path.c_str(), &info) != 0) {
            // A file where a folder is expected, as `.git` is in a submodule, or a locked folder.
            if (errno != ENOTDIR && errno != EACCES) return;
            auto walk = os::walk_path(path);
            if (walk.entries.empty()) return;
            path = std::move(walk.entries.back());
        }
        // What is granted by its own name, or holds such a folder, is not protected.
        if (std::ranges::any_of(granted_,
                                [&](const auto& own) { return os::is_within(own, path); }))
            return;
        if (found_.paths.size() == kMostNestedFiles) return stop();
        if (found_.paths.empty() || found_.paths.back() != path)
            found_.paths.push_back(std::move(path));
    }

    void lock(const Folder& folder) {
        if (found_.locked.size() == kMostNestedFiles) return stop();
        found_.locked.push_back(folder.path);
    }

    void stop() { found_.complete = false; }

    const std::vector<std::string>& granted_;
    std::vector<os::Descriptor> roots_;
    std::map<std::string, std::vector<std::string>, std::less<>> names_;  // first, and what follows
    std::deque<Folder> queue_;
    NestedFiles found_;
    std::size_t entries_ = 0;
    bool too_deep_ = false;
};

}  // namespace

NestedFiles find_nested_files(const Confinement& confinement) {
    return Walk(confinement).run();
}

}  // namespace toolhost::sandbox
