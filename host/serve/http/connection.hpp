// One client's connection: requests in, one at a time, each answered whole or as a stream.
#pragma once

#include <atomic>
#include <boost/beast/core/flat_buffer.hpp>
#include <functional>
#include <memory>
#include <optional>

#include "host/base/mutex.hpp"
#include "host/serve/http/atomic_deadline.hpp"
#include "host/serve/http/connection_usage.hpp"
#include "host/serve/http/limits.hpp"
#include "host/serve/http/message.hpp"
#include "host/serve/http/request_parser.hpp"
#include "host/serve/http/send_queue.hpp"
#include "host/serve/http/wire.hpp"

namespace toolhost::serve {

class HttpConnection : public WireUser, public std::enable_shared_from_this<HttpConnection> {
public:
    // Called for each request on the thread that read it, which may be kept; an answer may come
    // later, from any thread. Where the body has not come with the headers, it is called with the
    // headers first (is_whole() is false): to answer, which closes the connection, or to
    // read_body(), after which it is called again.
    using Take = std::function<void(const std::shared_ptr<HttpConnection>&)>;
    // `held`: what all connections hold together.
    HttpConnection(std::unique_ptr<Wire> wire, const HttpLimits& limits,
                   std::atomic<std::size_t>& held, Take take,
                   std::function<void(HttpConnection&)> closed);

    // Call before start(): a token is required, and the connection is unauthenticated until it
    // has shown one.
    void expect_token() {
        MutexLock lock(mutex_);
        awaits_head_ = true;
        usage_.expect_token();
    }
    // The current request has shown a principal's token: the connection counts as that principal's
    // from now on. False: the principal has `most` connections already.
    [[nodiscard]] bool let_in(const UsagePtr& principal, std::size_t most) {
        MutexLock lock(mutex_);
        return state_ != State::closed && usage_.let_in(principal, most);
    }
    // The request has no valid token: the connection is unauthenticated again.
    void let_out() {
        MutexLock lock(mutex_);
        usage_.let_out();
    }
    [[nodiscard]] bool is_unauthenticated() const { return seen_.is_unauthenticated; }
    [[nodiscard]] std::chrono::steady_clock::time_point begun() const { return begun_; }
    // Closes an unauthenticated connection to make room, unless the server is working on a
    // response. True: it is closed.
    bool give_way();

    void start();
    // In place of start(): sends the reason why nothing is accepted, and closes.
    void turn_away(std::string why);
    // The current request, until it is answered.
    [[nodiscard]] HttpRequest& request() { return request_; }
    // Whether its body is there, too.
    [[nodiscard]] bool is_whole() const { return parser_->is_done(); }
    void read_body();
    // From now until it is answered, the bytes of the request at hand count as a principal's.
    // Beyond `bytes` a body is refused.
    void charge(UsagePtr usage, std::size_t bytes) {
        MutexLock lock(mutex_);
        if (state_ != State::closed) usage_.charge(std::move(usage), bytes);
    }

    // connection_answers.cpp
    // The answer to the request at hand, from any thread: respond(), or begin_stream() and any
    // number of stream() and one end_stream().
    void respond(const HttpResponse& response);
    void begin_stream(const HttpResponse& head);
    void stream(std::string_view text);
    void end_stream();
    class Watcher {
    public:
        virtual ~Watcher() = default;
        virtual void gone() = 0;
    };
    // Told if the client goes, or has gone, before the answer to the request at hand has ended.
    void when_gone(std::shared_ptr<Watcher> watcher);

    // What is due at this time: too slow a client is sent away, a silent stream gets its pulse.
    void tick(std::chrono::steady_clock::time_point now);
    // After the answer at hand no other request is taken.
    void wind_up();
    void close();
    // Bytes of a request's body and of answers that wait for their reader.
    [[nodiscard]] std::size_t holds() const { return seen_.holds; }
    // Whose bytes these are; null: not known yet.
    [[nodiscard]] UsagePtr charged() {
        MutexLock lock(mutex_);
        return usage_.charged();
    }

    // The wire's word.
    void on_opened(boost::system::error_code fault) override;
    void on_read(boost::system::error_code fault, std::size_t bytes) override;
    void on_written(boost::system::error_code fault, std::size_t bytes) override;

private:
    enum class State { opening, reading, handling, streaming, draining, closed };
    // What is to be called once the lock is released; null: nothing.
    using Then = std::function<void()>;

    void next_request() REQUIRES(mutex_);
    [[nodiscard]] Then take_bytes(std::size_t bytes) REQUIRES(mutex_);
    [[nodiscard]] Then read_request() REQUIRES(mutex_);
    [[nodiscard]] bool parse() REQUIRES(mutex_);
    void read_more() REQUIRES(mutex_);
    void refuse(int status, std::string_view text) REQUIRES(mutex_);
    void drain() REQUIRES(mutex_);
    void count_held() REQUIRES(mutex_) { usage_.hold(body_ + out_.bytes()); }
    [[nodiscard]] Then client_gone() REQUIRES(mutex_);
    void close_now() REQUIRES(mutex_);
    [[nodiscard]] Then tick_now() REQUIRES(mutex_);
    // connection_answers.cpp
    void answer(const HttpResponse& response) REQUIRES(mutex_);
    void stream_piece(std::string_view text) REQUIRES(mutex_);
    void put(std::string bytes) REQUIRES(mutex_);
    void sent() REQUIRES(mutex_);

    [[nodiscard]] std::size_t unparsed() const REQUIRES(mutex_) { return buffer_.size() - parsed_; }

    const std::unique_ptr<Wire> wire_;
    const HttpLimits& limits_;
    const Take take_;
    const std::function<void(HttpConnection&)> closed_;
    std::string turned_away_;  // why; empty: it is not

    Mutex mutex_;
    State state_ GUARDED_BY(mutex_) = State::opening;
    boost::beast::flat_buffer buffer_ GUARDED_BY(mutex_);
    std::size_t parsed_ GUARDED_BY(mutex_) = 0;  // of the buffer's bytes, from its beginning
    // These two change under the lock, and not while the request is handled: its taker reads them.
    HttpRequest request_;
    std::optional<HttpRequestParser> parser_;
    SendQueue out_ GUARDED_BY(mutex_);
    bool is_reading_ GUARDED_BY(mutex_) = false;
    bool is_timed_ GUARDED_BY(mutex_) = false;  // the request at hand has its own deadline
    bool head_taken_ GUARDED_BY(mutex_) = false;
    bool awaits_head_ GUARDED_BY(mutex_) = false;  // the first one, with a deadline of its own
    SeenUsage seen_;
    ConnectionUsage usage_ GUARDED_BY(mutex_);
    const std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
    bool keep_ GUARDED_BY(mutex_) = true, ends_ GUARDED_BY(mutex_) = false,
               told_to_continue_ GUARDED_BY(mutex_) = false;
    // Part of an answer was not sent, and so nothing after it may be.
    bool lost_ GUARDED_BY(mutex_) = false;
    bool winding_up_ GUARDED_BY(mutex_) = false;
    std::size_t drained_ GUARDED_BY(mutex_) = 0;
    // Of the request at hand, wherever its taker has put it.
    std::size_t body_ GUARDED_BY(mutex_) = 0;
    std::shared_ptr<Watcher> watcher_ GUARDED_BY(mutex_);
    AtomicDeadline deadline_;
};

using ConnectionPtr = std::shared_ptr<HttpConnection>;

}  // namespace toolhost::serve
