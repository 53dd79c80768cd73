#include "access/link_walk.hpp"

#include <fcntl.h>
#include <linux/limits.h>

#include <cerrno>
#include <filesystem>

namespace file_operations {
namespace {

constexpr int max_links = 40;  // the kernel's limit

Refusal outside_error() {
    return denied("path_not_allowed", "leaves the folders that the policy allows");
}

}  // namespace

std::optional<Refusal> LinkWalk::begin(const WalkStart& start) {
    root_ = start.root;
    way_.clear();
    Descriptor folder(::openat(start.folder, ".", O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!folder) return system_refusal("cannot open the root", errno);
    way_.push_back({"", std::move(folder)});
    const auto names = split_path(start.rest);
    to_walk_.insert(to_walk_.end(), names.rbegin(), names.rend());
    return std::nullopt;
}

std::optional<Refusal> LinkWalk::follow(const std::string& target) {
    if (++links_ > max_links) return failed("too many links; they may form a cycle");
    if (target.empty() || target[0] != '/') {
        const auto names = split_path(target);
        to_walk_.insert(to_walk_.end(), names.rbegin(), names.rend());
        return std::nullopt;
    }
    const auto there = find_root_(std::filesystem::path(target).lexically_normal().string());
    if (!there) return outside_error();
    return begin(*there);
}

std::optional<Refusal> LinkWalk::step(const std::string& name) {
    if (name == "..") {
        if (way_.size() == 1) return outside_error();
        way_.pop_back();
        return std::nullopt;
    }
    const int folder = way_.back().folder.get();
    Descriptor here(::openat(folder, name.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
    if (!here && errno == ENOENT && to_walk_.empty()) {
        last_ = name;
        return std::nullopt;
    }
    if (!here) {
        if (errno == ENOENT) return failed("no such folder '" + name + "' in the path");
        return system_refusal("cannot enter '" + name + "'", errno);
    }
    struct stat status {};
    if (::fstat(here.get(), &status) != 0) return system_refusal(name, errno);
    if (S_ISLNK(status.st_mode)) {
        std::string target(PATH_MAX, '\0');
        const ssize_t size = ::readlinkat(here.get(), "", target.data(), target.size());
        if (size < 0) return system_refusal("cannot read the link '" + name + "'", errno);
        target.resize(static_cast<std::size_t>(size));
        return follow(target);
    }
    if (S_ISDIR(status.st_mode)) {
        way_.push_back({name, std::move(here)});
        return std::nullopt;
    }
    if (!to_walk_.empty()) return failed("'" + name + "' in the path is not a folder");
    last_ = name;
    last_status_ = status;
    return std::nullopt;
}

std::string LinkWalk::path() const {
    std::string out;
    for (std::size_t i = 1; i < way_.size(); ++i) out += (i > 1 ? "/" : "") + way_[i].name;
    if (!last_.empty()) out += (out.empty() ? "" : "/") + last_;
    return out;
}

Outcome<Place> LinkWalk::go(const WalkStart& start) {
    if (auto refusal = begin(start)) return *refusal;
    while (!to_walk_.empty()) {
        const std::string name = std::move(to_walk_.back());
        to_walk_.pop_back();
        if (auto refusal = step(name)) return *refusal;
    }
    Place place;
    place.root = root_;
    place.path = path();
    if (!last_.empty()) {
        place.name = last_;
        place.exists = last_status_.has_value();
        if (last_status_) place.status = *last_status_;
    } else {
        // The result is a folder, which is named "." in itself.
        place.name = ".";
        place.exists = ::fstat(way_.back().folder.get(), &place.status) == 0;
    }
    place.folder = std::move(way_.back().folder);
    return place;
}

}  // namespace file_operations
