// One request and its response through libcurl, without redirects and retries.
#pragma once

#include <curl/curl.h>

#include <functional>
#include <memory>

#include "net/request.hpp"

namespace http_tool {

// The result of one exchange. `code` is CURLE_OK with a response, otherwise the error.
struct Exchanged {
    CURLcode code = CURLE_OK;
    std::string error;
    std::optional<Refusal> refusal;
    bool cancelled = false;
    bool nothing_sent = false;
    bool no_socket = false;  // the system refused to create a socket
    std::optional<std::chrono::seconds> retry_after;
    Response response;
};

// The purpose of a response, determined by its head: the final response is streamed; one that may
// be retried is kept; the body of a followed redirect is dropped.
enum class Use { answer, perhaps, passing };
using Judge = std::function<Use(const Head&)>;

// The exchanges of one call, which share connections and cookies until its end.
class Exchanges {
public:
    Exchanges(const Rules& rules, const FetchObserver& observer);
    ~Exchanges();
    Exchanges(const Exchanges&) = delete;
    Exchanges& operator=(const Exchanges&) = delete;

    [[nodiscard]] Exchanged run(const Request& request, const Judge& judge);

private:
    void drive(Exchanged& result) const;

    const Rules& rules_;
    const FetchObserver& observer_;
    CURL* easy_;
    CURLM* multi_;
    bool cookies_given_ = false;
};

// Describes the failure, with advice.
[[nodiscard]] std::string explain(const Exchanged& failed, const Request& request);

}  // namespace http_tool
