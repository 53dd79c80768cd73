#include "access/access.hpp"

#include <fcntl.h>
#include <linux/openat2.h>
#include <stdlib.h>
#include <sys/syscall.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "access/link_walk.hpp"
#include "text/names.hpp"

namespace file_operations {
namespace {

namespace fs = std::filesystem;

std::string normal(const fs::path& path) {
    std::string text = path.lexically_normal().string();
    while (text.size() > 1 && text.back() == '/') text.pop_back();
    return text;
}

std::string without_links(const std::string& path) {
    char* found = ::realpath(path.c_str(), nullptr);
    if (!found) return path;
    std::string out = found;
    ::free(found);
    return out;
}

// The part of `path` below `folder`; nothing if it is elsewhere.
std::optional<std::string> beneath(std::string_view path, const std::string& folder) {
    if (folder == "/") return std::string(path.substr(1));
    if (path.substr(0, folder.size()) != folder) return std::nullopt;
    if (path.size() == folder.size()) return std::string();
    if (path[folder.size()] != '/') return std::nullopt;
    return std::string(path.substr(folder.size() + 1));
}

int open_without_links(int folder, const char* path, std::uint64_t flags) {
    open_how how{};
    how.flags = flags;
    how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS;
    return static_cast<int>(::syscall(SYS_openat2, folder, path, &how, sizeof how));
}

std::string name_of_kind(mode_t mode) {
    if (S_ISDIR(mode)) return "a folder";
    if (S_ISFIFO(mode)) return "a FIFO";
    if (S_ISSOCK(mode)) return "a socket";
    if (S_ISCHR(mode) || S_ISBLK(mode)) return "a device";
    return "not a regular file";
}

// Denials ignore case, because some file systems do not distinguish Site.KEY and site.key.
std::string folded(std::string_view text) {
    std::string out(text);
    for (char& c : out) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return out;
}

constexpr int folder_flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

}  // namespace

Refusal system_refusal(const std::string& what, int error) {
    std::string message = what + ": " + std::strerror(error);
    if (error == EACCES) message += " (by its mode or by the sandbox; see the profile's workspace)";
    return failed(message);
}

Outcome<Access> Access::open(const std::string& workspace, const Rules& rules) {
    Access access;
    access.workspace_ = normal(workspace);
    access.rules_ = rules;
    for (const std::string& glob : rules.denied_globs) access.denied_.emplace_back(folded(glob));
    for (const std::string& root : rules.roots) {
        const std::string text = normal(fs::path(access.workspace_) / root);
        Descriptor folder(::open(text.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
        if (!folder) return system_refusal("the policy's root " + shown_name(text), errno);
        access.roots_.push_back({text, without_links(text), std::move(folder)});
    }
    return access;
}

Outcome<std::string> Access::absolute_text(std::string_view text) const {
    if (text.find('\0') != std::string_view::npos) {
        return bad_input("/path", "a path must not contain a NUL character");
    }
    fs::path path(text);
    if (text == "~" || text.substr(0, 2) == "~/") {
        if (rules_.home.empty()) {
            return denied(
                "path_not_allowed",
                "~ is not supported: set `home` in the policy of this tool to a folder inside its "
                "roots, or use an absolute path or one relative to the workspace");
        }
        path = fs::path(workspace_) / rules_.home / text.substr(text.size() > 1 ? 2 : 1);
    }
    return normal(fs::path(workspace_) / path);
}

std::optional<Access::Start> Access::start_of(std::string_view path) const {
    // The closest root: paths below its descriptor are the shortest.
    std::optional<Start> best;
    for (std::size_t i = 0; i < roots_.size(); ++i) {
        for (const std::string* folder : {&roots_[i].text, &roots_[i].real}) {
            auto rest = beneath(path, *folder);
            if (rest && (!best || rest->size() < best->rest.size())) best = Start{i, *rest};
        }
    }
    return best;
}

// A single system call for the common path without links.
std::optional<Place> Access::walk_quickly(const Start& start) const {
    Place place;
    place.root = start.root;
    place.path = start.rest;
    const int root = roots_[start.root].folder.get();
    const auto slash = start.rest.rfind('/');
    const std::string folder =
        slash == std::string::npos ? std::string(".") : start.rest.substr(0, slash);
    place.name = start.rest.empty() ? "." : std::string(last_name(start.rest));
    place.folder =
        Descriptor(open_without_links(root, folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!place.folder) return std::nullopt;
    place.exists =
        ::fstatat(place.folder.get(), place.name.c_str(), &place.status, AT_SYMLINK_NOFOLLOW) == 0;
    if (!place.exists && errno != ENOENT) return std::nullopt;
    if (place.exists && S_ISLNK(place.status.st_mode)) return std::nullopt;
    return place;
}

Outcome<Place> Access::walk(const Start& start, std::string_view text) const {
    if (auto place = walk_quickly(start)) return std::move(*place);
    LinkWalk walk([this](std::string_view target) -> std::optional<WalkStart> {
        const auto there = start_of(target);
        if (!there) return std::nullopt;
        return WalkStart{there->root, roots_[there->root].folder.get(), there->rest};
    });
    auto end = walk.go({start.root, roots_[start.root].folder.get(), start.rest});
    if (end) return end;
    Refusal refusal = end.failure();
    refusal.message = shown_name(text) + ": " + refusal.message;
    return refusal;
}

Outcome<Place> Access::find(std::string_view text, Purpose purpose) const {
    const auto path = absolute_text(text);
    if (!path) return path.failure();
    const auto start = start_of(*path);
    if (!start) {
        return denied("path_not_allowed",
                      shown_name(text) + " is outside the folders that the policy allows");
    }
    // Checked first, because no setting of this tool can override this rule.
    if (purpose == Purpose::write) {
        if (auto refusal = judge_writing(start->root, start->rest)) return *refusal;
    }
    // Before any access, so that the existence of a forbidden file is not revealed.
    if (auto refusal = judge(start->root, start->rest, true)) return *refusal;
    auto place = walk(*start, text);
    if (!place) {
        // Before folders are created for a file that may not exist.
        if (purpose == Purpose::write) {
            if (auto refusal = judge(start->root, start->rest, false)) return *refusal;
        }
        return place;
    }
    const bool is_folder =
        place->exists ? S_ISDIR(place->status.st_mode) != 0 : purpose == Purpose::make_folder;
    if (auto refusal = judge(place->root, place->path, is_folder)) return *refusal;
    // Checks the target of links.
    if (purpose == Purpose::write) {
        if (auto refusal = judge_writing(place->root, place->path)) return *refusal;
    }
    if (purpose != Purpose::read && rules_.read_only) {
        return denied("read_only", "the policy has read_only: true, so nothing is written");
    }
    // Names are displayed escaped, so the caller may use an escaped name.
    if (!place->exists && text.find('\\') != std::string_view::npos) {
        const std::string bytes = name_bytes(text);
        if (bytes != text) {
            auto again = find(bytes, purpose);
            if (again && again->exists) return again;
        }
    }
    return place;
}

Outcome<Descriptor> Access::open_file(const Place& place) const {
    const std::string name = shown(place);
    if (!place.exists) return failed(name + ": no such file");
    if (!S_ISREG(place.status.st_mode)) {
        return failed(name + " is " + name_of_kind(place.status.st_mode) + ", which is not opened");
    }
    // If it has become a FIFO or a terminal meanwhile, this neither blocks nor makes it the
    // controlling terminal.
    Descriptor file(::openat(place.folder.get(), place.name.c_str(),
                             O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW | O_CLOEXEC));
    if (!file) return system_refusal(name, errno);
    struct stat now {};
    if (::fstat(file.get(), &now) != 0) return system_refusal(name, errno);
    if (!S_ISREG(now.st_mode)) return failed(name + " is " + name_of_kind(now.st_mode));
    return file;
}

Outcome<Descriptor> Access::open_folder(const Place& place) const {
    const std::string name = shown(place);
    if (!place.exists) return failed(name + ": no such folder");
    Descriptor folder(::openat(place.folder.get(), place.name.c_str(), folder_flags));
    if (!folder) return system_refusal(name, errno);
    return folder;
}

Outcome<Descriptor> Access::open_folder(std::size_t root, const std::string& path) const {
    const int from = roots_[root].folder.get();
    const char* text = path.empty() ? "." : path.c_str();
    Descriptor folder(open_without_links(from, text, folder_flags));
    if (!folder && errno == ENOSYS) {
        auto place = walk({root, path}, path);
        if (!place) return place.failure();
        return open_folder(*place);
    }
    if (!folder) return system_refusal(shown(root, path), errno);
    return folder;
}

std::optional<Refusal> Access::judge(std::size_t root, std::string_view path,
                                     bool is_folder) const {
    const std::string name = shown(root, path);
    std::size_t end = 0;
    while (end < path.size()) {
        const std::size_t begin = end;
        end = std::min(path.find('/', begin), path.size());
        if (path[begin] == '.' && !rules_.allow_hidden) {
            return denied("hidden_not_allowed",
                          name + " is hidden, and the policy's allow_hidden is false");
        }
        if (any_matches(denied_, folded(path.substr(0, end)))) {
            return denied("path_not_allowed", name + " matches the policy's denied_globs");
        }
        if (end < path.size()) ++end;
    }
    const auto& extensions = rules_.allowed_extensions;
    if (is_folder || extensions.empty()) return std::nullopt;
    const std::string_view last = last_name(path);
    const auto dot = last.rfind('.');
    const std::string extension(dot == std::string_view::npos ? "" : last.substr(dot));
    if (std::find(extensions.begin(), extensions.end(), extension) != extensions.end()) {
        return std::nullopt;
    }
    return denied("extension_not_allowed",
                  name + " has the extension '" + shown_name(extension) +
                      "', which is not in the policy's allowed_extensions");
}

std::optional<Refusal> Access::judge_writing(std::size_t root, std::string_view path) const {
    if (!rules_.protected_paths.protects(path, roots_[root].real)) return std::nullopt;
    return denied(
        "protected_path",
        shown(root, path) +
            " is not written: other programs run or trust it, or it belongs to toolhost. Write to "
            "another file, or ask the operator to add it to the profile's unprotect");
}

bool Access::allows_name(std::string_view path, std::string_view name, bool is_folder) const {
    if (name[0] == '.' && !rules_.allow_hidden) return false;
    if (!denied_.empty() && any_matches(denied_, folded(path))) return false;
    const auto& extensions = rules_.allowed_extensions;
    if (is_folder || extensions.empty()) return true;
    const auto dot = name.rfind('.');
    const std::string_view extension =
        dot == std::string_view::npos ? std::string_view() : name.substr(dot);
    return std::find(extensions.begin(), extensions.end(), extension) != extensions.end();
}

std::string Access::absolute(std::size_t root, std::string_view path) const {
    const std::string& folder = roots_[root].real;
    if (path.empty()) return folder;
    return (folder == "/" ? folder : folder + '/') + std::string(path);
}

std::string Access::shown(std::size_t root, std::string_view path) const {
    std::string whole = roots_[root].text;
    if (!path.empty()) whole += (whole == "/" ? "" : "/") + std::string(path);
    if (auto rest = beneath(whole, workspace_)) return rest->empty() ? "." : shown_name(*rest);
    return shown_name(whole);
}

bool Access::is_inside(std::string_view real_path) const {
    return std::any_of(roots_.begin(), roots_.end(),
                       [&](const Root& root) { return beneath(real_path, root.real).has_value(); });
}

}  // namespace file_operations
