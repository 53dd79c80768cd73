// Where plugin code runs. The interface says nothing of processes, so that a call does not know.
#pragma once

#include <functional>
#include <memory>

#include "host/loading/invocation.hpp"
#include "host/registry/catalogue.hpp"
#include "host/worker/worker_config.hpp"

namespace toolhost::runtime {

enum class Isolation { in_process, process };

// One invocation, and where it is to run.
struct PlacedInvocation : loading::Invocation {
    Isolation isolation = Isolation::in_process;
    sandbox::Enforcement sandbox = sandbox::Enforcement::off;
    const worker::WorkerConfig* config = nullptr;  // of a call in a worker process
};

// An error means that there is no outcome: the code could not be entered (plugin_unavailable), or
// it is waited for no longer (timeout, cancelled).
using Done = std::function<void(const Result<loading::Outcome>&)>;

class Runtime {
public:
    virtual ~Runtime() = default;
    // Runs one call, from any thread, and calls `done` exactly once. Where can_keep_threads(), that
    // may happen on another thread while this one is still in the plugin's code.
    virtual void invoke(const registry::Library& library, PlacedInvocation invocation,
                        std::shared_ptr<loading::CallHost> host, const loading::Stop& stop,
                        Done done) = 0;
    // Foreign code runs on the caller's thread, and may never give it back.
    [[nodiscard]] virtual bool can_keep_threads(Isolation isolation) const = 0;
};

}  // namespace toolhost::runtime
