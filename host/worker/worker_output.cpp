#include "host/worker/worker_output.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace toolhost::worker {

void WorkerOutput::drain_locked() {
    // Bounded: a worker that prints without end must not keep its reader.
    char buffer[16384];
    for (int i = 0; i < 64; ++i) {
        const auto got = ::read(pipe_.get(), buffer, sizeof buffer);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return;
        const std::string_view text(buffer, static_cast<std::size_t>(got));
        const auto room = kMaxTaken - std::min(kMaxTaken, fresh_.size());
        fresh_ += text.substr(0, room);
        dropped_ += text.size() - std::min(room, text.size());
        tail_ += text;
        if (tail_.size() > kMaxTail) tail_.erase(0, tail_.size() - kMaxTail);
    }
}

void WorkerOutput::drain() {
    MutexLock lock(mutex_);
    drain_locked();
}

std::string WorkerOutput::take() {
    MutexLock lock(mutex_);
    drain_locked();
    std::string taken;
    taken.swap(fresh_);
    if (dropped_ > 0) taken += "\n[" + std::to_string(dropped_) + " more bytes were printed]";
    dropped_ = 0;
    return taken;
}

std::string WorkerOutput::tail() {
    MutexLock lock(mutex_);
    drain_locked();
    return tail_;
}

}  // namespace toolhost::worker
