#include "host/call/batched_sink.hpp"

#include <signal.h>
#include <spdlog/spdlog.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "host/base/visible_text.hpp"

namespace toolhost::call {
namespace {

// How long lines are gathered into one batch.
constexpr std::chrono::milliseconds kGather{2};
// Where the disk cannot follow, calls wait rather than lines being lost or memory filled.
constexpr std::size_t kMaxPending = 8u << 20;
constexpr int kFatal[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTERM, SIGHUP};

std::atomic<BatchedSink*> crash_sink{nullptr};

}  // namespace

BatchedSink::BatchedSink(os::Descriptor owned)
    : owned_(std::move(owned)),
      descriptor_(owned_.get()),
      on_terminal_(::isatty(descriptor_) == 1),
      writer_([this] { write_batches(); }) {
    guard_the_end(this);
}

BatchedSink::BatchedSink(int borrowed)
    : descriptor_(borrowed),
      on_terminal_(::isatty(descriptor_) == 1),
      writer_([this] { write_batches(); }) {
    guard_the_end(this);
}

BatchedSink::~BatchedSink() {
    auto* self = this;
    crash_sink.compare_exchange_strong(self, nullptr);
    {
        MutexLock lock(mutex_);
        closing_ = true;
    }
    changed_.notify_all();
    writer_.join();
}

void BatchedSink::log(const spdlog::details::log_msg& message) {
    std::string_view line(message.payload.data(), message.payload.size());
    std::string visible;
    if (on_terminal_) line = visible = visible_text(line, true);
    MutexLock lock(mutex_);
    changed_.wait(lock.native(), [&]() REQUIRES(mutex_) { return pending_.size() < kMaxPending; });
    const bool first = pending_.empty();
    pending_ += line;
    pending_ += '\n';
    unwritten_ += line.size() + 1;
    lock.unlock();
    if (first) changed_.notify_all();
}

void BatchedSink::flush() {
    MutexLock lock(mutex_);
    flushing_ = true;
    changed_.notify_all();
    changed_.wait(lock.native(), [&] { return unwritten_ == 0; });
    flushing_ = false;
}

void BatchedSink::write_batches() {
    // The thread that ends the sink waits for this thread, so it must be another one.
    sigset_t others;
    ::sigemptyset(&others);
    ::sigaddset(&others, SIGTERM);
    ::sigaddset(&others, SIGHUP);
    ::pthread_sigmask(SIG_BLOCK, &others, nullptr);
    std::string batch;
    MutexLock lock(mutex_);
    for (;;) {
        changed_.wait(lock.native(),
                      [&]() REQUIRES(mutex_) { return !pending_.empty() || closing_; });
        if (pending_.empty()) return;
        changed_.wait_for(lock.native(), kGather,
                          [&]() REQUIRES(mutex_) { return closing_ || flushing_; });
        batch.clear();
        batch.swap(pending_);
        lock.unlock();
        write(batch);
        lock.lock();
        unwritten_ -= batch.size();
        changed_.notify_all();
    }
}

void BatchedSink::write(const std::string& batch) {
    if (failed_ || os::write_all(descriptor_, batch)) return;
    failed_ = true;  // said once: the next line would fail alike
    spdlog::error("cannot write events: {}", os::system_message(errno));
}

void BatchedSink::guard_the_end(BatchedSink* sink) {
    BatchedSink* none = nullptr;
    if (!crash_sink.compare_exchange_strong(none, sink)) return;
    std::atexit(await_writer);
    for (int signal : kFatal) {
        struct sigaction old {};
        // A sanitizer's or a debugger's handler knows better.
        if (::sigaction(signal, nullptr, &old) != 0 || old.sa_handler != SIG_DFL) continue;
        struct sigaction action {};
        action.sa_handler = on_crash;
        action.sa_flags = static_cast<int>(SA_RESETHAND | SA_NODEFER | SA_ONSTACK);
        ::sigaction(signal, &action, nullptr);
    }
}

// Only what a signal handler may do: the writer's thread does the work, this one waits for it.
void BatchedSink::await_writer() {
    const timespec millisecond{0, 1'000'000};
    for (int i = 0; i < 1000; ++i) {
        auto* sink = crash_sink.load();
        if (!sink || sink->unwritten_ == 0) break;
        ::nanosleep(&millisecond, nullptr);
    }
}

void BatchedSink::on_crash(int signal) {
    await_writer();
    ::raise(signal);  // the default action again
}

}  // namespace toolhost::call
