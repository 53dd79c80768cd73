#include "host/serve/http/connection.hpp"

#include "host/serve/http/response_head.hpp"

namespace toolhost::serve {
namespace {

using std::chrono::milliseconds;
using Fault = boost::system::error_code;

constexpr std::size_t kReadBytes = 16u << 10;
// What a client that was refused may go on sending, so that it reads why instead of a reset.
constexpr std::size_t kDrainBytes = 4u << 20;
constexpr milliseconds kDrainTime{2000};
constexpr milliseconds kLastDrainTime{100};  // when the whole server waits for it
// Of a request that comes before the one at hand is answered.
constexpr std::size_t kAheadBytes = 64u << 10;

}  // namespace

HttpConnection::HttpConnection(std::unique_ptr<Wire> wire, const HttpLimits& limits,
                               std::atomic<std::size_t>& held, Take take,
                               std::function<void(HttpConnection&)> closed)
    : wire_(std::move(wire)),
      limits_(limits),
      take_(std::move(take)),
      closed_(std::move(closed)),
      // A body never stays in it: the parser takes each piece as it comes.
      buffer_(2 * (limits.header_bytes + kReadBytes) + kAheadBytes),
      out_(*wire_),
      usage_(seen_, held) {}

void HttpConnection::start() {
    MutexLock lock(mutex_);
    deadline_.set(awaits_head_ ? limits_.first_head : limits_.request);
    wire_->open(shared_from_this());
}

void HttpConnection::turn_away(std::string why) {
    turned_away_ = std::move(why);
    start();
}

void HttpConnection::on_opened(Fault fault) {
    MutexLock lock(mutex_);
    if (state_ == State::closed) return;
    if (fault) return close_now();
    if (!turned_away_.empty()) return refuse(503, turned_away_);
    next_request();
}

void HttpConnection::next_request() {
    if (winding_up_) return drain();
    state_ = State::reading;
    request_.clear();
    body_ = 0;
    count_held();
    usage_.discharge();
    keep_ = true;
    ends_ = told_to_continue_ = is_timed_ = head_taken_ = false;
    parser_.emplace(request_, limits_.header_bytes, limits_.body_bytes);
    if (!awaits_head_) deadline_.set(limits_.idle);
    if (unparsed() == 0) return read_more();
    // Later, after requests of others: pipelined requests do not run all at once.
    wire_->post([self = shared_from_this()] {
        Then then;
        {
            MutexLock lock(self->mutex_);
            if (self->state_ == State::reading) then = self->read_request();
        }
        if (then) then();
    });
}

// Also while a request is handled: the end of the stream means that the client has left.
void HttpConnection::read_more() {
    if (is_reading_ || state_ == State::closed) return;
    is_reading_ = true;
    // Not earlier: during a read, the content of the buffer must not move.
    buffer_.consume(std::exchange(parsed_, 0));
    wire_->read(buffer_.prepare(kReadBytes), shared_from_this());
}

void HttpConnection::on_read(Fault fault, std::size_t bytes) {
    Then then;
    {
        MutexLock lock(mutex_);
        is_reading_ = false;
        then = fault ? client_gone() : take_bytes(bytes);
    }
    if (then) then();
}

HttpConnection::Then HttpConnection::take_bytes(std::size_t bytes) {
    if (state_ == State::closed) return nullptr;
    if (state_ == State::draining) {
        if ((drained_ += bytes) > kDrainBytes)
            close_now();
        else
            read_more();
        return nullptr;
    }
    buffer_.commit(bytes);
    if (state_ == State::reading) return read_request();
    if (unparsed() < kAheadBytes) read_more();
    return nullptr;
}

// What a request asks for is done here, by the thread that read it: to wake another one would cost
// more than most requests.
HttpConnection::Then HttpConnection::read_request() {
    if (!parse()) return nullptr;
    state_ = State::handling;
    if (is_whole()) {
        deadline_.clear();
        if (unparsed() < kAheadBytes) read_more();
    }
    return [this] { take_(shared_from_this()); };
}

void HttpConnection::read_body() {
    MutexLock lock(mutex_);
    if (state_ != State::handling || ends_) return;
    if (winding_up_) return close_now();
    state_ = State::reading;
    parser_->reserve_body();
    if (parser_->awaits_continue() && !std::exchange(told_to_continue_, true))
        put("HTTP/1.1 100 Continue\r\n\r\n");
    read_more();
}

// Whether the request, or its head for the first time, is there; it may also have been refused.
bool HttpConnection::parse() {
    const auto* bytes = static_cast<const char*>(buffer_.data().data());
    parsed_ += parser_->take({bytes + parsed_, unparsed()});
    body_ = request_.body.size();
    count_held();
    if (const char* why = usage_.refusal(body_, limits_.held_bytes)) {
        refuse(503, why);
        return false;
    }
    if (const auto& fault = parser_->fault(); fault.status != 0) {
        refuse(fault.status, fault.text);
        return false;
    }
    keep_ = parser_->keeps();
    if (parser_->is_header_done() && std::exchange(awaits_head_, false))
        deadline_.set(limits_.request);
    if (parser_->is_done()) return true;
    // What the parser wants to see whole; headers it counts itself.
    if (unparsed() > limits_.header_bytes) {
        refuse(431, "a chunk extension or the trailer is too large");
        return false;
    }
    // The first byte of a request starts its clock.
    if (parser_->got_some() && !awaits_head_ && !std::exchange(is_timed_, true))
        deadline_.set(limits_.request);
    if (parser_->is_header_done() && !std::exchange(head_taken_, true)) return true;
    read_more();
    return false;
}

// A request that cannot be read to its end: the connection is of no more use.
void HttpConnection::refuse(int status, std::string_view text) {
    state_ = State::handling;
    HttpResponse response{status, "text/plain; charset=utf-8", std::string(text) + '\n'};
    response.close = true;
    answer(response);
}

void HttpConnection::drain() {
    state_ = State::draining;
    wire_->finish_sending(shared_from_this());
    request_.clear();
    body_ = 0;
    count_held();
    usage_.discharge();
    deadline_.set(winding_up_ ? kLastDrainTime : kDrainTime);
    parsed_ = buffer_.size();
    read_more();
}

HttpConnection::Then HttpConnection::client_gone() {
    if (state_ == State::closed) return nullptr;
    auto watcher = std::exchange(watcher_, nullptr);
    close_now();
    if (!watcher) return nullptr;
    return [watcher = std::move(watcher)] { watcher->gone(); };
}

void HttpConnection::close() {
    Then then;
    {
        MutexLock lock(mutex_);
        then = client_gone();
    }
    if (then) then();
}

void HttpConnection::close_now() {
    if (state_ == State::closed) return;
    state_ = State::closed;
    deadline_.clear();
    usage_.close();
    wire_->close(shared_from_this());
    closed_(*this);
}

bool HttpConnection::give_way() {
    Then then;
    {
        MutexLock lock(mutex_);
        if (!is_unauthenticated() || (state_ == State::handling && !ends_)) return false;
        then = client_gone();
    }
    if (then) then();
    return true;
}

void HttpConnection::wind_up() {
    MutexLock lock(mutex_);
    winding_up_ = true;
    keep_ = false;
    // A request that has only begun is not begun for its sender, either.
    if (state_ == State::reading || state_ == State::opening) close_now();
}

void HttpConnection::tick(std::chrono::steady_clock::time_point now) {
    if (!deadline_.is_due(now)) return;
    Then then;
    {
        MutexLock lock(mutex_);
        // The deadline may have been extended before the lock was taken.
        if (deadline_.is_due(now)) then = tick_now();
    }
    if (then) then();
}

HttpConnection::Then HttpConnection::tick_now() {
    switch (state_) {
        case State::streaming:
            // The previous pulse has not been read: the client is gone.
            if (!out_.empty()) return client_gone();
            stream_piece(":\n\n");
            return nullptr;
        case State::reading:
            if (parser_->got_some() || unparsed() > 0)
                refuse(408, "the request took too long to arrive");
            else
                close_now();
            return nullptr;
        case State::handling:
            return ends_ ? client_gone() : nullptr;
        case State::opening:
        case State::draining:
            close_now();
            return nullptr;
        case State::closed:
            return nullptr;
    }
    return nullptr;
}

}  // namespace toolhost::serve
