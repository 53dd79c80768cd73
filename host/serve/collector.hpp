// How a transport ends the calls that run in workers without a thread that waits for them. Its
// listening threads collect outcomes between requests.
#pragma once

#include <optional>

#include "host/os/listener_pool.hpp"
#include "host/runtime/posted_calls.hpp"

namespace toolhost::serve {

class Collector {
public:
    // `calls` may be null: then no call is posted.
    Collector(runtime::PostedCalls* calls, os::ListenerPool& pool) : calls_(calls), pool_(pool) {
        if (calls_) calls_->open();
    }
    ~Collector() {
        close();
        await_gone();
    }
    Collector(const Collector&) = delete;
    Collector& operator=(const Collector&) = delete;

    // Collects no more.
    void close() {
        if (calls_ && !closed_.exchange(true)) calls_->close();
    }

    // After close(): returns when no posted call is left, which uses the transport to answer.
    void await_gone() const {
        if (calls_) calls_->await_gone();
    }

    [[nodiscard]] bool ready() const { return calls_ && calls_->ready(); }
    // Ends the calls whose outcome has come, on this thread, which is not counted on to listen
    // meanwhile. False: there are none.
    bool collect() const {
        if (!ready()) return false;
        const os::ListenerPool::Away away(pool_);
        while (calls_->collect()) {
        }
        return true;
    }
    void expect_more(bool more) const {
        if (calls_) calls_->expect_more(more);
    }

    // Readable while a Sleep lives and there may be outcomes; -1: never.
    [[nodiscard]] int bells() const { return calls_ ? calls_->bells() : -1; }
    void read_bells() const {
        if (calls_) calls_->read_bells();
    }
    // A thread that is about to wait for bells() makes one, and then looks at ready() once more.
    class Sleep {
    public:
        explicit Sleep(const Collector& collector) {
            if (collector.calls_) sleep_.emplace(*collector.calls_);
        }

    private:
        std::optional<runtime::PostedCalls::Sleep> sleep_;
    };
    // While one lives that is_granted(), no calls are posted, and a thread can wait for something
    // else. It is not granted where there are calls to collect, or another collector.
    class Pause {
    public:
        explicit Pause(const Collector& collector)
            : calls_(collector.calls_), granted_(!calls_ || calls_->pause()) {}
        ~Pause() {
            if (calls_ && granted_) calls_->resume();
        }
        Pause(const Pause&) = delete;
        Pause& operator=(const Pause&) = delete;
        [[nodiscard]] bool is_granted() const { return granted_; }

    private:
        runtime::PostedCalls* const calls_;
        const bool granted_;
    };

private:
    runtime::PostedCalls* const calls_;
    os::ListenerPool& pool_;
    std::atomic<bool> closed_{false};
};

}  // namespace toolhost::serve
