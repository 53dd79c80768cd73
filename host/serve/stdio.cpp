#include "host/serve/stdio.hpp"

#include <unistd.h>

#include <cerrno>

#include "host/runtime/descriptor.hpp"

namespace toolhost::serve {
namespace {

// Longer than most bursts of answers, shorter than anybody's patience.
constexpr std::size_t kHeldBytes = 64u << 10;
constexpr std::chrono::microseconds kHeldFor{200};
constexpr std::size_t kReadBytes = 64u << 10;

// On this thread an answer may wait for its turn to end.
thread_local bool in_turn = false;
struct InTurn {
    InTurn() { in_turn = true; }
    ~InTurn() { in_turn = false; }
};

class LineOutlet : public Outlet {
public:
    explicit LineOutlet(std::shared_ptr<LineWriter> writer) : writer_(std::move(writer)) {}
    void send(std::string message) override { writer_->put(message, true); }
    void finish(std::string message, int) override {
        if (!message.empty()) writer_->put(message, !in_turn);
    }

private:
    const std::shared_ptr<LineWriter> writer_;
};

}  // namespace

void LineWriter::put(const std::string& line, bool at_once) {
    std::lock_guard lock(mutex_);
    if (broken_) return;
    if (held_.empty()) since_ = std::chrono::steady_clock::now();
    held_ += line;
    held_ += '\n';
    if (at_once || held_.size() > kHeldBytes) write_held();
}

void LineWriter::flush() {
    std::lock_guard lock(mutex_);
    write_held();
}

bool LineWriter::overdue() const {
    std::lock_guard lock(mutex_);
    return !held_.empty() && std::chrono::steady_clock::now() - since_ > kHeldFor;
}

void LineWriter::write_held() {
    if (held_.empty()) return;
    if (!runtime::write_all(descriptor_, held_)) broken_ = true;
    held_.clear();
}

LineReader::Got LineReader::next(std::string& line) {
    for (;;) {
        const auto end = buffer_.find('\n', std::max(start_, scanned_));
        if (end != buffer_.npos) {
            const bool skipped = std::exchange(skipping_, false);
            const bool fits = end - start_ <= max_bytes_;
            if (fits) line.assign(buffer_, start_, end - start_);
            start_ = scanned_ = end + 1;
            if (skipped) continue;
            return fits ? Got::line : Got::too_long;
        }
        scanned_ = buffer_.size();
        if (buffer_.size() - start_ > max_bytes_) {
            buffer_.clear();
            start_ = scanned_ = 0;
            if (!std::exchange(skipping_, true)) return Got::too_long;
        }
        if (fill()) continue;
        // A last line without an end counts.
        line.assign(buffer_, start_, buffer_.npos);
        buffer_.clear();
        start_ = scanned_ = 0;
        return line.empty() || skipping_ ? Got::end : Got::line;
    }
}

bool LineReader::fill() {
    if (start_ > 0) {
        buffer_.erase(0, start_);
        scanned_ -= start_;
        start_ = 0;
    }
    const auto size = buffer_.size();
    buffer_.resize(size + kReadBytes);
    ssize_t got;
    do got = ::read(descriptor_, buffer_.data() + size, kReadBytes);
    while (got < 0 && errno == EINTR);
    buffer_.resize(size + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    return got > 0;
}

StdioServer::StdioServer(Server& server, int in, int out, std::size_t max_line_bytes)
    : server_(server),
      max_line_bytes_(max_line_bytes),
      writer_(std::make_shared<LineWriter>(out)),
      session_(std::make_shared<Session>(Principal{})),
      reader_(in, max_line_bytes),
      crew_([this] { return take_turn(); }) {
    session_->set_standalone(std::make_shared<LineOutlet>(writer_));
}

StdioServer::~StdioServer() {
    session_->close();
    crew_.stop();
    crew_.join();
    writer_->flush();
}

bool StdioServer::take_turn() {
    std::string line;
    {
        std::lock_guard lock(reading_);
        if (!reader_.ready() || writer_->overdue()) writer_->flush();
        const auto got = reader_.next(line);
        more_ = reader_.ready();
        if (got == LineReader::Got::end) return writer_->flush(), false;
        if (got == LineReader::Got::too_long) {
            const RpcError error{rpc_code::kInvalidRequest,
                                 "Invalid request: the message has more than " +
                                     std::to_string(max_line_bytes_) + " bytes"};
            return writer_->put(error_text({}, error), true), true;
        }
    }
    if (line.find_first_not_of(" \t\r") == line.npos) return true;
    {
        const Crew::Away away(crew_);
        const InTurn now;
        server_.handle(session_, line, std::make_shared<LineOutlet>(writer_));
    }
    if (!more_) writer_->flush();
    return true;
}

}  // namespace toolhost::serve
