// Starts workers and watches over them: one thread, started with the first worker, that sleeps
// until a worker prints, ends or has been idle for too long.
//
// Workers are started by this thread and no other, because the kernel ends them with the thread
// that started them, and callers' threads come and go.
#pragma once

#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "host/base/mutex.hpp"
#include "host/worker/worker.hpp"

namespace toolhost::worker {

class Supervisor {
public:
    Supervisor();
    ~Supervisor() { stop(); }
    Supervisor(const Supervisor&) = delete;
    Supervisor& operator=(const Supervisor&) = delete;

    struct Start {
        std::string program;  // this host's own
        std::vector<std::string> environment;
        std::chrono::seconds idle_limit{300};
        sandbox::ResourceLimits limits;  // for its control group, where it gets one
        std::function<void(Worker&)> on_dead{};
    };
    [[nodiscard]] Result<std::shared_ptr<Worker>> start(const Start& start);

    // Ends all workers, and returns when they are gone. From now on start() fails.
    void stop();

    // How many there are now.
    [[nodiscard]] std::size_t workers() const { return count_; }

private:
    using Clock = Worker::Clock;
    void watch();
    void run_tasks();
    void look_after(Worker& worker);
    using Remove = bool (*)(const std::string& path);  // false: not yet
    void clear_later(const std::string& path, Remove remove);
    void end_of(Worker& worker);
    void clear();
    [[nodiscard]] int milliseconds_to_sleep() const;
    [[nodiscard]] Result<std::shared_ptr<Worker>> start_here(const Start& start);
    void wake() const;

    const os::Descriptor wake_;
    Mutex mutex_;
    std::deque<std::function<void()>> tasks_ GUARDED_BY(mutex_);
    bool stopping_ GUARDED_BY(mutex_) = false;
    std::atomic<std::size_t> count_{0};
    // The thread's own.
    std::vector<std::shared_ptr<Worker>> workers_;
    struct LeftOver {
        std::string path;
        Remove remove;
        Clock::time_point until;  // then it is given up
    };
    std::vector<LeftOver> to_clear_;
    std::thread thread_;  // set under the lock, before stop()
};

}  // namespace toolhost::worker
