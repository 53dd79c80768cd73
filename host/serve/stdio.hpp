// MCP over a pair of descriptors: a line is a message. All answers go out through one writer.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <string>
#include <string_view>

#include "host/base/mutex.hpp"
#include "host/os/adaptive_spin.hpp"
#include "host/os/listener_pool.hpp"
#include "host/serve/collector.hpp"
#include "host/serve/request_id.hpp"
#include "host/serve/server.hpp"

namespace toolhost::serve {

// Lines out, whole ones. Answers may be held for a moment while more requests are waiting, so that
// many go in one write.
class LineWriter {
public:
    explicit LineWriter(int descriptor) : descriptor_(descriptor) {}

    enum class When { now, may_wait };
    // Whether more lines are there to be read. Only then is a line that may wait held: the turn
    // that reads the last of them flushes.
    void expect_more(bool more);
    [[nodiscard]] bool expects_more() const { return more_; }
    void put(std::string line, When when);
    void flush();
    // The final message; gives up if the client does not read. False: gave up.
    [[nodiscard]] bool flush_within(std::chrono::milliseconds timeout);
    // Whether something has been held for longer than a client should notice.
    [[nodiscard]] bool overdue() const;

private:
    [[nodiscard]] std::string begin_write() REQUIRES(mutex_);
    void end_write(bool ok);

    const int descriptor_;
    mutable Mutex mutex_;
    std::condition_variable idle_;
    // A thread writes to the descriptor, without the lock. Others wait for it, so that lines stay
    // in order and a client that does not read slows down the calls that write to it.
    bool is_writing_ GUARDED_BY(mutex_) = false;
    std::atomic<bool> more_{false};  // set under the lock
    std::string held_ GUARDED_BY(mutex_);
    std::chrono::steady_clock::time_point since_ GUARDED_BY(mutex_);
    bool broken_ GUARDED_BY(mutex_) = false;  // the client no longer reads
};

// Lines in, of bounded length.
class LineReader {
public:
    LineReader(int descriptor, std::size_t max_bytes)
        : descriptor_(descriptor), max_bytes_(max_bytes) {}

    // Whether there is a line without waiting.
    [[nodiscard]] bool ready() const;
    enum class Got { line, too_long, end, interrupted };
    // `line` is there until the next call. One that is too long is skipped to its end first.
    // `read` reads from the descriptor, as the system call does, or returns kInterrupted: what has
    // been read is kept, and next() is to be called again.
    using Read = std::function<ssize_t(int descriptor, char* into, std::size_t size)>;
    static constexpr ssize_t kInterrupted = -2;
    [[nodiscard]] Got next(std::string_view& line, const Read& read);
    // The id of the request that was too long; null: none can be told.
    [[nodiscard]] Json skipped_id() const { return skipped_.id(); }

private:
    void skip(std::string_view part);
    [[nodiscard]] ssize_t fill(const Read& read);

    const int descriptor_;
    const std::size_t max_bytes_;
    // What is to be read is from start_ to end_. Not cleared: a page that no line reaches costs
    // nothing.
    std::unique_ptr<char[]> buffer_;
    std::size_t room_ = 0;  // its size
    std::size_t start_ = 0, scanned_ = 0, end_ = 0;
    bool skipping_ = false;  // the rest of a line that was too long
    RequestIdFinder skipped_;
};

class StdioServer {
public:
    // The descriptors stay the caller's.
    StdioServer(Server& server, int in, int out, std::size_t max_line_bytes);
    ~StdioServer();  // waits for the client to close its end

    void start() { pool_.start(); }
    // Returns when the client has closed its end.
    void wait() { pool_.wait(); }
    // Nothing is read after the message at hand.
    void stop() { pool_.stop(); }
    [[nodiscard]] bool flush_within(std::chrono::milliseconds timeout) {
        return writer_->flush_within(timeout);
    }
    [[nodiscard]] const std::shared_ptr<Session>& session() const { return session_; }

private:
    [[nodiscard]] bool take_turn();
    [[nodiscard]] ssize_t read(int descriptor, char* into, std::size_t size);
    void collect();

    Server& server_;
    const std::size_t max_line_bytes_;
    const std::shared_ptr<LineWriter> writer_;
    const std::shared_ptr<Session> session_;
    const std::shared_ptr<MessageSink> sink_;  // of all requests: a line says itself whose it is
    Mutex reading_;  // held until a message has its place, so that the next one finds it
    LineReader reader_ GUARDED_BY(reading_);
    const LineReader::Read read_;
    os::AdaptiveSpin spin_;
    os::ListenerPool pool_;
    Collector collector_;
};

}  // namespace toolhost::serve
