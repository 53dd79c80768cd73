// The messages of one stream of a session, kept for a while: a client whose connection broke asks
// for those it has not seen.
#pragma once

#include <cstdint>
#include <deque>
#include <string>

#include "host/base/mutex.hpp"
#include "host/serve/http/connection.hpp"

namespace toolhost::serve {

// One event of a text/event-stream. `id` empty: none.
[[nodiscard]] std::string event_text(std::string_view id, std::string_view data);

// What the streams of all sessions may keep together, and of that one principal's.
inline constexpr std::size_t kAllKeptBytes = 128u << 20;
struct KeptShare {
    UsagePtr own, all;  // null: not counted
    std::size_t most_own = 0, most_all = 0;

    void add(std::size_t bytes) const;
    void remove(std::size_t bytes) const;
    [[nodiscard]] bool is_exceeded() const;
};

class EventStream {
public:
    explicit EventStream(std::uint64_t number, KeptShare share = {})
        : number_(number), share_(std::move(share)) {}
    ~EventStream();

    [[nodiscard]] std::uint64_t number() const { return number_; }

    // The connection that carries it from now on; the one before is ended. Events after `seen` are
    // sent first. `primes`: an event without data comes before them, so that the client has an id
    // to come back with.
    void attach(const ConnectionPtr& connection, std::uint64_t seen, bool primes);
    // The same without replay: only events not sent yet.
    void attach_unsent(const ConnectionPtr& connection, bool primes);
    // Its client is gone.
    void detach(const HttpConnection* connection);

    void push(const std::string& message);
    void end();  // no more will come
    [[nodiscard]] bool ended() const;
    [[nodiscard]] bool attached() const;
    [[nodiscard]] std::size_t bytes() const;

private:
    struct Event {
        std::uint64_t id;
        std::string text;
    };
    [[nodiscard]] std::string id_text(std::uint64_t event) const;
    void drop_first() REQUIRES(mutex_);
    void attach_locked(const ConnectionPtr& connection, std::uint64_t seen, bool primes)
        REQUIRES(mutex_);

    const std::uint64_t number_;
    const KeptShare share_;
    mutable Mutex mutex_;
    std::deque<Event> events_ GUARDED_BY(mutex_);
    std::size_t bytes_ GUARDED_BY(mutex_) = 0;
    std::uint64_t last_ GUARDED_BY(mutex_) = 0, sent_ GUARDED_BY(mutex_) = 0;
    bool ended_ GUARDED_BY(mutex_) = false;
    ConnectionPtr connection_ GUARDED_BY(mutex_);
};

// The stream and the event that a Last-Event-ID names; nothing: unknown.
[[nodiscard]] std::optional<std::pair<std::uint64_t, std::uint64_t>> read_event_id(
    std::string_view id);

}  // namespace toolhost::serve
