// The answers of an HttpConnection (connection.hpp).
#include "host/serve/http/connection.hpp"
#include "host/serve/http/response_head.hpp"

namespace toolhost::serve {

void HttpConnection::respond(const HttpResponse& response) {
    std::shared_ptr<Watcher> unneeded;  // goes after the lock, with all that it holds
    MutexLock lock(mutex_);
    if (state_ != State::handling || ends_) return;
    unneeded.swap(watcher_);
    answer(response);
}

void HttpConnection::answer(const HttpResponse& response) {
    // The response precedes the body, which is not read.
    if (response.close || winding_up_ || (parser_ && !parser_->is_done())) keep_ = false;
    std::string bytes = head_of(response, keep_, BodyLength::stated);
    if (request_.method != "HEAD") bytes += response.body;
    ends_ = true;
    put(std::move(bytes));
    if (!out_.empty()) deadline_.set(limits_.sending);
}

void HttpConnection::begin_stream(const HttpResponse& head) {
    MutexLock lock(mutex_);
    if (state_ != State::handling || ends_) return;
    state_ = State::streaming;
    const bool chunks = parser_->knows_chunks();
    if (!chunks) keep_ = false;  // otherwise the client cannot tell where it ends
    deadline_.set(limits_.stream_pulse);
    put(head_of(head, keep_, chunks ? BodyLength::chunked : BodyLength::until_close));
}

void HttpConnection::stream(std::string_view text) {
    MutexLock lock(mutex_);
    stream_piece(text);
}

void HttpConnection::stream_piece(std::string_view text) {
    if (state_ != State::streaming || ends_ || text.empty()) return;
    deadline_.set(limits_.stream_pulse);
    put(parser_->knows_chunks() ? chunk_of(text) : std::string(text));
}

void HttpConnection::end_stream() {
    std::shared_ptr<Watcher> unneeded;
    MutexLock lock(mutex_);
    if (state_ != State::streaming || ends_) return;
    unneeded.swap(watcher_);
    ends_ = true;
    put(parser_->knows_chunks() ? std::string(kLastChunk) : std::string());
    if (!out_.empty()) deadline_.set(limits_.sending);
}

void HttpConnection::when_gone(std::shared_ptr<Watcher> watcher) {
    {
        MutexLock lock(mutex_);
        if (state_ != State::closed) return watcher_.swap(watcher);
    }
    watcher->gone();
}

void HttpConnection::put(std::string bytes) {
    if (lost_) return;
    // A first answer is always sent, however long it is.
    if (!out_.empty() && out_.bytes() + bytes.size() > limits_.unsent_bytes) {
        lost_ = true;
        // Later: the sender may hold a lock that the disconnect handler needs.
        return wire_->post([self = shared_from_this()] { self->close(); });
    }
    out_.put(std::move(bytes), shared_from_this());
    count_held();
    if (out_.empty()) sent();
}

void HttpConnection::on_written(boost::system::error_code fault, std::size_t bytes) {
    Then then;
    {
        MutexLock lock(mutex_);
        if (state_ == State::closed) return;
        if (fault) {
            then = client_gone();
        } else {
            out_.written(bytes, shared_from_this());
            count_held();
            if (out_.empty()) sent();
        }
    }
    if (then) then();
}

void HttpConnection::sent() {
    if (!ends_) return;
    if (!keep_) return drain();
    next_request();
}

}  // namespace toolhost::serve
