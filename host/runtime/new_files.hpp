// Tells of files that other programs trust and that appeared while a tool could write. The kernel
// holds no name that is not there yet, so a program that the tool ran may have made them.
#pragma once

#include "host/loading/invocation.hpp"
#include "host/worker/worker_slot.hpp"

namespace toolhost::runtime {

// Those of `now` that the worker with these files does not hold.
void tell_new_files(worker::WorkerFiles& files, const sandbox::ProtectedState& now,
                    const worker::WorkerSlot& slot, const sandbox::Confinement& confinement,
                    loading::CallHost& host);

// After a call. If it has no time left for a search, as of the last one: the next call looks.
void look_for_new_files(worker::WorkerFiles& files, const worker::WorkerSlot& slot,
                        const sandbox::Confinement& confinement, loading::CallHost& host,
                        const loading::Stop& stop);

}  // namespace toolhost::runtime
