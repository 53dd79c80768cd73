// The sessions that clients opened over HTTP, by the id they were given.
#pragma once

#include <atomic>
#include <chrono>
#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "host/base/mutex.hpp"
#include "host/serve/http/event_stream.hpp"
#include "host/serve/session.hpp"

namespace toolhost::serve {

class HttpSession {
public:
    HttpSession(std::string id, std::shared_ptr<Session> session, KeptShare share = {});

    [[nodiscard]] const std::string& id() const { return id_; }
    [[nodiscard]] const std::shared_ptr<Session>& session() const { return session_; }
    // Whether its revision has events without data, which prime a client to come back.
    [[nodiscard]] bool primes() const { return primes_; }

    [[nodiscard]] std::shared_ptr<EventStream> new_stream();
    [[nodiscard]] std::shared_ptr<EventStream> find_stream(std::uint64_t number);
    // What belongs to no request.
    [[nodiscard]] const std::shared_ptr<EventStream>& standalone() const { return standalone_; }

    void touch(std::chrono::steady_clock::time_point now) { used_ = now; }
    [[nodiscard]] std::chrono::steady_clock::time_point used() const { return used_; }
    void close();

private:
    const std::string id_;
    const std::shared_ptr<Session> session_;
    const bool primes_;
    const KeptShare share_;
    const std::shared_ptr<EventStream> standalone_;
    mutable Mutex mutex_;
    std::uint64_t streams_made_ GUARDED_BY(mutex_) = 0;
    std::deque<std::shared_ptr<EventStream>> streams_ GUARDED_BY(mutex_);
    std::atomic<std::chrono::steady_clock::time_point> used_;
};

using HttpSessionPtr = std::shared_ptr<HttpSession>;

class HttpSessions {
public:
    HttpSessions(std::size_t most, std::chrono::seconds idle) : most_(most), idle_(idle) {}

    // How many there may be.
    [[nodiscard]] std::size_t most() const { return most_; }
    // What of all sessions a principal may have.
    struct Share {
        std::size_t sessions = SIZE_MAX;
        KeptShare kept{};
    };
    // A session that was initialized gets its id. Null: there are too many, or too many of its
    // principal's.
    [[nodiscard]] HttpSessionPtr adopt(const std::shared_ptr<Session>& session, Share share);
    [[nodiscard]] HttpSessionPtr adopt(const std::shared_ptr<Session>& session) {
        return adopt(session, Share{});
    }
    // Null: unknown id, or the session of another principal.
    [[nodiscard]] HttpSessionPtr find(std::string_view id, const Principal& principal);
    // False: not found.
    bool end(std::string_view id, const Principal& principal);
    // Ends sessions that have been idle too long.
    void end_idle(std::chrono::steady_clock::time_point now);
    // Ends the sessions of a client whose access was revoked.
    void end_of(const Principal& principal);
    // The server ends: nothing more comes that belongs to no request.
    void end_standalone();
    void end_all();
    [[nodiscard]] std::size_t size() const;

private:
    // Looked up by a part of the request's text.
    struct Hash : std::hash<std::string_view> {
        using is_transparent = void;
    };
    using ById = std::unordered_map<std::string, HttpSessionPtr, Hash, std::equal_to<>>;
    void forget_one_of(const HttpSession& session) REQUIRES(mutex_);

    const std::size_t most_;
    const std::chrono::seconds idle_;
    mutable Mutex mutex_;
    bool standalone_ended_ GUARDED_BY(mutex_) = false;
    ById sessions_ GUARDED_BY(mutex_);
    std::unordered_map<std::string, std::size_t> counts_
        GUARDED_BY(mutex_);  // by the principal's name
};

}  // namespace toolhost::serve
