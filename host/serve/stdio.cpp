#include "host/serve/stdio.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>

#include "host/os/descriptor.hpp"

namespace toolhost::serve {
namespace {

// Longer than most bursts of responses, too short to notice.
constexpr std::size_t kHeldBytes = 64u << 10;
constexpr std::chrono::microseconds kHeldFor{200};
constexpr std::size_t kLineReadBytes = 64u << 10;
// What a long message has made larger is given back.
constexpr std::size_t kKeptBufferBytes = 1u << 20;

class LineSink : public MessageSink {
public:
    explicit LineSink(std::shared_ptr<LineWriter> writer) : writer_(std::move(writer)) {}
    void send(std::string message) override {
        writer_->put(std::move(message), LineWriter::When::now);
    }
    void finish(std::string message, int) override {
        if (!message.empty()) writer_->put(std::move(message), LineWriter::When::may_wait);
    }

private:
    const std::shared_ptr<LineWriter> writer_;
};

}  // namespace

void LineWriter::expect_more(bool more) {
    MutexLock lock(mutex_);
    more_ = more;
}

void LineWriter::put(std::string line, When when) {
    line += '\n';
    std::string text;
    {
        MutexLock lock(mutex_);
        idle_.wait(lock.native(), [&]() REQUIRES(mutex_) { return !is_writing_; });
        if (broken_) return;
        const bool waits = when == When::may_wait && more_;
        if (held_.empty()) {
            held_ = std::move(line);
            if (waits) since_ = std::chrono::steady_clock::now();
        } else {
            held_ += line;
        }
        if (waits && held_.size() <= kHeldBytes) return;
        text = begin_write();
    }
    end_write(os::write_all(descriptor_, text));
}

void LineWriter::flush() {
    std::string text;
    {
        MutexLock lock(mutex_);
        idle_.wait(lock.native(), [&]() REQUIRES(mutex_) { return !is_writing_; });
        if (held_.empty()) return;
        text = begin_write();
    }
    end_write(os::write_all(descriptor_, text));
}

bool LineWriter::flush_within(std::chrono::milliseconds timeout) {
    std::string text;
    {
        MutexLock lock(mutex_);
        // The thread that writes may be waiting for a client that does not read.
        const auto is_idle = [&]() REQUIRES(mutex_) { return !is_writing_; };
        if (!idle_.wait_for(lock.native(), timeout, is_idle)) return false;
        if (broken_) return true;
        text = begin_write();
    }
    bool ok = true;
    pollfd waiting{descriptor_, POLLOUT, 0};
    // A pipe that takes anything takes this much without waiting.
    for (std::string_view rest = text; ok && !rest.empty();) {
        const auto piece = rest.substr(0, PIPE_BUF);
        ok = ::poll(&waiting, 1, static_cast<int>(timeout.count())) > 0 &&
             os::write_all(descriptor_, piece);
        rest.remove_prefix(piece.size());
    }
    end_write(ok);
    return ok;
}

bool LineWriter::overdue() const {
    MutexLock lock(mutex_);
    return !held_.empty() && std::chrono::steady_clock::now() - since_ > kHeldFor;
}

std::string LineWriter::begin_write() {
    is_writing_ = true;
    return std::exchange(held_, {});
}

void LineWriter::end_write(bool ok) {
    {
        MutexLock lock(mutex_);
        is_writing_ = false;
        if (!ok) broken_ = true;
    }
    idle_.notify_all();
}

bool LineReader::ready() const {
    return end_ > start_ && std::memchr(buffer_.get() + start_, '\n', end_ - start_) != nullptr;
}

LineReader::Got LineReader::next(std::string_view& line, const Read& read) {
    const auto until = [&](std::size_t end) {
        return std::string_view(buffer_.get() + start_, end - start_);
    };
    for (;;) {
        const auto from = std::max(start_, scanned_);
        const void* found =
            end_ > from ? std::memchr(buffer_.get() + from, '\n', end_ - from) : nullptr;
        if (found) {
            const auto end =
                static_cast<std::size_t>(static_cast<const char*>(found) - buffer_.get());
            const bool fits = !skipping_ && end - start_ <= max_bytes_;
            if (fits)
                line = until(end);
            else
                skip(until(end));
            start_ = scanned_ = end + 1;
            skipping_ = false;
            return fits ? Got::line : Got::too_long;
        }
        scanned_ = end_;
        if (skipping_ || end_ - start_ > max_bytes_) {
            skip(until(end_));
            start_ = scanned_ = end_ = 0;
        }
        const auto got = fill(read);
        if (got == kInterrupted) return Got::interrupted;
        if (got > 0) continue;
        // A last line without an end counts.
        line = until(end_);
        start_ = scanned_ = end_ = 0;
        if (std::exchange(skipping_, false)) return Got::too_long;
        return line.empty() ? Got::end : Got::line;
    }
}

// Part of a line that is too long.
void LineReader::skip(std::string_view part) {
    if (!std::exchange(skipping_, true)) skipped_ = {};
    skipped_.take(part);
}

// The buffer's memory is kept and not cleared: a small message would cost more by that than by all
// else that is done with it here.
ssize_t LineReader::fill(const Read& read) {
    if (start_ > 0) {
        std::memmove(buffer_.get(), buffer_.get() + start_, end_ - start_);
        scanned_ -= start_;
        end_ -= start_;
        start_ = 0;
    }
    if (room_ - end_ < kLineReadBytes || (end_ == 0 && room_ > kKeptBufferBytes)) {
        room_ = 2 * (end_ + kLineReadBytes);
        auto larger = std::make_unique_for_overwrite<char[]>(room_);
        if (end_ > 0) std::memcpy(larger.get(), buffer_.get(), end_);
        buffer_ = std::move(larger);
    }
    const auto got = read(descriptor_, buffer_.get() + end_, kLineReadBytes);
    if (got > 0) end_ += static_cast<std::size_t>(got);
    return got;
}

StdioServer::StdioServer(Server& server, int in, int out, std::size_t max_line_bytes)
    : server_(server),
      max_line_bytes_(max_line_bytes),
      writer_(std::make_shared<LineWriter>(out)),
      session_(std::make_shared<Session>(Principal{})),
      sink_(std::make_shared<LineSink>(writer_)),
      reader_(in, max_line_bytes),
      read_([this](int descriptor, char* into, std::size_t size) {
          return read(descriptor, into, size);
      }),
      pool_([this] { return take_turn(); }),
      collector_(server.options().posted, pool_) {
    session_->set_standalone(sink_);
}

StdioServer::~StdioServer() {
    session_->close();
    pool_.stop();
    pool_.join();
    collector_.close();
    collector_.await_gone();
    writer_->flush();
}

namespace {

ssize_t read_retrying(int descriptor, char* into, std::size_t size) {
    ssize_t got;
    do got = ::read(descriptor, into, size);
    while (got < 0 && errno == EINTR);
    return got;
}

}  // namespace

// The next request of a busy client comes sooner than a core wakes up. Where there is one core
// only, the read itself is the wait.
ssize_t StdioServer::read(int descriptor, char* into, std::size_t size) {
    pollfd ready[] = {{descriptor, POLLIN, 0}, {collector_.bells(), POLLIN, 0}};
    const auto something = [&] { return collector_.ready() || ::poll(ready, 1, 0) != 0; };
    const bool there = os::can_spin() && spin_.until(something);
    if (collector_.ready()) return LineReader::kInterrupted;
    if (there) return read_retrying(descriptor, into, size);
    const auto start = spin_.now();
    if (const Collector::Pause pause(collector_); pause.is_granted()) {
        const auto got = read_retrying(descriptor, into, size);
        spin_.slept(spin_.now() - start);
        return got;
    }
    const Collector::Sleep sleep(collector_);
    if (!collector_.ready()) ::poll(ready, std::size(ready), -1);
    spin_.slept(spin_.now() - start);
    if (ready[1].revents != 0) collector_.read_bells();
    // Collected first: their clients wait for longer.
    if (collector_.ready() || ready[0].revents == 0) return LineReader::kInterrupted;
    return read_retrying(descriptor, into, size);
}

// In one write, if nobody reads a line meanwhile.
void StdioServer::collect() {
    if (!collector_.ready()) return;
    writer_->expect_more(true);
    collector_.collect();
    writer_->expect_more(false);
    writer_->flush();
}

bool StdioServer::take_turn() {
    MutexLock lock(reading_);
    if (!reader_.ready() || writer_->overdue()) writer_->flush();
    std::string_view line;
    const auto got = reader_.next(line, read_);
    if (got == LineReader::Got::interrupted) {
        lock.unlock();
        return collect(), true;
    }
    writer_->expect_more(reader_.ready());
    if (got == LineReader::Got::end) {
        collector_.close();
        return writer_->flush(), false;
    }
    if (got == LineReader::Got::too_long) {
        const RpcError error{rpc_code::kInvalidRequest,
                             "Invalid request: the message has more than " +
                                 std::to_string(max_line_bytes_) + " bytes"};
        return writer_->put(error_text(reader_.skipped_id(), error), LineWriter::When::now), true;
    }
    if (line.find_first_not_of(" \t\r") == line.npos) return true;
    {
        const Server::Visit visit(server_);  // before others can see that this was the last
        const auto pending = server_.receive(visit, session_, line, sink_);
        const os::ListenerPool::Away away(pool_);
        collector_.expect_more(reader_.ready());
        lock.unlock();
        for (const auto& request : pending) request->run();
    }
    if (!writer_->expects_more()) writer_->flush();
    return true;
}

}  // namespace toolhost::serve
