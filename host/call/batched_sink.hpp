// An spdlog sink that only copies a line under a lock. A thread writes them in batches: it is
// woken once per batch, not per line, and sleeps while there is nothing to write.
#pragma once

#include <spdlog/sinks/sink.h>

#include <atomic>
#include <condition_variable>
#include <string>
#include <thread>

#include "host/base/mutex.hpp"
#include "host/os/descriptor.hpp"

namespace toolhost::call {

class BatchedSink : public spdlog::sinks::sink {
public:
    explicit BatchedSink(os::Descriptor owned);
    explicit BatchedSink(int borrowed);
    ~BatchedSink() override;  // writes what there is

    void log(const spdlog::details::log_msg& message) override;
    void flush() override;  // returns when all is written
    [[nodiscard]] bool failed() const { return failed_; }
    void set_pattern(const std::string&) override {}  // a line is the message
    void set_formatter(std::unique_ptr<spdlog::formatter>) override {}

private:
    void write_batches();
    void write(const std::string& batch);
    // Code in this process may end it by exit() or by a crash: both wait for the writer, for a
    // second at most.
    static void guard_the_end(BatchedSink* sink);
    static void await_writer();
    static void on_crash(int signal);

    const os::Descriptor owned_;
    const int descriptor_;
    const bool on_terminal_;  // control characters are then made visible
    Mutex mutex_;
    std::condition_variable changed_;
    std::string pending_ GUARDED_BY(mutex_);
    std::atomic<std::size_t> unwritten_{0};  // bytes; read by the crash handler, too
    bool closing_ GUARDED_BY(mutex_) = false, flushing_ GUARDED_BY(mutex_) = false;
    std::atomic<bool> failed_{false};
    std::thread writer_;
};

}  // namespace toolhost::call
