// Holds the current catalogue. Readers take a snapshot and never wait; writers replace it as a
// whole.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "host/base/atomic_shared.hpp"
#include "host/base/mutex.hpp"
#include "host/registry/catalogue.hpp"

namespace toolhost::registry {

using Snapshot = std::shared_ptr<const Catalogue>;
using Draft = std::vector<Tool>;

class Registry {
public:
    Registry() : current_(std::make_shared<const Catalogue>()) {}

    // The current catalogue. A call keeps its snapshot, and with it the library it started with.
    [[nodiscard]] Snapshot snapshot() const;

    // Applies `edit` to a draft, all or nothing: if it fails or throws, the draft is discarded.
    // Writers take turns; readers see the old or the new catalogue. Shadowed tools are at the end
    // of the draft: they appear when the tool that shadows them is removed.
    Result<Snapshot> change(const std::function<Result<void>(Draft&)>& edit);

private:
    Mutex writers_;
    AtomicShared<const Catalogue> current_;
};

}  // namespace toolhost::registry
