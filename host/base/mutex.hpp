// A mutex whose use clang checks (-Wthread-safety): a member that is GUARDED_BY a Mutex is accessed
// only under it. Other compilers ignore the annotations.
#pragma once

#include <mutex>
#include <shared_mutex>

#if defined(__clang__)
#define TOOLHOST_THREAD_ANNOTATION(x) __attribute__((x))
#else
#define TOOLHOST_THREAD_ANNOTATION(x)
#endif

#define CAPABILITY(name) TOOLHOST_THREAD_ANNOTATION(capability(name))
#define SCOPED_CAPABILITY TOOLHOST_THREAD_ANNOTATION(scoped_lockable)
// On a member: `int count_ GUARDED_BY(mutex_) = 0;`
#define GUARDED_BY(mutex) TOOLHOST_THREAD_ANNOTATION(guarded_by(mutex))
// On a function or a lambda: its caller holds the mutex.
#define REQUIRES(...) TOOLHOST_THREAD_ANNOTATION(requires_capability(__VA_ARGS__))
#define REQUIRES_SHARED(...) TOOLHOST_THREAD_ANNOTATION(requires_shared_capability(__VA_ARGS__))
// On a function: its caller must not hold the mutex, because it is taken in here.
#define EXCLUDES(...) TOOLHOST_THREAD_ANNOTATION(locks_excluded(__VA_ARGS__))
#define ACQUIRE(...) TOOLHOST_THREAD_ANNOTATION(acquire_capability(__VA_ARGS__))
#define ACQUIRE_SHARED(...) TOOLHOST_THREAD_ANNOTATION(acquire_shared_capability(__VA_ARGS__))
#define TRY_ACQUIRE(...) TOOLHOST_THREAD_ANNOTATION(try_acquire_capability(__VA_ARGS__))
#define RELEASE(...) TOOLHOST_THREAD_ANNOTATION(release_capability(__VA_ARGS__))
#define RELEASE_SHARED(...) TOOLHOST_THREAD_ANNOTATION(release_shared_capability(__VA_ARGS__))

namespace toolhost {

class CAPABILITY("mutex") Mutex {
public:
    void lock() ACQUIRE() { mutex_.lock(); }
    void unlock() RELEASE() { mutex_.unlock(); }
    [[nodiscard]] bool try_lock() TRY_ACQUIRE(true) { return mutex_.try_lock(); }

private:
    friend class MutexLock;
    std::mutex mutex_;
};

// Holds a Mutex for a scope; unlock() and lock() release it temporarily.
class SCOPED_CAPABILITY MutexLock {
public:
    explicit MutexLock(Mutex& mutex) ACQUIRE(mutex) : lock_(mutex.mutex_) {}
    // The caller already holds it.
    MutexLock(Mutex& mutex, std::adopt_lock_t adopt) REQUIRES(mutex) : lock_(mutex.mutex_, adopt) {}
    ~MutexLock() RELEASE() {}
    MutexLock(const MutexLock&) = delete;
    MutexLock& operator=(const MutexLock&) = delete;

    void lock() ACQUIRE() { lock_.lock(); }
    void unlock() RELEASE() { lock_.unlock(); }
    // For a condition variable, which holds the lock again when it returns. A predicate that reads
    // guarded members is `[&]() REQUIRES(mutex_) { ... }`.
    [[nodiscard]] std::unique_lock<std::mutex>& native() { return lock_; }

private:
    std::unique_lock<std::mutex> lock_;
};

// Held by any number of threads at once (SharedLock), or by one alone (lock and unlock).
class CAPABILITY("shared mutex") SharedMutex {
public:
    void lock() ACQUIRE() { mutex_.lock(); }
    void unlock() RELEASE() { mutex_.unlock(); }
    void lock_shared() ACQUIRE_SHARED() { mutex_.lock_shared(); }
    void unlock_shared() RELEASE_SHARED() { mutex_.unlock_shared(); }

private:
    std::shared_mutex mutex_;
};

// Holds a SharedMutex together with others for a scope.
class SCOPED_CAPABILITY SharedLock {
public:
    explicit SharedLock(SharedMutex& mutex) ACQUIRE_SHARED(mutex) : mutex_(mutex) {
        mutex_.lock_shared();
    }
    ~SharedLock() RELEASE() { mutex_.unlock_shared(); }
    SharedLock(const SharedLock&) = delete;
    SharedLock& operator=(const SharedLock&) = delete;

private:
    SharedMutex& mutex_;
};

}  // namespace toolhost
