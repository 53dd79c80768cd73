// Stop and reload requests of signals and clients to a running server.
#pragma once

#include <condition_variable>
#include <functional>

#include "host/base/mutex.hpp"

namespace toolhost::cli {

// Thread-safe.
class ServerControl {
public:
    void stop();
    void wait_for_stop();

    // A request made before on_reload() is kept until then.
    void request_reload();
    // Calls `wake` at each request from now on, and at once if there was one. Null disables it.
    void on_reload(std::function<void()> wake);
    // Takes the pending request; returns whether there was one. False without `wake`.
    [[nodiscard]] bool take_reload();

private:
    Mutex mutex_;
    std::condition_variable changed_;
    std::function<void()> wake_ GUARDED_BY(mutex_);
    bool stopping_ GUARDED_BY(mutex_) = false;
    bool reload_requested_ GUARDED_BY(mutex_) = false;
};

}  // namespace toolhost::cli
