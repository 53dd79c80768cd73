// The calls of one embedded host: none begins after close(), which cancels those that run.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <stop_token>

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
        // False: the host is closed, and the call must not begin.
        [[nodiscard]] explicit operator bool() const { return taken_; }

    private:
        RunningCalls& calls_;
        const bool taken_;
    };

    [[nodiscard]] std::stop_token closing() const { return closing_.get_token(); }
    // Returns when no call runs any more.
    void close() {
        closing_.request_stop();
        std::unique_lock lock(mutex_);
        closed_ = true;
        left_.wait(lock, [&] { return running_ == 0; });
    }

private:
    [[nodiscard]] bool enter() {
        std::lock_guard lock(mutex_);
        if (!closed_) ++running_;
        return !closed_;
    }
    void leave() {
        std::lock_guard lock(mutex_);
        --running_;
        left_.notify_all();
    }

    std::stop_source closing_;
    std::mutex mutex_;
    std::condition_variable left_;
    std::size_t running_ = 0;
    bool closed_ = false;
};

}  // namespace toolhost::embed
