// The output of a worker, read as it arrives and limited in size.
#pragma once

#include <string>

#include "host/base/mutex.hpp"
#include "host/os/descriptor.hpp"

namespace toolhost::worker {

class WorkerOutput {
public:
    explicit WorkerOutput(os::Descriptor pipe) : pipe_(std::move(pipe)) {}

    [[nodiscard]] int descriptor() const { return pipe_.get(); }
    // Takes what is there, so that the worker never waits for a reader. From any thread.
    void drain();
    // What came since it was last asked for, the beginning of it if that was much.
    [[nodiscard]] std::string take();
    // The last lines of all.
    [[nodiscard]] std::string tail();

private:
    void drain_locked() REQUIRES(mutex_);

    static constexpr std::size_t kMaxTaken = 16u << 10, kMaxTail = 2u << 10;
    const os::Descriptor pipe_;
    Mutex mutex_;
    std::string fresh_ GUARDED_BY(mutex_), tail_ GUARDED_BY(mutex_);
    std::size_t dropped_ GUARDED_BY(mutex_) = 0;
};

}  // namespace toolhost::worker
