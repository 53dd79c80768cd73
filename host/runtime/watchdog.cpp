#include "host/runtime/watchdog.hpp"

#include <algorithm>
#include <system_error>

namespace toolhost::runtime {
namespace {

// The check interval for a call without a deadline, which may get one after a human's answer.
constexpr std::chrono::milliseconds kLookAgain{100};
constexpr std::chrono::milliseconds kSoonest{5};

Watchdog::Time time_of(const Watched& watched) {
    auto deadline = watched.deadline();
    return deadline ? *deadline : std::chrono::steady_clock::now() + kLookAgain;
}

}  // namespace

bool Watchdog::start() try {
    std::call_once(started_, [this] { thread_ = std::thread([this] { watch_deadlines(); }); });
    return true;
} catch (const std::system_error&) {
    return false;
}

Watchdog::~Watchdog() {
    {
        MutexLock lock(mutex_);
        ending_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
}

Watchdog::Ticket Watchdog::watch(std::shared_ptr<Watched> watched) {
    Ticket ticket{time_of(*watched), std::move(watched)};
    bool sooner = false;
    {
        MutexLock lock(mutex_);
        entries_.emplace(ticket.time, ticket.watched);
        sooner = ticket.time < next_look_;
    }
    if (sooner) changed_.notify_all();
    return ticket;
}

void Watchdog::forget(const Ticket& ticket) {
    MutexLock lock(mutex_);
    entries_.erase({ticket.time, ticket.watched});
}

void Watchdog::watch_deadlines() {
    MutexLock lock(mutex_);
    while (!ending_) {
        next_look_ = entries_.empty() ? Time::max() : entries_.begin()->first;
        const auto look = next_look_;
        auto is_sooner = [&]() REQUIRES(mutex_) {
            return ending_ || (!entries_.empty() && entries_.begin()->first < look);
        };
        if (look == Time::max())
            changed_.wait(lock.native(), is_sooner);
        else
            changed_.wait_until(lock.native(), look, is_sooner);
        const auto now = std::chrono::steady_clock::now();
        while (!entries_.empty() && entries_.begin()->first <= now) {
            auto watched = entries_.extract(entries_.begin()).value().second;
            lock.unlock();
            const auto deadline = watched->deadline();
            if (deadline && *deadline <= now) watched->overdue();
            const bool stays = !watched->settled();
            // Whatever it says: this thread must not keep looking at one that cannot end yet.
            const auto again = stays ? std::max(time_of(*watched), now + kSoonest) : Time();
            lock.lock();
            if (stays) entries_.emplace(again, std::move(watched));
        }
    }
}

}  // namespace toolhost::runtime
