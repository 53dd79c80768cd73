#include "host/runtime/new_files.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>

namespace toolhost::runtime {

void tell_new_files(worker::WorkerFiles& files, const sandbox::ProtectedState& now,
                    const worker::WorkerSlot& slot, const sandbox::Confinement& confinement,
                    loading::CallHost& host) {
    const auto made = files.new_in(now, confinement);
    if (made.empty()) return;
    const auto told = std::min(made.size(), loading::kMaxFilesTold);
    for (std::size_t i = 0; i < told; ++i)
        spdlog::warn("{} appeared while {} ran; other programs run or trust it: inspect it first",
                     made[i], slot.library.path);
    if (told < made.size()) spdlog::warn("{} more such files appeared", made.size() - told);
    host.trusted_files_appeared(made);
}

void look_for_new_files(worker::WorkerFiles& files, const worker::WorkerSlot& slot,
                        const sandbox::Confinement& confinement, loading::CallHost& host,
                        const loading::Stop& stop) {
    if (confinement.trusted_files.empty()) return;
    auto now = slot.look(confinement, host.deadline(), stop.cancel);
    if (!now) now.emplace(confinement, slot.tree->known());
    tell_new_files(files, *now, slot, confinement, host);
}

}  // namespace toolhost::runtime
