// A shared pointer that is read and replaced from many threads. Replaces
// std::atomic<std::shared_ptr>: libstdc++ 12 unlocks a read with relaxed order, which is a data
// race with the next write.
#pragma once

#include <atomic>
#include <memory>
#include <thread>

namespace toolhost {

template <class T>
class AtomicShared {
public:
    AtomicShared() = default;
    explicit AtomicShared(std::shared_ptr<T> value) : value_(std::move(value)) {}

    [[nodiscard]] std::shared_ptr<T> load() const {
        Lock lock(busy_);
        return value_;
    }
    void store(std::shared_ptr<T> value) {
        Lock lock(busy_);
        value_.swap(value);  // the old value is destroyed after the lock is released
    }

private:
    // Held only while a pointer is copied, so spinning is cheaper than a system call.
    class Lock {
    public:
        explicit Lock(std::atomic_flag& busy) : busy_(busy) {
            while (busy_.test_and_set(std::memory_order_acquire))
                while (busy_.test(std::memory_order_relaxed)) std::this_thread::yield();
        }
        ~Lock() { busy_.clear(std::memory_order_release); }
        Lock(const Lock&) = delete;
        Lock& operator=(const Lock&) = delete;

    private:
        std::atomic_flag& busy_;
    };

    mutable std::atomic_flag busy_;
    std::shared_ptr<T> value_;
};

}  // namespace toolhost
