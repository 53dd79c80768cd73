#include "host/serve/http/event_stream.hpp"

#include <charconv>

namespace toolhost::serve {
namespace {

// What a client that comes back can still be given; older ones are lost to it.
constexpr std::size_t kKeptEvents = 512;
constexpr std::size_t kKeptBytes = 4u << 20;

}  // namespace

std::string event_text(std::string_view id, std::string_view data) {
    std::string text;
    text.reserve(id.size() + data.size() + 32);
    if (!id.empty()) text.append("id: ").append(id) += '\n';
    if (!data.empty()) text += "event: message\n";
    // A message is JSON on one line.
    text.append("data: ").append(data).append("\n\n");
    return text;
}

std::optional<std::pair<std::uint64_t, std::uint64_t>> read_event_id(std::string_view id) {
    const auto dash = id.find('-');
    if (dash == id.npos) return std::nullopt;
    std::pair<std::uint64_t, std::uint64_t> out;
    auto read = [](std::string_view text, std::uint64_t& number) {
        const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
        return fault == std::errc() && end == text.data() + text.size();
    };
    if (!read(id.substr(0, dash), out.first) || !read(id.substr(dash + 1), out.second))
        return std::nullopt;
    return out;
}

void KeptShare::add(std::size_t bytes) const {
    for (const auto& usage : {own, all})
        if (usage) usage->kept += bytes;
}

void KeptShare::remove(std::size_t bytes) const {
    for (const auto& usage : {own, all})
        if (usage) usage->kept -= bytes;
}

bool KeptShare::is_exceeded() const {
    return (own && own->kept > most_own) || (all && all->kept > most_all);
}

EventStream::~EventStream() {
    share_.remove(bytes_);
}

std::string EventStream::id_text(std::uint64_t event) const {
    return std::to_string(number_) + '-' + std::to_string(event);
}

void EventStream::attach(const ConnectionPtr& connection, std::uint64_t seen, bool primes) {
    MutexLock lock(mutex_);
    attach_locked(connection, seen, primes);
}

void EventStream::attach_unsent(const ConnectionPtr& connection, bool primes) {
    MutexLock lock(mutex_);
    attach_locked(connection, sent_, primes);
}

void EventStream::attach_locked(const ConnectionPtr& connection, std::uint64_t seen, bool primes) {
    if (connection_ && connection_ != connection) connection_->end_stream();
    connection_ = connection;
    if (primes) connection->stream(event_text(id_text(seen), {}));
    for (const auto& event : events_)
        if (event.id > seen) connection->stream(event.text);
    sent_ = last_;
    if (!ended_) return;
    connection->end_stream();
    connection_ = nullptr;
}

void EventStream::detach(const HttpConnection* connection) {
    MutexLock lock(mutex_);
    if (connection_.get() == connection) connection_ = nullptr;
}

void EventStream::push(const std::string& message) {
    MutexLock lock(mutex_);
    if (ended_) return;
    ++last_;
    auto text = event_text(id_text(last_), message);
    if (connection_) {
        connection_->stream(text);
        sent_ = last_;
    }
    bytes_ += text.size();
    share_.add(text.size());
    events_.push_back({last_, std::move(text)});
    // The newest is kept however large it is, unless all is taken already.
    while (events_.size() > 1 && (events_.size() > kKeptEvents || bytes_ > kKeptBytes))
        drop_first();
    while (!events_.empty() && share_.is_exceeded()) drop_first();
}

void EventStream::drop_first() {
    const auto size = events_.front().text.size();
    bytes_ -= size;
    share_.remove(size);
    events_.pop_front();
}

void EventStream::end() {
    MutexLock lock(mutex_);
    ended_ = true;
    if (connection_) connection_->end_stream();
    connection_ = nullptr;
}

bool EventStream::ended() const {
    MutexLock lock(mutex_);
    return ended_;
}

bool EventStream::attached() const {
    MutexLock lock(mutex_);
    return connection_ != nullptr;
}

std::size_t EventStream::bytes() const {
    MutexLock lock(mutex_);
    return bytes_;
}

}  // namespace toolhost::serve
