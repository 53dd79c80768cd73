#include "host/os/duty.hpp"

#include <functional>

#include "host/os/timed_wait.hpp"
#include "tests/unit/doctest.hpp"

using namespace toolhost;
using namespace toolhost::os;

namespace {

struct TestDuty : Duty {
    void hand_over() override {
        if (handed_over) handed_over();
    }
    void watch() override {}
    std::function<void()> handed_over;
};

}  // namespace

TEST_CASE("the innermost duty of a thread is the current one") {
    CHECK(Duty::current() == nullptr);
    {
        TestDuty outer;
        {
            const TestDuty inner;
            CHECK(Duty::current() == &inner);
        }
        CHECK(Duty::current() == &outer);
    }
    CHECK(Duty::current() == nullptr);
}

TEST_CASE("a thread hands over its duty before it waits for another thread") {
    Mutex mutex;
    std::condition_variable_any changed;
    TestDuty duty;
    bool ready = false;
    // As the thread that takes over does.
    duty.handed_over = [&] { ready = true; };
    MutexLock lock(mutex);
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    CHECK(wait_for(changed, lock, end, {}, [&] { return ready; }));

    duty.handed_over = [] { FAIL("there is nothing to wait for"); };
    CHECK(wait_for(changed, lock, end, {}, [&] { return ready; }));
}
