#include "host/serve/http/connection_usage.hpp"

#include <utility>

namespace toolhost::serve {
namespace {

// So long a body may always be, however much others hold.
constexpr std::size_t kSmallBody = 64u << 10;

}  // namespace

void ConnectionUsage::expect_token() {
    seen_.is_unauthenticated = expects_token_ = true;
}

bool ConnectionUsage::let_in(const UsagePtr& principal, std::size_t most) {
    if (principal_ == principal) return true;
    if (!take_one(principal->connections, most)) return false;
    leave_principal();
    principal_ = principal;
    seen_.is_unauthenticated = false;
    return true;
}

void ConnectionUsage::let_out() {
    leave_principal();
    seen_.is_unauthenticated = expects_token_;
}

void ConnectionUsage::leave_principal() {
    if (!principal_) return;
    --principal_->connections;
    principal_ = nullptr;
}

void ConnectionUsage::charge(UsagePtr usage, std::size_t most) {
    if (charged_) return;
    charged_ = std::move(usage);
    most_charged_ = most;
    charged_->bytes += seen_.holds;
}

void ConnectionUsage::discharge() {
    if (!charged_) return;
    charged_->bytes -= seen_.holds;
    charged_ = nullptr;
}

void ConnectionUsage::hold(std::size_t bytes) {
    const auto before = seen_.holds.exchange(bytes);
    if (bytes == before) return;
    all_ += bytes - before;  // may go down: unsigned numbers wrap
    if (charged_) charged_->bytes += bytes - before;
}

const char* ConnectionUsage::refusal(std::size_t body, std::size_t most_held) const {
    if (body <= kSmallBody) return nullptr;
    if (all_ > most_held) return "the buffers for incoming requests are full: try again later";
    return charged_ && charged_->bytes > most_charged_
               ? "this client uses its whole share of the buffers: try again later"
               : nullptr;
}

void ConnectionUsage::close() {
    discharge();
    leave_principal();
    hold(0);
}

}  // namespace toolhost::serve
