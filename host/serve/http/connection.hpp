// One client's connection: requests in, one at a time, each answered whole or as a stream.
#pragma once

#include <atomic>
#include <boost/beast/core/flat_buffer.hpp>
#include <chrono>
#include <deque>
#include <functional>
#include <memory>

#include "host/serve/http/message.hpp"
#include "host/serve/http/wire.hpp"

namespace toolhost::serve {

struct HttpLimits {
    std::size_t connections = 1024;
    std::size_t header_bytes = 16u << 10;
    std::size_t body_bytes = 16u << 20;
    // What a slow reader may leave waiting; then it is no reader.
    std::size_t unsent_bytes = 16u << 20;
    // Bodies and unread answers of all connections together. Beyond it bodies are refused, and
    // those who hold most are let go.
    std::size_t held_bytes = 128u << 20;
    std::chrono::milliseconds request{30'000};   // from a request's first byte to its last
    std::chrono::milliseconds idle{75'000};      // between requests
    std::chrono::milliseconds sending{120'000};  // of an answer that is there
    std::chrono::milliseconds stream_pulse{15'000};
};

class HttpConnection : public std::enable_shared_from_this<HttpConnection> {
public:
    // Called within the strand for each request; an answer may come later, from any thread.
    using Take = std::function<void(const std::shared_ptr<HttpConnection>&)>;
    // `held`: what all connections hold together.
    HttpConnection(std::unique_ptr<Wire> wire, const HttpLimits& limits,
                   std::atomic<std::size_t>& held, Take take,
                   std::function<void(HttpConnection&)> closed);
    ~HttpConnection();

    void start();
    // Instead: says why nothing is taken here, and ends.
    void turn_away(std::string why);
    [[nodiscard]] HttpRequest& request() { return request_; }

    // The answer to the request at hand, from any thread: respond(), or begin_stream() and any
    // number of stream() and one end_stream().
    void respond(HttpResponse response);
    void begin_stream(HttpResponse head);
    void stream(std::string text);
    void end_stream();
    // Called if the client goes, or has gone, before the answer to the request at hand has ended.
    void when_gone(std::function<void()> gone);

    // What is due at this time: too slow a client is sent away, a silent stream gets its pulse.
    void tick(std::chrono::steady_clock::time_point now);
    // After the answer at hand no other request is taken.
    void wind_up();
    void close();
    // Bytes of a request's body and of answers that wait for their reader.
    [[nodiscard]] std::size_t holds() const { return holds_; }

private:
    enum class State { opening, reading, handling, streaming, draining, closed };
    struct Parser;

    void open(std::function<void()> opened);
    void read_more();
    void on_read(boost::system::error_code fault, std::size_t bytes);
    void parse();
    void on_header();
    void take();
    void refuse(int status, std::string_view text);
    void put(std::string bytes);
    void write_next();
    void on_written(boost::system::error_code fault);
    void count_held(std::size_t body, std::size_t unsent);
    void answered();
    void next_request();
    void drain();
    void client_gone();
    void close_now();
    void set_deadline(std::chrono::milliseconds from_now);
    [[nodiscard]] bool is_due(std::chrono::steady_clock::time_point now) const;
    void tick_now();
    [[nodiscard]] std::size_t unparsed() const;
    template <class Work>
    void within(Work work);

    const std::unique_ptr<Wire> wire_;
    const HttpLimits& limits_;
    std::atomic<std::size_t>& held_;
    const Take take_;
    const std::function<void(HttpConnection&)> closed_;
    State state_ = State::opening;
    boost::beast::flat_buffer buffer_;
    std::size_t parsed_ = 0;  // of the buffer's bytes, from its beginning
    std::unique_ptr<Parser> parser_;
    HttpRequest request_;
    bool is_reading_ = false, keep_ = true, ends_ = false, told_to_continue_ = false;
    bool chunks_ = true;  // HTTP/1.0 has none
    bool winding_up_ = false;
    std::size_t drained_ = 0;
    std::deque<std::string> out_;
    std::size_t body_ = 0, unsent_ = 0;
    std::atomic<std::size_t> holds_{0};
    std::function<void()> gone_;
    std::atomic<std::int64_t> deadline_{0};  // steady clock's milliseconds; 0: none
};

using ConnectionPtr = std::shared_ptr<HttpConnection>;

}  // namespace toolhost::serve
