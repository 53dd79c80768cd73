// The owner of a connection, and what counts against its principal's share. Part of
// HttpConnection.
#include "host/serve/http/connection.hpp"

namespace toolhost::serve {
namespace {

// So long a body may always be, however much others hold.
constexpr std::size_t kSmallBody = 64u << 10;

}  // namespace

void HttpConnection::expect_token() {
    MutexLock lock(mutex_);
    is_unauthenticated_ = awaits_head_ = expects_token_ = true;
}

bool HttpConnection::let_in(const UsagePtr& principal, std::size_t most) {
    MutexLock lock(mutex_);
    if (principal_ == principal) return true;
    if (state_ == State::closed || !take_one(principal->connections, most)) return false;
    leave_principal();
    principal_ = principal;
    is_unauthenticated_ = false;
    return true;
}

void HttpConnection::let_out() {
    MutexLock lock(mutex_);
    leave_principal();
    is_unauthenticated_ = expects_token_;
}

void HttpConnection::leave_principal() {
    if (!principal_) return;
    --principal_->connections;
    principal_ = nullptr;
}

bool HttpConnection::give_way() {
    Then then;
    {
        MutexLock lock(mutex_);
        if (!is_unauthenticated_ || (state_ == State::handling && !ends_)) return false;
        then = client_gone();
    }
    if (then) then();
    return true;
}

void HttpConnection::charge(UsagePtr usage, std::size_t bytes) {
    MutexLock lock(mutex_);
    if (usage_ || state_ == State::closed) return;
    usage_ = std::move(usage);
    usage_bytes_ = bytes;
    usage_->bytes += holds_;
}

UsagePtr HttpConnection::charged() {
    MutexLock lock(mutex_);
    return usage_;
}

void HttpConnection::discharge() {
    if (!usage_) return;
    usage_->bytes -= holds_;
    usage_ = nullptr;
}

// Null: not too much.
const char* HttpConnection::too_much_held() const {
    if (body_ <= kSmallBody) return nullptr;
    if (held_ > limits_.held_bytes)
        return "the buffers for incoming requests are full: try again later";
    return usage_ && usage_->bytes > usage_bytes_
               ? "this client uses its whole share of the buffers: try again later"
               : nullptr;
}

void HttpConnection::count_held() {
    const auto holds = body_ + out_.bytes();
    const auto before = holds_.exchange(holds);
    if (holds == before) return;
    held_ += holds - before;  // may go down: unsigned numbers wrap
    if (usage_) usage_->bytes += holds - before;
}

}  // namespace toolhost::serve
