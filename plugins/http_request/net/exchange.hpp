// One request and its response, without redirects and retries, through libcurl.
#pragma once

#include <curl/curl.h>

#include <functional>
#include <memory>

#include "net/request.hpp"

namespace http_tool {

// What one exchange came to. `code` is CURLE_OK with a response, else the reason.
struct Exchanged {
    CURLcode code = CURLE_OK;
    std::string error;
    std::optional<Refusal> refusal;
    bool cancelled = false;
    bool nothing_sent = false;
    bool no_socket = false;  // the system gave none
    std::optional<std::chrono::seconds> retry_after;
    Response response;
};

// What a response is for, by its head. The call's own answer is streamed; one that may be asked for
// again is kept; the body of a followed redirect is not kept.
enum class Use { answer, perhaps, passing };
using Judge = std::function<Use(const Head&)>;

// The exchanges of one call: they share connections and cookies, and end with it.
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

// What went wrong and what to do about it.
[[nodiscard]] std::string explain(const Exchanged& failed, const Request& request);

}  // namespace http_tool
