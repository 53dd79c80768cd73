// Threads that run plugin code in this process, so that its caller can leave. Code cannot
// be stopped from outside; an abandoned thread continues, and ends with its work.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace toolhost::os {

class Runners {
public:
    Runners();
    ~Runners();  // ends idle threads; those at work are left to themselves
    Runners(const Runners&) = delete;
    Runners& operator=(const Runners&) = delete;

    // Runs `work` on a thread that has nothing else to do, at once. Throws std::system_error where
    // no thread can be made. `work` must not throw and owns all it touches.
    void run(std::function<void()> work);

private:
    class Runner;
    struct Idle;
    std::shared_ptr<Idle> idle_;  // shared with the threads, which may outlive this
};

}  // namespace toolhost::os
