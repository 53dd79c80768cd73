#include "host/serve/listener_pool.hpp"

#include <thread>

#include "host/base/mutex.hpp"
#include "host/runtime/runners.hpp"

namespace toolhost::serve {
namespace {

// The time after which another thread listens; starting a thread costs a tenth of it.
constexpr std::chrono::milliseconds kTurnPatience{1};
// The monitor keeps looking for this many looks without need before it sleeps.
constexpr int kIdleLooks = 50;

}  // namespace

struct ListenerPool::State {
    std::function<bool()> turn;
    runtime::Runners runners;
    std::atomic<int> listening{0};       // threads that are in a turn, and not away
    std::atomic<std::uint64_t> left{0};  // counts departures, to tell one long one from many
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

    static void add(const std::shared_ptr<State>& state) {
        ++state->listening;
        state->count(1);
        try {
            state->runners.run([state] {
                state->work();
                state->count(-1);
            });
        } catch (const std::system_error&) {
            --state->listening;  // no thread to be had now: looked for again at the next look
            state->count(-1);
        }
    }

    void look_out(const std::shared_ptr<State>& self) {
        MutexLock lock(mutex);
        int idle = 0;
        while (!stopped) {
            const auto before = left.load();
            changed.wait_for(lock.native(), kTurnPatience, [&] { return stopped.load(); });
            if (stopped) break;
            if (listening > 0) {
                if (++idle < kIdleLooks) continue;
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
            add(self);
            lock.lock();
        }
    }
};

ListenerPool::ListenerPool(std::function<bool()> turn) : state_(std::make_shared<State>()) {
    state_->turn = std::move(turn);
}

void ListenerPool::start() {
    State::add(state_);
    state_->monitor = std::thread([state = state_] { state->look_out(state); });
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
    {
        MutexLock lock(state_.mutex);
        state_.monitor_sleeps = false;
    }
    state_.changed.notify_all();
}

ListenerPool::Away::~Away() {
    ++state_.listening;
}

}  // namespace toolhost::serve
