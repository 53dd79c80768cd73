#include "host/serve/listeners.hpp"

#include <algorithm>
#include <map>

#include "host/serve/resources.hpp"
#include "host/serve/server.hpp"

namespace toolhost::serve {
namespace {

constexpr const char* kSubscriptionId = "io.modelcontextprotocol/subscriptionId";

Json marked(const Request& stream, Json params) {
    params["_meta"][kSubscriptionId] = stream.id();
    return params;
}

bool wants(const Json& filter, const char* wish) {
    const auto it = filter.find(wish);
    return it != filter.end() && it->is_boolean() && it->get<bool>();
}

bool wants_uri(const Json& filter, const std::string& uri) {
    const auto it = filter.find("resourceSubscriptions");
    return it != filter.end() && std::find(it->begin(), it->end(), Json(uri)) != it->end();
}

}  // namespace

void Listeners::add(const std::shared_ptr<Session>& session) {
    MutexLock lock(mutex_);
    std::erase_if(sessions_, [](const auto& one) { return one.expired(); });
    sessions_.push_back(session);
}

std::optional<std::string> Listeners::add(const RequestPtr& stream, Json filter) {
    const auto most = server_.options().streams_at_once, share = server_.share_of(most);
    const auto& name = stream->session()->principal().name;
    MutexLock lock(mutex_);
    std::erase_if(streams_, [](const auto& one) { return one.request->ended(); });
    const auto own = std::ranges::count_if(streams_, [&](const auto& one) {
        return one.request->session()->principal().name == name;
    });
    if (static_cast<std::size_t>(own) >= share)
        return "too many streams of this client (" + std::to_string(share) + "): try again later";
    if (streams_.size() >= most)
        return "too many streams are open (" + std::to_string(most) + "): try again later";
    // The first message of the stream; changes wait for it.
    stream->notify("notifications/subscriptions/acknowledged",
                   marked(*stream, {{"notifications", filter}}));
    streams_.push_back({stream, std::move(filter)});
    return std::nullopt;
}

std::vector<Listeners::Stream> Listeners::streams() {
    MutexLock lock(mutex_);
    std::erase_if(streams_, [](const auto& one) { return one.request->ended(); });
    return streams_;
}

std::vector<std::shared_ptr<Session>> Listeners::sessions() {
    MutexLock lock(mutex_);
    std::vector<std::shared_ptr<Session>> alive;
    for (const auto& one : sessions_)
        if (auto session = one.lock()) alive.push_back(std::move(session));
    return alive;
}

void Listeners::changed(const std::string& method, const char* wish) {
    for (const auto& session : sessions()) session->tell(notification_text(method, Json::object()));
    for (const auto& [stream, filter] : streams())
        if (wants(filter, wish)) stream->notify(method, marked(*stream, Json::object()));
}

void Listeners::tools_changed() {
    changed("notifications/tools/list_changed", "toolsListChanged");
    changed("notifications/resources/list_changed", "resourcesListChanged");
    changed("notifications/prompts/list_changed", "promptsListChanged");
}

void Listeners::resource_updated(const std::string& uri) {
    const Json params{{"uri", uri}};
    std::map<std::string, bool> readable;  // by profile
    const auto may_read = [&](const Session& session) {
        const auto& profile = session.principal().profile;
        const auto [it, unknown] = readable.try_emplace(profile, false);
        if (!unknown) return it->second;
        const auto invoker = server_.options().invoker(profile);
        return it->second = invoker && is_readable(*(*invoker)->view(), uri);
    };
    for (const auto& session : sessions())
        if (session->subscribed(uri) && may_read(*session))
            session->tell(notification_text("notifications/resources/updated", params));
    for (const auto& [stream, filter] : streams())
        if (wants_uri(filter, uri) && may_read(*stream->session()))
            stream->notify("notifications/resources/updated", marked(*stream, params));
}

void Listeners::end_of(const Principal& principal) {
    for (const auto& [stream, filter] : streams())
        if (stream->session()->principal() == principal) stream->cancel();
}

void Listeners::close() {
    for (const auto& [stream, filter] : streams())
        stream->reply({{"_meta", {{kSubscriptionId, stream->id()}}}});
}

}  // namespace toolhost::serve
