#include "host/sandbox/protected_mounts.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <boost/filesystem/operations.hpp>
#include <cerrno>
#include <map>

#include "host/os/descriptor.hpp"
#include "host/os/path_walk.hpp"
#include "host/sandbox/privileges.hpp"
#include "host/sandbox/sandbox.hpp"

namespace toolhost::sandbox {
namespace {

Error mount_failed(const std::string& path) {
    return {ErrorCode::sandbox_unavailable,
            "sandbox: protecting a file in the workspace or a granted folder: " +
                os::system_message(errno),
            {{kServerPath, path}}};
}

bool set_attributes(int folder, const char* path, unsigned flags, const mount_attr& attributes) {
    return ::syscall(SYS_mount_setattr, folder, path, flags, &attributes, sizeof attributes) == 0;
}

bool make_read_only(int folder, const char* path, unsigned flags) {
    mount_attr read_only{};
    read_only.attr_set = MOUNT_ATTR_RDONLY;
    return set_attributes(folder, path, flags, read_only);
}

// Root may create one, others if they may create a user namespace, which they may be in already.
// Mounts of the host are propagated into it, its own mounts are not propagated.
bool enter_mount_namespace() {
    if (::unshare(CLONE_NEWNS) != 0 && !enter_user_namespace(CLONE_NEWNS)) return false;
    mount_attr slave{};
    slave.propagation = MS_SLAVE;
    return set_attributes(AT_FDCWD, "/", AT_RECURSIVE, slave);
}

// A detached copy of the mount at a path; mounting over the path later does not change it.
os::Descriptor clone_tree(const std::string& path) {
    return os::Descriptor(static_cast<int>(
        ::syscall(SYS_open_tree, AT_FDCWD, path.c_str(),
                  OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_SYMLINK_NOFOLLOW | AT_RECURSIVE)));
}

bool mount_at(const os::Descriptor& tree, const std::string& path) {
    return ::syscall(SYS_move_mount, tree.get(), "", AT_FDCWD, path.c_str(),
                     MOVE_MOUNT_F_EMPTY_PATH) == 0;
}

// Protects a link itself, not its target, which is an entry of its own.
bool mount_over_itself(const ProtectedEntry& entry) {
    const auto tree = clone_tree(entry.path);
    if (!tree) return false;
    if (entry.read_only && !make_read_only(tree.get(), "", AT_EMPTY_PATH | AT_RECURSIVE))
        return false;
    return mount_at(tree, entry.path);
}

// The visible parts of a hidden folder.
class VisibleParts {
public:
    explicit VisibleParts(const HiddenFolder& hidden) : folder_(hidden.path) {
        if (folder_.empty()) return;
        for (const auto& path : hidden.seen) keep(path, true);
        keep(hidden.written, false);
    }

    // An empty folder replaces the hidden one, and the visible parts are mounted into it.
    [[nodiscard]] Result<void> put_back() const {
        if (folder_.empty()) return {};
        // If this is unavailable, everything is visible, and read-only if a tool could write it.
        const bool is_empty = ::mount("toolhost", folder_.c_str(), "tmpfs", MS_NOSUID | MS_NODEV,
                                      "mode=0700,size=1m") == 0;
        boost::system::error_code fault;
        for (const auto& [path, tree] : parts_) {
            if (is_empty) boost::filesystem::create_directories(path, fault);
            if (!mount_at(tree, path)) return mount_failed(path);
        }
        if (is_empty && !make_read_only(AT_FDCWD, folder_.c_str(), 0)) return mount_failed(folder_);
        return {};
    }

private:
    void keep(const std::string& path, bool read_only) {
        if (!os::is_within(path, folder_)) return;
        auto tree = clone_tree(path);
        if (tree && (!read_only || make_read_only(tree.get(), "", AT_EMPTY_PATH | AT_RECURSIVE)))
            parts_.emplace_back(path, std::move(tree));
    }

    const std::string folder_;
    std::vector<std::pair<std::string, os::Descriptor>> parts_;
};

}  // namespace

std::vector<ProtectedEntry> protected_entries(const Confinement& confinement) {
    std::map<std::string, bool> found;
    const auto hold = [&](const os::PathWalk& walk, bool in_the_way) {
        for (const auto& entry : walk.entries) {
            const bool last = (walk.exists || in_the_way) && entry == walk.entries.back();
            const bool inside = std::any_of(confinement.write.begin(), confinement.write.end(),
                                            [&](const auto& folder) {
                                                // Only a locked granted folder is protected itself.
                                                return os::is_within(entry, folder) &&
                                                       (entry != folder || (last && in_the_way));
                                            });
            if (inside) found[entry] = found[entry] || last;
        }
    };
    for (const auto& path : confinement.host_files) hold(os::walk_path(path), false);
    // A missing file needs no protection. A worker that starts later checks again.
    struct stat info {};
    for (const auto& path : confinement.trusted_files) {
        if (::lstat(path.c_str(), &info) == 0) {
            hold(os::walk_path(path), false);
        } else if (errno == ENOTDIR || errno == EACCES) {
            // Protects the obstructing entry: a file, such as `.git` in a linked worktree, or a
            // locked folder, which its owner could unlock.
            hold(os::walk_path(path), true);
        }
    }
    std::vector<ProtectedEntry> entries;
    for (auto& [path, read_only] : found) entries.push_back({path, read_only});
    return entries;
}

Result<bool> mount_protected_entries(const std::vector<ProtectedEntry>& entries,
                                     const HiddenFolder& hidden) {
    if (!enter_mount_namespace()) return false;
    const VisibleParts seen(hidden);
    boost::system::error_code fault;
    const auto folder = boost::filesystem::current_path(fault);
    for (const auto& entry : entries)
        // A file that vanished meanwhile is noticed before the next call.
        if (!mount_over_itself(entry) && errno != ENOENT) return mount_failed(entry.path);
    if (auto done = seen.put_back(); !done) return done.error();
    // The working folder may now be hidden by a mount; entering it again by name reaches the mount.
    if ((fault || ::chdir(folder.c_str()) != 0) && ::chdir("/") != 0)
        return mount_failed(folder.string());
    return true;
}

bool mount_namespaces_work() {
    const pid_t child = ::fork();
    if (child < 0) return false;
    if (child == 0) ::_exit(enter_mount_namespace() ? 0 : 1);
    int status = 0;
    while (::waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return false;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace toolhost::sandbox
