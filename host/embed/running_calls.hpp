// The running calls of one embedded host. close() cancels them and refuses new ones.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <stop_token>

#include "host/base/mutex.hpp"

namespace toolhost::embed {

class RunningCalls {
public:
    class Place {
    public:
        explicit Place(RunningCalls& calls) : calls_(calls), taken_(calls.enter()) {}
        ~Place() {
            if (taken_) calls_.leave();
        }
        Place(const Place&) = delete;
        Place& operator=(const Place&) = delete;
        // False if the host is closed; the call must then not start.
        [[nodiscard]] explicit operator bool() const { return taken_; }

    private:
        RunningCalls& calls_;
        const bool taken_;
    };

    [[nodiscard]] std::stop_token closing() const { return closing_.get_token(); }
    // Returns when no call is running.
    void close() {
        closing_.request_stop();
        MutexLock lock(mutex_);
        closed_ = true;
        left_.wait(lock.native(), [&]() REQUIRES(mutex_) { return running_ == 0; });
    }

private:
    [[nodiscard]] bool enter() {
        MutexLock lock(mutex_);
        if (!closed_) ++running_;
        return !closed_;
    }
    void leave() {
        MutexLock lock(mutex_);
        --running_;
        left_.notify_all();
    }

    std::stop_source closing_;
    Mutex mutex_;
    std::condition_variable left_;
    std::size_t running_ GUARDED_BY(mutex_) = 0;
    bool closed_ GUARDED_BY(mutex_) = false;
};

}  // namespace toolhost::embed
