// What waits to be sent to one client, in its order.
#pragma once

#include <deque>
#include <string>

#include "host/serve/http/wire.hpp"

namespace toolhost::serve {

class SendQueue {
public:
    explicit SendQueue(Wire& wire) : wire_(wire) {}

    // Sends it now as far as that goes, and the rest when it can be.
    void put(std::string bytes, const WireUserPtr& user);
    // So many were written, as the wire told its user.
    void written(std::size_t bytes, const WireUserPtr& user);

    [[nodiscard]] bool empty() const { return waiting_.empty(); }
    [[nodiscard]] std::size_t bytes() const { return bytes_; }

private:
    void write(const WireUserPtr& user);

    Wire& wire_;
    std::deque<std::string> waiting_;
    std::size_t sent_ = 0;   // of the first that waits
    std::size_t bytes_ = 0;  // of all, but for those
};

}  // namespace toolhost::serve
