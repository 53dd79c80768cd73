// Wakes those whose time is over. One thread for all of them, started at first use and asleep as
// long as nothing is due.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <set>
#include <thread>

#include "host/base/mutex.hpp"
#include "host/os/futex.hpp"

namespace toolhost::runtime {

class Watched {
public:
    virtual ~Watched() = default;
    // When to look again; none: never. It may have moved since it was last asked for.
    [[nodiscard]] virtual os::Deadline deadline() const = 0;
    // Nothing to watch any more.
    [[nodiscard]] virtual bool settled() const = 0;
    // Its time is over. On the watchdog's thread: be quick.
    virtual void overdue() = 0;
};

class Watchdog {
public:
    Watchdog() = default;
    ~Watchdog();
    Watchdog(const Watchdog&) = delete;
    Watchdog& operator=(const Watchdog&) = delete;

    // To be called before watch(). False: no thread can be started now.
    [[nodiscard]] bool start();

    using Time = std::chrono::steady_clock::time_point;
    // Where it was put, so that it is found again without a search.
    struct Ticket {
        Time time{};
        std::shared_ptr<Watched> watched;
    };
    [[nodiscard]] Ticket watch(std::shared_ptr<Watched> watched);
    // It may be on its way to overdue() all the same.
    void forget(const Ticket& ticket);

private:
    using Entry = std::pair<Time, std::shared_ptr<Watched>>;
    void watch_deadlines();

    Mutex mutex_;
    std::condition_variable changed_;
    std::set<Entry> entries_ GUARDED_BY(mutex_);
    // When the thread will look next. A later entry needs no wake-up, so a stream of calls that all
    // end in time costs none.
    Time next_look_ GUARDED_BY(mutex_) = Time::max();
    bool ending_ GUARDED_BY(mutex_) = false;
    std::once_flag started_;
    std::thread thread_;
};

}  // namespace toolhost::runtime
