// What signals and clients order a running server to do: end, or read its files again.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>

namespace toolhost::cli {

// All functions are called from any thread.
class ServeOrders {
public:
    void end();
    void wait_for_end();

    // An order that comes before the server is up waits for on_reread().
    void reread();
    // `wake` is called at each order from now on, and at once if there was one; null: no more.
    void on_reread(std::function<void()> wake);
    // Whether there is an order that nobody took. False while nobody is woken.
    [[nodiscard]] bool take_reread();

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::function<void()> wake_;
    bool ending_ = false, rereading_ = false;
};

}  // namespace toolhost::cli
