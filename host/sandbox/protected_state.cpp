#include "host/sandbox/protected_state.hpp"

#include <fcntl.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>

#include <algorithm>
#include <boost/filesystem/operations.hpp>
#include <cerrno>

#include "host/os/descriptor.hpp"
#include "host/os/path_walk.hpp"

namespace toolhost::sandbox {
namespace {

namespace fs = boost::filesystem;

// Returns false if the file is missing. A file system without birth times gives zeros.
bool identify(const char* path, int how, std::uint64_t* to, bool& link) {
    struct statx info {};
    if (::statx(AT_FDCWD, path, how, STATX_TYPE | STATX_INO | STATX_BTIME, &info) != 0)
        return false;
    to[0] = (std::uint64_t{info.stx_dev_major} << 32) | info.stx_dev_minor;
    to[1] = info.stx_ino;
    to[2] =
        static_cast<std::uint64_t>(info.stx_btime.tv_sec) * 1'000'000'000 + info.stx_btime.tv_nsec;
    link = S_ISLNK(info.stx_mode);
    return true;
}

// 0700, as the XDG specification requires.
bool make_folders(const fs::path& path) {
    boost::system::error_code fault;
    if (fs::exists(path, fault)) return true;
    if (path.has_parent_path() && path != path.root_path() && !make_folders(path.parent_path()))
        return false;
    return ::mkdir(path.c_str(), S_IRWXU) == 0 || errno == EEXIST;
}

bool make_file(const std::string& path) {
    const os::Descriptor file(
        ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR));
    return file || errno == EEXIST;
}

}  // namespace

ProtectedState::ProtectedState() : nested_(std::make_shared<const NestedFiles>()) {}

ProtectedState::ProtectedState(const Confinement& confinement, NestedFilesPtr nested)
    : ProtectedState() {
    if (confinement.sandbox == Enforcement::off) return;
    trusted_ = identities(confinement.trusted_files);
    host_ = identities(confinement.host_files);
    if (!nested) return;
    nested_ = std::move(nested);
    nested_files_ = identities(nested_->paths);
}

std::vector<ProtectedState::Identity> ProtectedState::identities(
    const std::vector<std::string>& paths) {
    std::vector<Identity> out;
    out.reserve(paths.size());
    for (const auto& path : paths) {
        Identity identity{};
        bool link = false;
        if (identify(path.c_str(), AT_SYMLINK_NOFOLLOW, identity.data(), link)) {
            if (link) identify(path.c_str(), 0, identity.data() + 3, link);
        } else if (errno == ENOTDIR || errno == EACCES) {
            // An obstructing file or locked folder is protected itself.
            if (const auto walk = os::walk_path(path); !walk.entries.empty())
                identify(walk.entries.back().c_str(), AT_SYMLINK_NOFOLLOW, identity.data(), link);
        }
        out.push_back(identity);
    }
    return out;
}

bool ProtectedState::operator==(const ProtectedState& other) const {
    return trusted_ == other.trusted_ && host_ == other.host_ &&
           nested_files_ == other.nested_files_ &&
           (nested_ == other.nested_ ||
            (nested_->paths == other.nested_->paths && nested_->locked == other.nested_->locked));
}

std::vector<std::string> ProtectedState::new_since(const ProtectedState& before,
                                                   const Confinement& confinement) const {
    std::vector<std::string> out;
    const Identity missing{};
    for (std::size_t i = 0; i < std::min(trusted_.size(), before.trusted_.size()); ++i)
        if (before.trusted_[i] == missing && trusted_[i] != missing)
            out.push_back(confinement.trusted_files[i]);
    std::ranges::set_difference(nested_->paths, before.nested_->paths, std::back_inserter(out));
    return out;
}

Confinement ProtectedState::with_nested(Confinement confinement) const {
    for (const auto* list : {&nested_->paths, &nested_->locked})
        confinement.trusted_files.insert(confinement.trusted_files.end(), list->begin(),
                                         list->end());
    return confinement;
}

Result<void> make_host_files(const Confinement& confinement) {
    if (confinement.sandbox == Enforcement::off) return {};
    for (const auto& path : confinement.host_files) {
        const bool folder = path.ends_with('/');
        if (!folder &&
            std::ranges::find(confinement.created_files, path) == confinement.created_files.end())
            continue;
        const auto walk = os::walk_path(path);
        if (walk.exists) continue;
        const auto& reached = walk.entries.empty() ? "/" : walk.entries.back();
        const auto writable = [&](const auto& opened) { return os::is_within(reached, opened); };
        if (std::none_of(confinement.write.begin(), confinement.write.end(), writable)) continue;
        // The parent of a path that ends in '/' is the folder itself.
        if (make_folders(fs::path(path).parent_path()) && (folder || make_file(path))) continue;
        const auto why = os::system_message(errno);
        spdlog::warn("cannot create {}: {}", path, why);
        return Error{ErrorCode::sandbox_unavailable,
                     "a file or folder of toolhost in the workspace is missing and cannot be "
                     "created: " +
                         why + "; set another workspace in the profile",
                     {}};
    }
    return {};
}

}  // namespace toolhost::sandbox
