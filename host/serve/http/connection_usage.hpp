// What one connection counts for: a connection of its principal, and bytes of the principal whose
// request it is handling.
#pragma once

#include <atomic>
#include <cstddef>

#include "host/serve/usage.hpp"

namespace toolhost::serve {

// What other threads see of it.
struct SeenUsage {
    std::atomic<bool> is_unauthenticated{false};
    std::atomic<std::size_t> holds{0};  // bytes of a request's body and of answers not yet sent
};

// For one thread at a time.
class ConnectionUsage {
public:
    // `all`: the bytes that all connections hold together.
    ConnectionUsage(SeenUsage& seen, std::atomic<std::size_t>& all) : seen_(seen), all_(all) {}

    // A token is required, and the connection is unauthenticated until it has shown one.
    void expect_token();
    // The current request has shown a principal's token. False: the principal has `most`
    // connections already.
    [[nodiscard]] bool let_in(const UsagePtr& principal, std::size_t most);
    // The request has no valid token.
    void let_out();

    // The bytes count as a principal's until discharge(), once for a request. `most`: its share.
    void charge(UsagePtr usage, std::size_t most);
    void discharge();
    // Null: no principal's.
    [[nodiscard]] const UsagePtr& charged() const { return charged_; }

    // The connection holds so many bytes now.
    void hold(std::size_t bytes);
    // Why a body of this size cannot be read on, while all may hold `most_held`; null: it can.
    [[nodiscard]] const char* refusal(std::size_t body, std::size_t most_held) const;

    // The connection is closed and counts for nothing.
    void close();

private:
    void leave_principal();

    SeenUsage& seen_;
    std::atomic<std::size_t>& all_;
    bool expects_token_ = false;
    // The connection's owner; null: unauthenticated, or no token is required.
    UsagePtr principal_;
    UsagePtr charged_;
    std::size_t most_charged_ = 0;
};

}  // namespace toolhost::serve
