#include "host/os/listener_pool.hpp"

#include <thread>

#include "host/base/mutex.hpp"
#include "host/os/runners.hpp"

namespace toolhost::os {
namespace {

// How often the monitor looks whether a thread listens: often while code runs that does not say
// when it waits, for a thread that takes so long must be replaced. Starting a thread costs a tenth
// of it.
constexpr std::chrono::milliseconds kQuickLook{1}, kSlowLook{20};
// So many looks without need, and it looks slowly, or sleeps.
constexpr int kIdleQuickLooks = 50, kIdleSlowLooks = 3;

}  // namespace

struct ListenerPool::State : std::enable_shared_from_this<State> {
    std::function<bool()> turn;
    Runners runners;
    std::atomic<int> listening{0};          // threads that are in a turn, and not away
    std::atomic<std::uint64_t> left{0};     // counts departures, to tell one long one from many
    std::atomic<std::uint64_t> watched{0};  // counts calls of watch()
    std::atomic<bool> quick{false};         // the monitor looks often
    std::atomic<bool> stopped{false};
    std::atomic<bool> monitor_sleeps{false};
    Mutex mutex;
    std::condition_variable changed;  // for the monitor, and for wait()
    bool finished GUARDED_BY(mutex) = false;
    int threads GUARDED_BY(mutex) = 0;  // in work(), listening or away
    std::thread monitor;

    void finish() {
        {
            MutexLock lock(mutex);
            finished = true;
            stopped = true;
        }
        changed.notify_all();
    }

    void work() {
        while (!stopped) {
            if (!turn()) {
                finish();
                break;
            }
            // A thread that finds another one listening when it comes back is one too many.
            for (int others = listening; others > 1;)
                if (listening.compare_exchange_weak(others, others - 1)) return;
        }
        --listening;
    }

    void count(int change) {
        {
            MutexLock lock(mutex);
            threads += change;
        }
        if (change < 0) changed.notify_all();
    }

    void add() {
        ++listening;
        count(1);
        try {
            runners.run([state = shared_from_this()] {
                state->work();
                state->count(-1);
            });
        } catch (const std::system_error&) {
            --listening;  // no thread to be had now: looked for again at the next look
            count(-1);
        }
    }

    // The caller has changed what the monitor waits for.
    void wake_monitor() {
        { MutexLock lock(mutex); }
        changed.notify_all();
    }

    void monitor_turns() {
        MutexLock lock(mutex);
        int idle = 0;  // looks that found a thread listening
        while (!stopped) {
            const bool is_quick = quick;
            const auto before = left.load();
            const auto watched_before = watched.load();
            changed.wait_for(lock.native(), is_quick ? kQuickLook : kSlowLook,
                             [&] { return stopped || quick != is_quick; });
            if (stopped) break;
            if (quick != is_quick) {
                idle = 0;
                continue;
            }
            if (is_quick && watched == watched_before) {
                if (++unwatched_ == kIdleQuickLooks) quick = false;
            } else {
                unwatched_ = 0;
            }
            if (listening > 0) {
                if (++idle < (is_quick ? kIdleQuickLooks : kIdleSlowLooks)) continue;
                quick = false;
                monitor_sleeps = true;
                // A thread that just left may not have seen that no thread listens.
                changed.wait(lock.native(),
                             [&] { return stopped || !monitor_sleeps || listening <= 0; });
                monitor_sleeps = false;
                idle = 0;
                continue;
            }
            idle = 0;
            if (left != before) continue;
            lock.unlock();
            add();
            lock.lock();
        }
    }

private:
    int unwatched_ = 0;  // the monitor's own: quick looks since the last watch()
};

ListenerPool::ListenerPool(std::function<bool()> turn) : state_(std::make_shared<State>()) {
    state_->turn = std::move(turn);
}

void ListenerPool::start() {
    state_->add();
    state_->monitor = std::thread([state = state_] { state->monitor_turns(); });
}

void ListenerPool::wait() {
    MutexLock lock(state_->mutex);
    state_->changed.wait(lock.native(), [&]() REQUIRES(state_->mutex) { return state_->finished; });
}

void ListenerPool::stop() {
    state_->finish();
}

void ListenerPool::join() {
    MutexLock lock(state_->mutex);
    state_->changed.wait(lock.native(),
                         [&]() REQUIRES(state_->mutex) { return state_->threads == 0; });
}

ListenerPool::~ListenerPool() {
    stop();
    if (state_->monitor.joinable()) state_->monitor.join();
}

ListenerPool::Away::Away(ListenerPool& pool) : state_(*pool.state_) {
    ++state_.left;
    if (--state_.listening > 0 || !state_.monitor_sleeps) return;
    state_.monitor_sleeps = false;
    state_.wake_monitor();
}

ListenerPool::Away::~Away() {
    ++state_.listening;
}

void ListenerPool::Away::hand_over() {
    if (state_.listening <= 0 && !state_.stopped) state_.add();
}

void ListenerPool::Away::watch() {
    ++state_.watched;
    if (!state_.quick && !state_.quick.exchange(true)) state_.wake_monitor();
}

}  // namespace toolhost::os
