// Where plugin code runs. The interface says nothing of processes, so that a call does not know.
#pragma once

#include <memory>

#include "host/loading/invocation.hpp"
#include "host/registry/catalogue.hpp"
#include "host/worker/known_slot.hpp"
#include "host/worker/worker_config.hpp"

namespace toolhost::runtime {

enum class Isolation { in_process, process };

// One invocation, and where it is to run.
struct PlacedInvocation : loading::Invocation {
    Isolation isolation = Isolation::in_process;
    sandbox::Enforcement sandbox = sandbox::Enforcement::off;
    const worker::WorkerConfig* config = nullptr;  // of a call in a worker process
    worker::KnownSlot* slot = nullptr;             // its place, once found; null: looked up
    bool may_call_tools = true;                    // through the host

    // The principal, or without one the caller.
    [[nodiscard]] std::string_view who() const { return principal.empty() ? caller : principal; }
};

// A call while a runtime runs it.
class PluginCall : public loading::CallHost {
public:
    // The end of it, exactly once. An error means that there is no outcome: the code could not be
    // entered (plugin_unavailable), or it is waited for no longer (timeout, cancelled). The code
    // may still run then, and call the functions of CallHost.
    virtual void ended(const Result<loading::Outcome>& outcome) = 0;
};

class Runtime {
public:
    virtual ~Runtime() = default;
    // Runs one call, from any thread. Where can_keep_threads(), it may end on another thread while
    // this one is still in the plugin's code.
    virtual void invoke(const registry::Library& library, const PlacedInvocation& invocation,
                        std::shared_ptr<PluginCall> call, const loading::Stop& stop) = 0;
    // Starts one call without waiting for it, where that can be done at once; it ends on another
    // thread. False: nothing was done, and invoke() is to be called.
    [[nodiscard]] virtual bool try_post(const registry::Library& /*library*/,
                                        const PlacedInvocation& /*invocation*/,
                                        const std::shared_ptr<PluginCall>& /*call*/,
                                        const loading::Stop& /*stop*/) {
        return false;
    }
    // Foreign code runs on the caller's thread, and may never give it back.
    [[nodiscard]] virtual bool can_keep_threads(Isolation isolation) const = 0;
};

}  // namespace toolhost::runtime
