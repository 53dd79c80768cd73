#include "host/sandbox/trusted_tree.hpp"

#include <spdlog/spdlog.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>

namespace toolhost::sandbox {
namespace {

using Clock = std::chrono::steady_clock;

// What was found before and still exists stays, also where this walk did not reach it: a tool can
// fill a tree until a bound is reached, or lock a folder on the way.
void keep_known(const NestedFiles& before, NestedFiles& found) {
    std::vector<std::string> kept, added;
    struct stat info {};
    for (const auto& path : before.paths)
        if (::lstat(path.c_str(), &info) == 0 || errno == EACCES) kept.push_back(path);
    std::ranges::set_difference(found.paths, kept, std::back_inserter(added));
    const auto room = kMostNestedFiles - std::min(kMostNestedFiles, kept.size());
    if (added.size() > room) {
        added.resize(room);
        found.complete = false;
    }
    found.paths.clear();
    std::ranges::merge(kept, added, std::back_inserter(found.paths));
}

bool is_hard_linked(const std::string& path) {
    struct stat info {};
    return ::lstat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) && info.st_nlink > 1;
}

}  // namespace

TrustedTree::TrustedTree(const Confinement& confinement) : confinement_(confinement) {
    if (!confinement.trusted_names.empty() && confinement.sandbox != Enforcement::off) return;
    known_ = std::make_shared<const NestedFiles>();
    next_ = Clock::time_point::max();
}

NestedFilesPtr TrustedTree::known() const {
    const MutexLock lock(mutex_);
    return known_;
}

NestedFilesPtr TrustedTree::look() {
    {
        const MutexLock lock(mutex_);
        if (known_ && Clock::now() < next_) return known_;
    }
    if (walking_.try_lock()) {
        const MutexLock walking(walking_, std::adopt_lock);
        return walk();
    }
    if (auto found = known()) return found;
    const MutexLock walking(walking_);
    if (auto found = known()) return found;
    return walk();
}

NestedFilesPtr TrustedTree::walk() {
    const auto start = Clock::now();
    auto found = std::make_shared<NestedFiles>(find_nested_files(confinement_));
    if (const auto before = known()) keep_known(*before, *found);
    warn_of(*found);
    const auto end = Clock::now();
    const MutexLock lock(mutex_);
    known_ = found;
    next_ = end + kRest * (end - start);
    return known_;
}

void TrustedTree::warn_of(const NestedFiles& found) {
    if (!found.complete && !std::exchange(told_, true))
        spdlog::warn(
            "a folder that tools can write is too large to search for files that other programs "
            "trust ({} folders searched): deeper files are not protected; set a smaller workspace "
            "in the profile",
            found.folders);
    std::vector<std::string> linked;
    for (const auto* list : {&confinement_.host_files, &confinement_.trusted_files, &found.paths})
        for (const auto& path : *list)
            if (is_hard_linked(path) && linked_.insert(path).second) linked.push_back(path);
    if (linked.empty()) return;
    const auto more = linked.size() - 1;
    spdlog::warn(
        "{}{}: another hard link exists, through which a tool may be able to write the file",
        linked.front(), more == 0 ? "" : " and " + std::to_string(more) + " other files");
}

std::shared_ptr<TrustedTree> TrustedTrees::of(const Confinement& confinement) {
    std::string key;
    for (const auto* list : {&confinement.write, &confinement.trusted_names,
                             &confinement.trusted_files, &confinement.host_files}) {
        for (const auto& text : *list) key += text + '\0';
        key += '\0';
    }
    if (confinement.sandbox == Enforcement::off) key.clear();  // nothing is looked for
    const MutexLock lock(mutex_);
    std::erase_if(trees_, [](const auto& entry) { return entry.second.expired(); });
    auto& known = trees_[key];
    auto tree = known.lock();
    if (!tree) known = tree = std::make_shared<TrustedTree>(confinement);
    return tree;
}

}  // namespace toolhost::sandbox
