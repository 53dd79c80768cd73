// Orders of signals and clients to a running server: end, or read its files again.
#pragma once

#include <condition_variable>
#include <functional>

#include "host/base/mutex.hpp"

namespace toolhost::cli {

// All functions are called from any thread.
class ServeOrders {
public:
    void end();
    void wait_for_end();

    // An order given before on_reread() is kept until then.
    void reread();
    // `wake` is called at each order from now on, and at once if there was one; null: no more.
    void on_reread(std::function<void()> wake);
    // Whether there is an order that was not taken yet; takes it. False without a `wake`.
    [[nodiscard]] bool take_reread();

private:
    Mutex mutex_;
    std::condition_variable changed_;
    std::function<void()> wake_ GUARDED_BY(mutex_);
    bool ending_ GUARDED_BY(mutex_) = false;
    bool rereading_ GUARDED_BY(mutex_) = false;
};

}  // namespace toolhost::cli
