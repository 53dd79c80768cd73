// Three accesses without the lock. clang must refuse each of them; otherwise its analysis is off.
#include <condition_variable>

#include "host/base/mutex.hpp"

class Counter {
public:
    int without_lock() { return count_; }
    int after_unlock() {
        toolhost::MutexLock lock(mutex_);
        lock.unlock();
        return count_;
    }
    void in_predicate() {
        toolhost::MutexLock lock(mutex_);
        changed_.wait(lock.native(), [&] { return count_ > 0; });
    }
    int locked() {
        toolhost::MutexLock lock(mutex_);
        changed_.wait(lock.native(), [&]() REQUIRES(mutex_) { return count_ > 0; });
        return count_;
    }

private:
    toolhost::Mutex mutex_;
    std::condition_variable changed_;
    int count_ GUARDED_BY(mutex_) = 0;
};
