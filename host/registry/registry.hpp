// Holds the catalogue in force. Readers take a snapshot and never wait; writers replace it whole.
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

    // What is in force now. A call keeps its snapshot, and with it the library it started with.
    [[nodiscard]] Snapshot snapshot() const;

    // All or nothing: `edit` works on a draft; if it fails or throws, the draft is dropped and
    // nothing has changed. Writers take turns; readers see the old or the new catalogue. The draft
    // ends with the shadowed tools, which appear when what shadows them is removed.
    Result<Snapshot> change(const std::function<Result<void>(Draft&)>& edit);

private:
    Mutex writers_;
    AtomicShared<const Catalogue> current_;
};

}  // namespace toolhost::registry
