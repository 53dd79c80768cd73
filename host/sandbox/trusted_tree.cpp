#include "host/sandbox/trusted_tree.hpp"

#include <spdlog/spdlog.h>
#include <sys/stat.h>

#include <algorithm>

#include "host/os/timed_wait.hpp"

namespace toolhost::sandbox {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMaxLinkWarnings = 1000;

bool is_hard_linked(const std::string& path) {
    struct stat info {};
    return ::lstat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) && info.st_nlink > 1;
}

}  // namespace

// Marks a tree as being walked until the end of the scope.
class TrustedTree::Turn {
public:
    explicit Turn(TrustedTree& tree) REQUIRES(tree.mutex_) : tree_(tree) { tree_.walking_ = true; }
    ~Turn() {
        {
            const MutexLock lock(tree_.mutex_);
            tree_.walking_ = false;
        }
        tree_.changed_.notify_all();
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

private:
    TrustedTree& tree_;
};

TrustedTree::TrustedTree(const Confinement& confinement, std::shared_ptr<FoundFiles> files)
    : confinement_(confinement), files_(std::move(files)) {
    if (!confinement.trusted_names.empty() && confinement.sandbox != Enforcement::off) return;
    known_ = std::make_shared<const NestedFiles>();
    next_ = Clock::time_point::max();
}

NestedFilesPtr TrustedTree::known() const {
    const MutexLock lock(mutex_);
    return known_;
}

NestedFilesPtr TrustedTree::look(const os::Deadline& deadline, const std::stop_token& cancel) {
    MutexLock lock(mutex_);
    if (known_ && (walking_ || Clock::now() < next_)) return known_;
    if (!os::wait_for(changed_, lock, deadline, cancel,
                      [&]() REQUIRES(mutex_) { return !walking_; }))
        return nullptr;
    if (known_ && Clock::now() < next_) return known_;  // found by the walk that it waited for
    const auto before = known_ ? known_ : std::make_shared<const NestedFiles>();
    const Turn turn(*this);
    lock.unlock();
    return walk({kMaxWalkTime, deadline, cancel}, *before);
}

NestedFilesPtr TrustedTree::walk(const WalkEnd& end, const NestedFiles& before) {
    const auto start = Clock::now();
    auto found = std::make_shared<NestedFiles>(find_nested_files(confinement_, end));
    const bool ended_early = !found->complete && end.unwanted();
    files_->merge(confinement_, before, *found);
    if (ended_early) return nullptr;
    warn_of(*found);
    const auto now = Clock::now();
    const MutexLock lock(mutex_);
    known_ = found;
    next_ = now + kRest * (now - start);
    return known_;
}

void TrustedTree::warn_of(const NestedFiles& found) {
    if (!found.complete && !std::exchange(warned_, true))
        spdlog::warn(
            "cannot find all files that other programs trust in a folder that tools may write: it "
            "is too large or partly unreadable ({} folders searched); files that were not found "
            "are "
            "not protected; set a smaller workspace in the profile",
            found.folders);
    std::vector<std::string> linked;
    for (const auto* list : {&confinement_.host_files, &confinement_.trusted_files, &found.paths})
        for (const auto& path : *list)
            if (linked_.size() < kMaxLinkWarnings && is_hard_linked(path) &&
                linked_.insert(path).second)
                linked.push_back(path);
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
    if (confinement.sandbox == Enforcement::off) key.clear();  // nothing is searched
    const MutexLock lock(mutex_);
    if (const auto known = trees_.find(key); known != trees_.end()) return known->second;
    // Removes a tree that no worker uses. The files that it found are kept.
    if (trees_.size() >= kMax)
        if (const auto unused = std::ranges::find_if(
                trees_, [](const auto& e) { return e.second.use_count() == 1; });
            unused != trees_.end())
            trees_.erase(unused);
    return trees_[key] = std::make_shared<TrustedTree>(confinement, files_);
}

std::size_t TrustedTrees::size() const {
    const MutexLock lock(mutex_);
    return trees_.size();
}

}  // namespace toolhost::sandbox
