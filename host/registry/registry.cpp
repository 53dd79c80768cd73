#include "host/registry/registry.hpp"

namespace toolhost::registry {

Snapshot Registry::snapshot() const {
    return current_.load();
}

Result<Snapshot> Registry::change(const std::function<Result<void>(Draft&)>& edit) {
    MutexLock turn(writers_);
    auto before = snapshot();
    Draft draft(before->all().begin(), before->all().end());
    for (const auto& shadowed : before->shadowed()) draft.push_back(shadowed.tool);
    if (auto edited = edit(draft); !edited) return edited.error();
    auto after = std::make_shared<const Catalogue>(std::move(draft));
    current_.store(after);
    return Snapshot(after);
}

}  // namespace toolhost::registry
