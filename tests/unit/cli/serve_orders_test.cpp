#include "host/cli/serve_orders.hpp"

#include <thread>

#include "tests/unit/doctest.hpp"

using toolhost::cli::ServeOrders;

TEST_CASE("an order to reread waits until the server is up, and is taken once") {
    ServeOrders orders;
    orders.reread();
    CHECK_FALSE(orders.take_reread());
    int woken = 0;
    orders.on_reread([&] { ++woken; });
    CHECK(woken == 1);
    CHECK(orders.take_reread());
    CHECK_FALSE(orders.take_reread());
    orders.reread();
    CHECK(woken == 2);
    CHECK(orders.take_reread());
}

TEST_CASE("a server that ends is not woken by an order to reread") {
    ServeOrders orders;
    int woken = 0;
    orders.on_reread([&] { ++woken; });
    orders.on_reread(nullptr);
    orders.reread();
    CHECK(woken == 0);
    CHECK_FALSE(orders.take_reread());
}

TEST_CASE("a request to stop wakes the waiting thread") {
    ServeOrders orders;
    std::thread ending([&] { orders.end(); });
    orders.wait_for_end();
    ending.join();
    orders.wait_for_end();  // it stands
}
