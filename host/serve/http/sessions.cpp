#include "host/serve/http/sessions.hpp"

#include <unistd.h>

#include <stdexcept>

#include "host/serve/auth/base64url.hpp"

namespace toolhost::serve {
namespace {

// What a session keeps of streams that have ended, for those who come back.
constexpr std::size_t kEndedStreams = 16;
constexpr std::size_t kEndedBytes = 8u << 20;

// 128 random bits cannot be guessed, so the id and the principal are sufficient.
std::string new_id() {
    std::string random(16, '\0');
    if (::getentropy(random.data(), random.size()) != 0)
        throw std::runtime_error("no random numbers from the kernel");
    return to_base64url(random);
}

// Messages that belong to no request.
class StandaloneSink : public MessageSink {
public:
    explicit StandaloneSink(std::shared_ptr<EventStream> stream) : stream_(std::move(stream)) {}
    void send(std::string message) override { stream_->push(message); }
    void finish(std::string, int) override { stream_->end(); }

private:
    const std::shared_ptr<EventStream> stream_;
};

}  // namespace

HttpSession::HttpSession(std::string id, std::shared_ptr<Session> session, KeptShare share)
    : id_(std::move(id)),
      session_(std::move(session)),
      primes_(session_->client() && session_->client()->revision >= Revision::r2025_11_25),
      share_(std::move(share)),
      standalone_(std::make_shared<EventStream>(0, share_)),
      used_(std::chrono::steady_clock::now()) {
    session_->set_standalone(std::make_shared<StandaloneSink>(standalone_));
}

std::shared_ptr<EventStream> HttpSession::new_stream() {
    MutexLock lock(mutex_);
    std::size_t ended = 0, bytes = 0;
    for (const auto& stream : streams_)
        if (stream->ended()) ++ended, bytes += stream->bytes();
    std::erase_if(streams_, [&](const auto& stream) {
        if (!stream->ended() || (ended <= kEndedStreams && bytes <= kEndedBytes)) return false;
        --ended, bytes -= stream->bytes();
        return true;
    });
    streams_.push_back(std::make_shared<EventStream>(++streams_made_, share_));
    return streams_.back();
}

std::shared_ptr<EventStream> HttpSession::find_stream(std::uint64_t number) {
    if (number == 0) return standalone_;
    MutexLock lock(mutex_);
    for (const auto& stream : streams_)
        if (stream->number() == number) return stream;
    return nullptr;
}

void HttpSession::close() {
    session_->close();
    standalone_->end();
}

HttpSessionPtr HttpSessions::adopt(const std::shared_ptr<Session>& session, Share share) {
    auto made = std::make_shared<HttpSession>(new_id(), session, std::move(share.kept));
    MutexLock lock(mutex_);
    if (sessions_.size() >= most_) return nullptr;
    const auto& name = session->principal().name;
    if (const auto it = counts_.find(name); it != counts_.end() && it->second >= share.sessions)
        return nullptr;
    ++counts_[name];
    if (standalone_ended_) made->standalone()->end();
    return sessions_.emplace(made->id(), made).first->second;
}

HttpSessionPtr HttpSessions::find(std::string_view id, const Principal& principal) {
    HttpSessionPtr found;
    {
        MutexLock lock(mutex_);
        const auto it = sessions_.find(id);
        if (it == sessions_.end() || it->second->session()->principal() != principal)
            return nullptr;
        found = it->second;
    }
    found->touch(std::chrono::steady_clock::now());
    return found;
}

void HttpSessions::forget_one_of(const HttpSession& session) {
    const auto it = counts_.find(session.session()->principal().name);
    if (--it->second == 0) counts_.erase(it);
}

bool HttpSessions::end(std::string_view id, const Principal& principal) {
    const auto found = find(id, principal);
    if (!found) return false;
    {
        MutexLock lock(mutex_);
        if (sessions_.erase(found->id()) == 0) return false;  // another request was first
        forget_one_of(*found);
    }
    found->close();
    return true;
}

void HttpSessions::end_idle(std::chrono::steady_clock::time_point now) {
    std::vector<HttpSessionPtr> idle;
    {
        MutexLock lock(mutex_);
        std::erase_if(sessions_, [&](const auto& entry) REQUIRES(mutex_) {
            const auto& session = entry.second;
            // A session with a pending wait is in use: its idle time starts when the wait ends.
            if (session->session()->busy() || session->standalone()->attached())
                session->touch(now);
            if (now - session->used() < idle_) return false;
            idle.push_back(session);
            forget_one_of(*session);
            return true;
        });
    }
    for (const auto& session : idle) session->close();
}

void HttpSessions::end_of(const Principal& principal) {
    std::vector<HttpSessionPtr> theirs;
    {
        MutexLock lock(mutex_);
        std::erase_if(sessions_, [&](const auto& entry) REQUIRES(mutex_) {
            if (entry.second->session()->principal() != principal) return false;
            theirs.push_back(entry.second);
            forget_one_of(*entry.second);
            return true;
        });
    }
    for (const auto& session : theirs) session->close();
}

void HttpSessions::end_standalone() {
    MutexLock lock(mutex_);
    standalone_ended_ = true;
    for (const auto& [id, session] : sessions_) session->standalone()->end();
}

void HttpSessions::end_all() {
    ById all;
    {
        MutexLock lock(mutex_);
        all.swap(sessions_);
        counts_.clear();
    }
    for (const auto& [id, session] : all) session->close();
}

std::size_t HttpSessions::size() const {
    MutexLock lock(mutex_);
    return sessions_.size();
}

}  // namespace toolhost::serve
