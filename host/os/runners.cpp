#include "host/os/runners.hpp"

#include <signal.h>

#include <thread>

#include "host/base/mutex.hpp"
#include "host/os/futex.hpp"

namespace toolhost::os {

namespace {

// Where a handler runs when the plugin has used up the thread's own stack.
class SignalStack {
public:
    SignalStack() : memory_(kSize) {
        stack_t stack{};
        stack.ss_sp = memory_.data();
        stack.ss_size = memory_.size();
        set_ = ::sigaltstack(&stack, nullptr) == 0;
    }
    ~SignalStack() {
        stack_t none{};
        none.ss_flags = SS_DISABLE;
        if (set_) ::sigaltstack(&none, nullptr);
    }
    SignalStack(const SignalStack&) = delete;
    SignalStack& operator=(const SignalStack&) = delete;

private:
    static constexpr std::size_t kSize = 32u << 10;
    std::vector<char> memory_;
    bool set_ = false;
};

}  // namespace

// The last one to become idle is the first to work again: its core and caches are warm.
struct Runners::Idle {
    Mutex mutex;
    std::vector<std::shared_ptr<Runner>> runners GUARDED_BY(mutex);
    bool closed GUARDED_BY(mutex) = false;
};

class Runners::Runner {
public:
    void start(std::function<void()> work) {
        work_ = std::move(work);
        tell(kWork);
    }
    void end() { tell(kEnd); }

    // The thread's life. It keeps itself and the list of the idle alive.
    static void live(const std::shared_ptr<Runner>& self, const std::shared_ptr<Idle>& idle) {
        const SignalStack stack;
        while (self->await_order() == kWork) {
            self->work_();
            self->work_ = nullptr;  // what it owns goes now, not with the next order
            self->word_.store(kNothing, std::memory_order_release);
            MutexLock lock(idle->mutex);
            if (idle->closed) return;
            idle->runners.push_back(self);
        }
    }

private:
    static constexpr std::uint32_t kNothing = 0, kAsleep = 1, kWork = 2, kEnd = 3;

    void tell(std::uint32_t order) {
        if (word_.exchange(order, std::memory_order_acq_rel) == kAsleep) futex_wake(word_, 1);
    }

    std::uint32_t await_order() {
        if (!spin_while(word_, kNothing)) {
            auto expected = kNothing;
            word_.compare_exchange_strong(expected, kAsleep, std::memory_order_acq_rel);
        }
        for (;;) {
            auto order = word_.load(std::memory_order_acquire);
            if (order >= kWork) return order;
            futex_wait(word_, kAsleep, std::nullopt);
        }
    }

    FutexWord word_{kNothing};
    std::function<void()> work_;
};

Runners::Runners() : idle_(std::make_shared<Idle>()) {}

Runners::~Runners() {
    MutexLock lock(idle_->mutex);
    idle_->closed = true;
    for (const auto& runner : idle_->runners) runner->end();
    idle_->runners.clear();
}

void Runners::run(std::function<void()> work) {
    std::shared_ptr<Runner> runner;
    {
        MutexLock lock(idle_->mutex);
        if (!idle_->runners.empty()) {
            runner = std::move(idle_->runners.back());
            idle_->runners.pop_back();
        }
    }
    if (!runner) {
        runner = std::make_shared<Runner>();
        std::thread(Runner::live, runner, idle_).detach();
    }
    runner->start(std::move(work));
}

}  // namespace toolhost::os
