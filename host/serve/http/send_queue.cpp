#include "host/serve/http/send_queue.hpp"

namespace toolhost::serve {

namespace net = boost::asio;

void SendQueue::put(std::string bytes, const WireUserPtr& user) {
    const bool first = waiting_.empty();
    // Usually the wire accepts all of it, without waking another thread.
    const auto now = first && !bytes.empty() ? wire_.write_now(net::buffer(bytes)) : 0;
    if (now == bytes.size()) return;
    bytes_ += bytes.size() - now;
    waiting_.push_back(std::move(bytes));
    if (!first) return;
    sent_ = now;
    write(user);
}

void SendQueue::written(std::size_t bytes, const WireUserPtr& user) {
    bytes_ -= bytes;
    sent_ += bytes;
    if (sent_ == waiting_.front().size()) {
        waiting_.pop_front();
        sent_ = 0;
    }
    if (!waiting_.empty()) write(user);
}

void SendQueue::write(const WireUserPtr& user) {
    const std::string& first = waiting_.front();
    wire_.write(net::buffer(first.data() + sent_, first.size() - sent_), user);
}

}  // namespace toolhost::serve
