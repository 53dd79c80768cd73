// Five accesses without the lock they need. clang must refuse each of them, or nothing checks the
// others.
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

class Register {
public:
    int without_lock() { return value_; }
    void written_under_shared_lock() {
        toolhost::SharedLock lock(mutex_);
        ++value_;
    }
    int read() {
        toolhost::SharedLock lock(mutex_);
        return value_;
    }
    void write() {
        mutex_.lock();
        ++value_;
        mutex_.unlock();
    }

private:
    toolhost::SharedMutex mutex_;
    int value_ GUARDED_BY(mutex_) = 0;
};
