#include "host/worker/principal_crashes.hpp"

#include <algorithm>

namespace toolhost::worker {
namespace {

// Principals, and callers without one, come and go without end.
constexpr std::size_t kMaxEntries = 1024;

std::string key_of(const CrashScope& scope) {
    std::string key;
    for (const auto* part : {&scope.path, &scope.identity, &scope.confinement, &scope.principal})
        key.append(*part).push_back('\0');
    return key;
}

}  // namespace

const CrashEntry* PrincipalCrashes::find(const CrashScope& scope) {
    if (entries_.empty()) return nullptr;
    const auto own = entries_.find(key_of(scope));
    if (own == entries_.end()) return nullptr;
    own->second.drop_old(own->second.window);
    if (!own->second.times.empty()) return &own->second;
    entries_.erase(own);  // its window is over
    return nullptr;
}

CrashHistory PrincipalCrashes::note(const CrashScope& scope, const std::string& reason,
                                    std::uint32_t most, std::chrono::seconds window,
                                    bool may_quarantine) {
    if (entries_.size() >= kMaxEntries) forget_old();
    auto& entry = entries_.try_emplace(key_of(scope), Entry{CrashEntry::of(scope)}).first->second;
    entry.window = window;
    entry.drop_old(window);
    if (entry.times.empty()) entry.since.clear();  // that quarantine is over
    entry.add_crash(reason, most, window, may_quarantine);
    return entry.history();
}

void PrincipalCrashes::forget(const std::string& path) {
    std::erase_if(entries_, [&](const auto& one) { return one.second.path == path; });
}

// Those whose window is over; if that makes no room, the one that crashed longest ago.
void PrincipalCrashes::forget_old() {
    for (auto it = entries_.begin(); it != entries_.end();) {
        it->second.drop_old(it->second.window);
        it = it->second.times.empty() ? entries_.erase(it) : std::next(it);
    }
    if (entries_.size() < kMaxEntries) return;
    entries_.erase(std::ranges::min_element(
        entries_, {}, [](const auto& one) { return one.second.times.back(); }));
}

}  // namespace toolhost::worker
