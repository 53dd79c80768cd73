#include "host/cli/serve_orders.hpp"

#include <utility>

namespace toolhost::cli {

void ServeOrders::end() {
    MutexLock lock(mutex_);
    ending_ = true;
    changed_.notify_all();
}

void ServeOrders::wait_for_end() {
    MutexLock lock(mutex_);
    changed_.wait(lock.native(), [&]() REQUIRES(mutex_) { return ending_; });
}

void ServeOrders::reread() {
    MutexLock lock(mutex_);
    rereading_ = true;
    if (wake_) wake_();
}

void ServeOrders::on_reread(std::function<void()> wake) {
    MutexLock lock(mutex_);
    wake_ = std::move(wake);
    if (wake_ && rereading_) wake_();
}

bool ServeOrders::take_reread() {
    MutexLock lock(mutex_);
    return wake_ && std::exchange(rereading_, false);
}

}  // namespace toolhost::cli
