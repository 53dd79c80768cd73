#include "host/serve/listener_pool.hpp"

#include <semaphore>

#include "tests/unit/doctest.hpp"

using namespace toolhost;
using namespace toolhost::serve;

namespace {

// The first turn keeps its thread until another thread has started a turn. Returns whether one did.
bool is_replaced(void (*before_it_blocks)(os::Duty&)) {
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
        before_it_blocks(*os::Duty::current());
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

TEST_CASE("another thread listens while one is occupied") {
    SUBCASE("by a wait that hands over") {
        CHECK(is_replaced([](os::Duty& duty) { duty.hand_over(); }));
    }
    SUBCASE("by watched code") {
        CHECK(is_replaced([](os::Duty& duty) { duty.watch(); }));
    }
    SUBCASE("by anything else") {
        CHECK(is_replaced([](os::Duty&) {}));
    }
}
