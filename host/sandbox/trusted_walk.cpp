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

// Git stores objects and references there. Files that it runs have names of their own.
constexpr std::string_view kGitFolder = ".git";

using Directory = std::unique_ptr<DIR, decltype([](DIR* folder) { ::closedir(folder); })>;

// The clock is read once per this many entries.
constexpr std::size_t kEntriesBetweenLooks = 256;

bool is_own_and_lacks(const struct stat& info, mode_t rights) {
    return info.st_uid == ::geteuid() && (info.st_mode & rights) != rights;
}

// A path that vanished, or is no longer a folder, contains no trusted files.
bool is_nothing(int fault) {
    return fault == ENOENT || fault == ENOTDIR || fault == ELOOP;
}

class Walk {
public:
    Walk(const Confinement& confinement, const WalkEnd& early)
        : granted_(confinement.write), early_(early), latest_(Clock::now() + early.most) {
        for (const std::string_view name : confinement.trusted_names) {
            const auto split = std::min(name.find('/'), name.size());
            names_[std::string(name.substr(0, split))].emplace_back(
                name.substr(std::min(split + 1, name.size())));
        }
    }

    // Breadth first: if a limit is reached, only the deepest folders are left out.
    NestedFiles run() {
        for (const auto& root : granted_) {
            auto& opened =
                roots_.emplace_back(::open(root.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
            if (opened)
                queue_.push_back({root, roots_.size() - 1, 0});
            else if (!is_nothing(errno))
                miss();
        }
        for (; !queue_.empty() && !stopped_; queue_.pop_front()) look_into(queue_.front());
        for (auto* list : {&found_.paths, &found_.locked}) {
            std::ranges::sort(*list);
            list->erase(std::unique(list->begin(), list->end()), list->end());
        }
        return std::move(found_);
    }

private:
    using Clock = std::chrono::steady_clock;
    struct Folder {
        std::string path;
        std::size_t root;  // index
        std::size_t depth;
    };

    // Follows no links and enters no other mounts below the granted folder.
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
        if (found_.folders == kMaxWalkedFolders || is_over()) return stop();
        ++found_.folders;
        const int opened = open_folder(folder);
        if (opened < 0) {
            if (errno == EACCES)
                lock_on_the_way(folder);
            else if (!is_nothing(errno) && errno != EXDEV)  // another mount
                miss();
            return;
        }
        const Directory entries(::fdopendir(opened));  // takes ownership of the descriptor
        if (!entries) {
            ::close(opened);
            return miss();
        }
        struct stat info {};
        if (::fstat(opened, &info) != 0) return miss();
        // The mode is not enough: root may search every folder, unless it lacks a capability.
        if (is_own_and_lacks(info, S_IXUSR) && ::faccessat(opened, ".", F_OK, 0) != 0)
            return lock(folder.path);
        for (errno = 0; const auto* entry = ::readdir(entries.get()); errno = 0) {
            const std::string_view name = entry->d_name;
            if (name == "." || name == "..") continue;
            if (++entries_ > kMaxWalkedEntries) return stop();
            if (entries_ % kEntriesBetweenLooks == 0 && is_over()) return stop();
            take(folder, name, entry->d_type);
        }
        if (errno != 0) miss();
    }

    [[nodiscard]] bool is_over() const { return Clock::now() >= latest_ || early_.unwanted(); }

    // Locks the folder or an ancestor. A tool cannot unlock folders of other users.
    void lock_on_the_way(const Folder& folder) {
        struct stat info {};
        for (auto path = folder.path; os::is_within(path, granted_[folder.root]);
             path.resize(path.rfind('/'))) {
            if (::lstat(path.c_str(), &info) == 0) {
                if (is_locked(info)) lock(path);
                return;
            }
            if (errno != EACCES) return is_nothing(errno) ? void() : miss();
            if (path.find('/', 1) == path.npos) return;
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
                // Directly in a granted folder they are protected by name.
                if (folder.depth > 0) look_for(rest.empty() ? path : path + '/' + rest);
            }
        if (whole || name == kGitFolder || !is_folder(path, type)) return;
        if (folder.depth == kMaxWalkedDepth)
            miss();
        else
            queue_.push_back({std::move(path), folder.root, folder.depth + 1});
    }

    // An entry that cannot be examined counts as a folder: entering it reports the reason.
    static bool is_folder(const std::string& path, unsigned char type) {
        struct stat info {};
        return type == DT_DIR ||
               (type == DT_UNKNOWN && (::lstat(path.c_str(), &info) != 0 || S_ISDIR(info.st_mode)));
    }

    void look_for(std::string path) {
        struct stat info {};
        if (::lstat(path.c_str(), &info) != 0) {
            // A file where a folder is expected, such as `.git` in a submodule, or a locked folder.
            if (errno != ENOTDIR && errno != EACCES) return is_nothing(errno) ? void() : miss();
            auto walk = os::walk_path(path);
            if (walk.entries.empty()) return;
            path = std::move(walk.entries.back());
        }
        // A granted path, and folders that contain one, are not protected.
        if (std::ranges::any_of(granted_,
                                [&](const auto& own) { return os::is_within(own, path); }))
            return;
        if (found_.paths.size() == kMaxNestedFiles) return stop();
        if (found_.paths.empty() || found_.paths.back() != path)
            found_.paths.push_back(std::move(path));
    }

    void lock(const std::string& path) {
        if (found_.locked.size() == kMaxNestedFiles) return stop();
        found_.locked.push_back(path);
    }

    void miss() { found_.complete = false; }
    void stop() {
        miss();
        stopped_ = true;
    }

    const std::vector<std::string>& granted_;
    const WalkEnd& early_;
    const Clock::time_point latest_;
    std::vector<os::Descriptor> roots_;
    // From the first part of a trusted name to the remaining parts.
    std::map<std::string, std::vector<std::string>, std::less<>> names_;
    std::deque<Folder> queue_;
    NestedFiles found_;
    std::size_t entries_ = 0;
    bool stopped_ = false;
};

}  // namespace

bool WalkEnd::unwanted() const {
    return cancel.stop_requested() || (deadline && std::chrono::steady_clock::now() >= *deadline);
}

bool is_locked(const struct stat& folder) {
    return is_own_and_lacks(folder, S_IRUSR | S_IXUSR);
}

NestedFiles find_nested_files(const Confinement& confinement, const WalkEnd& early) {
    return Walk(confinement, early).run();
}

}  // namespace toolhost::sandbox
