#include "host/cli/server_control.hpp"

#include <utility>

namespace toolhost::cli {

void ServerControl::stop() {
    MutexLock lock(mutex_);
    stopping_ = true;
    changed_.notify_all();
}

void ServerControl::wait_for_stop() {
    MutexLock lock(mutex_);
    changed_.wait(lock.native(), [&]() REQUIRES(mutex_) { return stopping_; });
}

void ServerControl::request_reload() {
    MutexLock lock(mutex_);
    reload_requested_ = true;
    if (wake_) wake_();
}

void ServerControl::on_reload(std::function<void()> wake) {
    MutexLock lock(mutex_);
    wake_ = std::move(wake);
    if (wake_ && reload_requested_) wake_();
}

bool ServerControl::take_reload() {
    MutexLock lock(mutex_);
    return wake_ && std::exchange(reload_requested_, false);
}

}  // namespace toolhost::cli
