// Notifies listeners of changes: sessions, and the streams that clients requested.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/base/mutex.hpp"
#include "host/serve/request.hpp"

namespace toolhost::serve {

class Listeners {
public:
    explicit Listeners(const Server& server) : server_(server) {}

    // A session that was initialized; it is told as long as it lives.
    void add(const std::shared_ptr<Session>& session);
    // A subscriptions/listen request, which stays open; `filter` is what it was granted. A text:
    // why there are too many.
    [[nodiscard]] std::optional<std::string> add(const RequestPtr& stream, Json filter);

    void tools_changed();  // and with them resources and prompts
    // Told to those who asked for it and may read it now, whatever they might before.
    void resource_updated(const std::string& uri);
    // Ends the streams of a client whose access was revoked.
    void end_of(const Principal& principal);
    // The server ends: streams are closed in good order.
    void close();

private:
    struct Stream {
        RequestPtr request;
        Json filter;
    };
    [[nodiscard]] std::vector<Stream> streams();
    [[nodiscard]] std::vector<std::shared_ptr<Session>> sessions();
    void changed(const std::string& method, const char* wish);

    const Server& server_;
    Mutex mutex_;
    std::vector<std::weak_ptr<Session>> sessions_ GUARDED_BY(mutex_);
    std::vector<Stream> streams_ GUARDED_BY(mutex_);
};

}  // namespace toolhost::serve
