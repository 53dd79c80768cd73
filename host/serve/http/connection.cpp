#include "host/serve/http/connection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/post.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

#include "host/serve/headers.hpp"

namespace toolhost::serve {
namespace {

namespace net = boost::asio;
namespace http = boost::beast::http;
using std::chrono::milliseconds;

constexpr std::size_t kReadBytes = 16u << 10;
// What a client that was refused may go on sending, so that it reads why instead of a reset.
constexpr std::size_t kDrainBytes = 4u << 20;
constexpr milliseconds kDrainTime{2000};
constexpr milliseconds kLastDrainTime{100};  // when the whole server waits for it
// So long a body may always be, however much others hold.
constexpr std::size_t kSmallBody = 64u << 10;
// Of a request that comes before the one at hand is answered.
constexpr std::size_t kAheadBytes = 64u << 10;

std::int64_t as_ms(std::chrono::steady_clock::time_point time) {
    return std::chrono::duration_cast<milliseconds>(time.time_since_epoch()).count();
}

// How a client knows where a response ends.
enum class Length { stated, chunked, until_close };

std::string head_of(const HttpResponse& response, bool keep, Length length) {
    auto head = fmt::format("HTTP/1.1 {} {}\r\n", response.status,
                            std::string_view(http::obsolete_reason(
                                http::int_to_status(static_cast<unsigned>(response.status)))));
    auto out = std::back_inserter(head);
    if (!response.type.empty()) fmt::format_to(out, "Content-Type: {}\r\n", response.type);
    for (const auto& [name, value] : response.headers)
        fmt::format_to(out, "{}: {}\r\n", name, value);
    if (length == Length::chunked)
        head += "Transfer-Encoding: chunked\r\n";
    else if (length == Length::stated && response.status != 204)
        fmt::format_to(out, "Content-Length: {}\r\n", response.body.size());
    if (!keep) head += "Connection: close\r\n";
    return head + "\r\n";
}

struct ParseFault {
    http::error error;
    int status;
    const char* text;
};
constexpr ParseFault kParseFaults[] = {
    {http::error::body_limit, 413, "the request's body is larger than this server takes"},
    {http::error::header_limit, 431, "the request's headers are larger than this server takes"},
};

}  // namespace

struct HttpConnection::Parser {
    http::request_parser<http::string_body> of;
    bool headers_seen = false;
};

HttpConnection::HttpConnection(std::unique_ptr<Wire> wire, const HttpLimits& limits,
                               std::atomic<std::size_t>& held, Take take,
                               std::function<void(HttpConnection&)> closed)
    : wire_(std::move(wire)),
      limits_(limits),
      held_(held),
      take_(std::move(take)),
      closed_(std::move(closed)),
      // A body never stays in it: the parser takes each piece as it comes.
      buffer_(2 * (limits.header_bytes + kReadBytes) + kAheadBytes) {}

HttpConnection::~HttpConnection() = default;

template <class Work>
void HttpConnection::within(Work work) {
    net::dispatch(wire_->strand(), [self = shared_from_this(), work = std::move(work)]() mutable {
        if (self->state_ != State::closed) work(*self);
    });
}

void HttpConnection::start() {
    open([self = shared_from_this()] { self->next_request(); });
}

void HttpConnection::turn_away(std::string why) {
    open([self = shared_from_this(), why = std::move(why)] { self->refuse(503, why); });
}

void HttpConnection::open(std::function<void()> opened) {
    set_deadline(limits_.request);
    within([opened = std::move(opened)](HttpConnection& self) mutable {
        self.wire_->open([kept = self.shared_from_this(),
                          opened = std::move(opened)](boost::system::error_code fault) {
            if (kept->state_ == State::closed) return;
            if (fault) return kept->close_now();
            opened();
        });
    });
}

void HttpConnection::next_request() {
    if (winding_up_) return drain();
    state_ = State::reading;
    request_ = {};
    count_held(0, unsent_);
    keep_ = true;
    ends_ = told_to_continue_ = false;
    parser_ = std::make_unique<Parser>();
    parser_->of.eager(true);
    parser_->of.header_limit(static_cast<std::uint32_t>(limits_.header_bytes));
    parser_->of.body_limit(limits_.body_bytes);
    set_deadline(unparsed() > 0 ? limits_.request : limits_.idle);
    parse();
}

std::size_t HttpConnection::unparsed() const {
    return buffer_.size() - parsed_;
}

// Also while a request is handled: an end of the stream then says that nobody waits any more.
void HttpConnection::read_more() {
    if (is_reading_ || state_ == State::closed) return;
    is_reading_ = true;
    // Not sooner: while somebody reads into it, what is in the buffer must stay where it is.
    buffer_.consume(std::exchange(parsed_, 0));
    wire_->read(buffer_.prepare(kReadBytes), [self = shared_from_this()](auto fault, auto bytes) {
        self->on_read(fault, bytes);
    });
}

void HttpConnection::on_read(boost::system::error_code fault, std::size_t bytes) {
    is_reading_ = false;
    if (state_ == State::closed) return;
    if (fault) return client_gone();
    if (state_ == State::draining) {
        if ((drained_ += bytes) > kDrainBytes) return close_now();
        return read_more();
    }
    // The first byte of a request starts its clock.
    if (state_ == State::reading && unparsed() == 0 && !parser_->of.got_some())
        set_deadline(limits_.request);
    buffer_.commit(bytes);
    if (state_ == State::reading) return parse();
    if (unparsed() < kAheadBytes) read_more();
}

void HttpConnection::parse() {
    boost::system::error_code fault;
    while (!fault && !parser_->of.is_done() && unparsed() > 0) {
        parsed_ += parser_->of.put(buffer_.data() + parsed_, fault);
        if (parser_->of.is_header_done() && !parser_->headers_seen) on_header();
        if (state_ != State::reading) return;
    }
    count_held(parser_->of.get().body().size(), unsent_);
    if (body_ > kSmallBody && held_ > limits_.held_bytes)
        return refuse(503, "clients send more at once than this server takes: try again later");
    if (fault && fault != http::error::need_more) {
        for (const auto& known : kParseFaults)
            if (fault == known.error) return refuse(known.status, known.text);
        return refuse(400, "the request is not HTTP as it should be: " + fault.message());
    }
    if (parser_->of.is_done()) return take();
    // What the parser wants to see whole; headers it counts itself.
    if (unparsed() > limits_.header_bytes)
        return refuse(431, "a chunk's extension or the trailer is larger than this server takes");
    read_more();
}

void HttpConnection::on_header() {
    parser_->headers_seen = true;
    const auto& message = parser_->of.get();
    keep_ = message.keep_alive();
    chunks_ = message.version() >= 11;
    const std::string_view target(message.target());
    request_ = {std::string(message.method_string()),
                std::string(target.substr(0, target.find('?'))),
                {},
                {}};
    for (const auto& field : message) {
        auto name = lower_case(std::string_view(field.name_string()));
        const bool read = std::ranges::find(kHeadersRead, name) != std::end(kHeadersRead) ||
                          name.starts_with(kParamHeaders);
        if (!read) continue;
        if (request_.header(name)) return refuse(400, "the header " + name + " stands twice");
        request_.headers.emplace_back(std::move(name), std::string_view(field.value()));
    }
    // Anything else would leave a body that two readers end at different places.
    if (const auto coding = message[http::field::transfer_encoding];
        !coding.empty() && !boost::beast::iequals(coding, "chunked"))
        return refuse(501, "the only Transfer-Encoding that this server reads is chunked");
    if (message.version() == 11 && !parser_->of.is_done() && !told_to_continue_ &&
        boost::beast::iequals(message[http::field::expect], "100-continue")) {
        told_to_continue_ = true;
        put("HTTP/1.1 100 Continue\r\n\r\n");
    }
}

void HttpConnection::take() {
    state_ = State::handling;
    deadline_ = 0;
    request_.body = std::move(parser_->of.get().body());
    if (unparsed() < kAheadBytes) read_more();
    take_(shared_from_this());
}

// A request that cannot be read to its end: the connection is of no more use.
void HttpConnection::refuse(int status, std::string_view text) {
    state_ = State::handling;
    HttpResponse response{status, "text/plain; charset=utf-8", std::string(text) + '\n'};
    response.close = true;
    respond(std::move(response));
}

void HttpConnection::respond(HttpResponse response) {
    within([response = std::move(response)](HttpConnection& self) {
        if (self.state_ != State::handling) return;
        if (response.close || self.winding_up_) self.keep_ = false;
        std::string bytes = head_of(response, self.keep_, Length::stated);
        if (self.request_.method != "HEAD") bytes += response.body;
        self.ends_ = true;
        self.gone_ = nullptr;
        self.set_deadline(self.limits_.sending);
        self.put(std::move(bytes));
    });
}

void HttpConnection::begin_stream(HttpResponse head) {
    within([head = std::move(head)](HttpConnection& self) {
        if (self.state_ != State::handling) return;
        self.state_ = State::streaming;
        if (!self.chunks_) self.keep_ = false;  // else nobody could tell where it ends
        self.set_deadline(self.limits_.stream_pulse);
        self.put(head_of(head, self.keep_, self.chunks_ ? Length::chunked : Length::until_close));
    });
}

void HttpConnection::stream(std::string text) {
    within([text = std::move(text)](HttpConnection& self) {
        if (self.state_ != State::streaming || self.ends_ || text.empty()) return;
        self.set_deadline(self.limits_.stream_pulse);
        self.put(self.chunks_ ? fmt::format("{:x}\r\n{}\r\n", text.size(), text) : text);
    });
}

void HttpConnection::end_stream() {
    within([](HttpConnection& self) {
        if (self.state_ != State::streaming || self.ends_) return;
        self.ends_ = true;
        self.gone_ = nullptr;
        self.set_deadline(self.limits_.sending);
        self.put(self.chunks_ ? "0\r\n\r\n" : "");
    });
}

void HttpConnection::when_gone(std::function<void()> gone) {
    net::dispatch(wire_->strand(), [self = shared_from_this(), gone = std::move(gone)]() mutable {
        if (self->state_ == State::closed) return gone();
        self->gone_ = std::move(gone);
    });
}

void HttpConnection::put(std::string bytes) {
    count_held(body_, unsent_ + bytes.size());
    // A first answer is always sent, however long it is.
    if (unsent_ > limits_.unsent_bytes && !out_.empty()) {
        // Later: whoever sends may hold what the client's going away needs.
        net::post(wire_->strand(), [self = shared_from_this()] { self->client_gone(); });
        return;
    }
    out_.push_back(std::move(bytes));
    if (out_.size() == 1) write_next();
}

void HttpConnection::write_next() {
    wire_->write(net::buffer(out_.front()),
                 [self = shared_from_this()](auto fault, auto) { self->on_written(fault); });
}

void HttpConnection::on_written(boost::system::error_code fault) {
    if (state_ == State::closed) return;
    if (fault) return client_gone();
    count_held(body_, unsent_ - out_.front().size());
    out_.pop_front();
    if (!out_.empty()) return write_next();
    if (ends_) answered();
}

void HttpConnection::count_held(std::size_t body, std::size_t unsent) {
    body_ = body;
    unsent_ = unsent;
    held_ += body + unsent - holds_;  // may go down: unsigned numbers wrap
    holds_ = body + unsent;
}

void HttpConnection::answered() {
    if (!keep_) return drain();
    next_request();
}

void HttpConnection::drain() {
    state_ = State::draining;
    wire_->finish_sending();
    count_held(0, unsent_);
    set_deadline(winding_up_ ? kLastDrainTime : kDrainTime);
    parsed_ = buffer_.size();
    read_more();
}

void HttpConnection::client_gone() {
    if (state_ == State::closed) return;
    const auto gone = std::exchange(gone_, nullptr);
    close_now();
    if (gone) gone();
}

void HttpConnection::close() {
    within([](HttpConnection& self) { self.client_gone(); });
}

void HttpConnection::close_now() {
    if (state_ == State::closed) return;
    state_ = State::closed;
    deadline_ = 0;
    count_held(0, 0);
    wire_->close();
    closed_(*this);
}

void HttpConnection::wind_up() {
    within([](HttpConnection& self) {
        self.winding_up_ = true;
        self.keep_ = false;
        // A request that has only begun is not begun for its sender, either.
        if (self.state_ == State::reading || self.state_ == State::opening) self.close_now();
    });
}

void HttpConnection::set_deadline(milliseconds from_now) {
    deadline_ = as_ms(std::chrono::steady_clock::now() + from_now);
}

void HttpConnection::tick(std::chrono::steady_clock::time_point now) {
    if (!is_due(now)) return;
    // Whoever set a new one in between has shown that there is somebody.
    within([now](HttpConnection& self) {
        if (self.is_due(now)) self.tick_now();
    });
}

bool HttpConnection::is_due(std::chrono::steady_clock::time_point now) const {
    const auto deadline = deadline_.load();
    return deadline != 0 && as_ms(now) >= deadline;
}

void HttpConnection::tick_now() {
    switch (state_) {
        case State::streaming:
            // The pulse before this one has not been read: nobody is there.
            if (!out_.empty()) return client_gone();
            return stream(":\n\n");
        case State::reading:
            if (parser_->of.got_some() || unparsed() > 0)
                return refuse(408, "the request took too long to arrive");
            return close_now();
        case State::handling:
            if (ends_) client_gone();
            return;
        case State::opening:
        case State::draining:
            return close_now();
        case State::closed:
            return;
    }
}

}  // namespace toolhost::serve
