#include "host/os/listener_pool.hpp"

#include <condition_variable>
#include <mutex>
#include <semaphore>

#include "tests/unit/doctest.hpp"

using namespace toolhost;
using namespace toolhost::os;

namespace {

// The first turn keeps its thread until another thread has begun a turn. Returns whether one did.
bool is_replaced(void (*before_it_blocks)(Duty&)) {
    std::atomic<int> turns{0};
    std::atomic<bool> replaced{false};
    std::binary_semaphore listens{0};
    ListenerPool* shared = nullptr;
    ListenerPool pool([&] {
        if (turns++ > 0) {
            listens.release();
            return false;
        }
        const ListenerPool::Away away(*shared);
        before_it_blocks(*Duty::current());
        replaced = listens.try_acquire_for(std::chrono::seconds(20));
        return true;
    });
    shared = &pool;
    pool.start();
    pool.wait();
    pool.stop();
    pool.join();
    return replaced;
}

}  // namespace

TEST_CASE("another thread listens while one is kept") {
    SUBCASE("by a wait that hands over") {
        CHECK(is_replaced([](Duty& duty) { duty.hand_over(); }));
    }
    SUBCASE("by code that is watched") {
        CHECK(is_replaced([](Duty& duty) { duty.watch(); }));
    }
    SUBCASE("by anything else") {
        CHECK(is_replaced([](Duty&) {}));
    }
}

TEST_CASE("a pool keeps listening while one of its threads is away") {
    std::mutex mutex;
    std::condition_variable changed;
    int turns = 0;
    bool over = false;
    ListenerPool* shared = nullptr;
    ListenerPool pool([&] {
        std::unique_lock lock(mutex);
        const int turn = ++turns;
        changed.notify_all();
        if (turn == 3) return false;
        lock.unlock();
        const ListenerPool::Away away(*shared);
        lock.lock();
        changed.wait(lock, [&] { return over; });  // for as long as it takes
        return true;
    });
    shared = &pool;
    pool.start();
    pool.wait();  // the third turn ends it, though the first two never came back
    std::unique_lock lock(mutex);
    CHECK(turns == 3);
    over = true;
    changed.notify_all();
    lock.unlock();
    pool.join();  // before what they use is gone
}
