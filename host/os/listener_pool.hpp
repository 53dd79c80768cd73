// Threads that take turns at listening. What a message asks for is done on the thread that read it,
// since a thread that is woken for it costs more than most tools; where that takes long, another
// thread takes over the listening.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>

#include "host/os/duty.hpp"

namespace toolhost::os {

class ListenerPool {
    struct State;

public:
    // One turn waits for something to do and does it; false: there is nothing more to come. Several
    // threads may be in it at once, and one is always about to be.
    explicit ListenerPool(std::function<bool()> turn);
    // Threads that are in foreign code and do not come back are left to themselves.
    ~ListenerPool();
    ListenerPool(const ListenerPool&) = delete;
    ListenerPool& operator=(const ListenerPool&) = delete;

    void start();
    // Returns when a turn said that there is nothing more, or after stop().
    void wait();
    // No turn begins after this one; waiting threads must be woken by the owner of what they wait
    // for.
    void stop();

    // After stop(): returns when no thread is in a turn, so that the caller can destroy what turns
    // use.
    void join();

    // While it lives this thread may be away for any time, and is not counted on to listen. Another
    // one listens as soon as this one hands over, after 1 ms of code that is watched, and after 20
    // ms of anything else.
    class Away : public Duty {
    public:
        explicit Away(ListenerPool& pool);
        ~Away() override;
        void hand_over() override;
        void watch() override;

    private:
        State& state_;
    };

private:
    const std::shared_ptr<State> state_;  // shared with the threads, which may outlive this
};

}  // namespace toolhost::os
