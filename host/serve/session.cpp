#include "host/serve/session.hpp"

#include <chrono>

#include "host/os/duty.hpp"
#include "host/serve/request.hpp"

namespace toolhost::serve {
namespace {

// The maximum wait for an answer, because a waiting question holds a thread.
constexpr std::chrono::minutes kAnswerTimeout{10};
// A client that left may reconnect for the question, which keeps the place of a call meanwhile.
constexpr std::chrono::seconds kReconnectTimeout{60};
constexpr std::chrono::seconds kLook{1};

}  // namespace

struct Session::Waiting {
    std::optional<Reply> reply;
};

bool Session::ById::operator()(const Json& a, const Json& b) const {
    if (a.is_number_unsigned() && b.is_number_unsigned())
        return *a.get_ptr<const std::uint64_t*>() < *b.get_ptr<const std::uint64_t*>();
    if (a.is_string() != b.is_string()) return b.is_string();
    if (a.is_string()) return a.get_ref<const std::string&>() < b.get_ref<const std::string&>();
    const auto is_negative = [](const Json& id) {
        return !id.is_number_unsigned() && id.get<std::int64_t>() < 0;
    };
    if (is_negative(a) != is_negative(b)) return is_negative(a);
    return a.get<std::uint64_t>() < b.get<std::uint64_t>();
}

Session::~Session() = default;

Result<call::Invoker*> Session::invoker(const InvokerOf& find) {
    if (auto* known = invoker_.load()) return known;
    auto found = find(principal_.profile);
    if (found) invoker_ = *found;
    return found;
}

std::shared_ptr<const Client> Session::client() const {
    MutexLock lock(mutex_);
    return client_;
}

bool Session::initialize(Client client) {
    MutexLock lock(mutex_);
    if (client_) return false;
    client_ = std::make_shared<const Client>(std::move(client));
    return true;
}

void Session::set_log_level(LogLevel level) {
    MutexLock lock(mutex_);
    if (!client_) return;
    auto changed = std::make_shared<Client>(*client_);
    changed->log_level = level;
    client_ = std::move(changed);
}

bool Session::enter(const std::shared_ptr<Request>& request) {
    MutexLock lock(mutex_);
    return in_flight_.try_emplace(request->id(), request).second;
}

void Session::leave(const Request& request) {
    std::shared_ptr<Request> last;  // destroyed when the lock is gone
    MutexLock lock(mutex_);
    const auto it = in_flight_.find(request.id());
    if (it == in_flight_.end() || it->second.get() != &request) return;
    last = std::move(it->second);
    in_flight_.erase(it);
}

bool Session::busy() const {
    MutexLock lock(mutex_);
    return !in_flight_.empty();
}

void Session::cancel(const Json& id) {
    if (!id.is_string() && !id.is_number_integer()) return;  // an unknown id
    std::shared_ptr<Request> request;
    {
        MutexLock lock(mutex_);
        if (const auto it = in_flight_.find(id); it != in_flight_.end()) request = it->second;
    }
    if (request) request->cancel();
}

std::optional<Session::Reply> Session::ask(MessageSink& sink, std::string_view method,
                                           const Json& params, const std::stop_token& stop) {
    Waiting waiting;
    MutexLock lock(mutex_);
    if (closed_) return std::nullopt;
    const std::string id = "toolhost-" + std::to_string(++asked_);
    questions_.emplace(id, &waiting);
    lock.unlock();
    sink.send(request_text(id, method, params));
    lock.lock();
    const auto now = [] { return std::chrono::steady_clock::now(); };
    const auto end = now() + kAnswerTimeout;
    auto reachable = now();  // when the client was last seen
    auto answered = [&] { return waiting.reply.has_value() || closed_.load(); };
    if (auto* duty = os::Duty::current(); duty && !answered()) duty->hand_over();
    while (!answered() && !stop.stop_requested() && now() < end) {
        answered_.wait_for(lock.native(), stop, kLook, answered);
        lock.unlock();  // the sink's own lock may be held by a thread that calls this session
        const bool there = sink.reachable();
        lock.lock();
        if (there) reachable = now();
        if (now() - reachable > kReconnectTimeout) break;
    }
    questions_.erase(id);
    return std::move(waiting.reply);
}

void Session::take_response(const Json& id, Reply reply) {
    if (!id.is_string()) return;
    MutexLock lock(mutex_);
    const auto it = questions_.find(id.get_ref<const std::string&>());
    if (it == questions_.end()) return;  // too late, or an unknown id
    it->second->reply = std::move(reply);
    answered_.notify_all();
}

void Session::set_standalone(std::shared_ptr<MessageSink> sink) {
    MutexLock lock(mutex_);
    standalone_ = std::move(sink);
}

void Session::tell(const std::string& message) {
    std::shared_ptr<MessageSink> sink;
    {
        MutexLock lock(mutex_);
        sink = standalone_;
    }
    if (sink) sink->send(message);
}

bool Session::has_consent(std::string_view scope) const {
    MutexLock lock(mutex_);
    return consents_.contains(scope);
}

void Session::give_consent(std::string_view scope) {
    constexpr std::size_t kMax = 10'000;  // more are asked for again
    MutexLock lock(mutex_);
    if (consents_.size() < kMax) consents_.emplace(scope);
}

void Session::subscribe(const std::string& uri) {
    MutexLock lock(mutex_);
    subscriptions_.insert(uri);
}

void Session::unsubscribe(const std::string& uri) {
    MutexLock lock(mutex_);
    subscriptions_.erase(uri);
}

std::size_t Session::subscriptions() const {
    MutexLock lock(mutex_);
    return subscriptions_.size();
}

bool Session::subscribed(const std::string& uri) const {
    MutexLock lock(mutex_);
    return subscriptions_.contains(uri);
}

void Session::close() {
    InFlight cancelled;
    {
        MutexLock lock(mutex_);
        closed_ = true;
        cancelled.swap(in_flight_);
        standalone_ = nullptr;
    }
    answered_.notify_all();
    for (const auto& [id, request] : cancelled) request->cancel();
}

}  // namespace toolhost::serve
