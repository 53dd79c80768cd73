// Both ways to run a plugin; a call's isolation says which.
#pragma once

#include "host/runtime/in_process.hpp"
#include "host/runtime/isolated.hpp"

namespace toolhost::runtime {

class Runtimes : public Runtime {
public:
    explicit Runtimes(const IsolatedOptions& options)
        : in_process_(options.copies), isolated_(options) {}

    void invoke(const registry::Library& library, const PlacedInvocation& invocation,
                std::shared_ptr<PluginCall> call, const loading::Stop& stop) override {
        if (invocation.isolation == Isolation::process)
            return isolated_.invoke(library, invocation, std::move(call), stop);
        isolated_.posted().wake_workers();  // this thread may now be away for long
        in_process_.invoke(library, invocation, std::move(call), stop);
    }
    [[nodiscard]] bool try_post(const registry::Library& library,
                                const PlacedInvocation& invocation,
                                const std::shared_ptr<PluginCall>& call,
                                const loading::Stop& stop) override {
        return invocation.isolation == Isolation::process &&
               isolated_.try_post(library, invocation, call, stop);
    }
    [[nodiscard]] bool can_keep_threads(Isolation isolation) const override {
        return isolation == Isolation::in_process;
    }

    [[nodiscard]] InProcess& in_process() { return in_process_; }
    [[nodiscard]] Isolated& isolated() { return isolated_; }
    [[nodiscard]] const Isolated& isolated() const { return isolated_; }

private:
    InProcess in_process_;
    Isolated isolated_;
};

}  // namespace toolhost::runtime
