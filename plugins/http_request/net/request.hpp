// A request and its result, as values.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "net/rules.hpp"
#include "net/url.hpp"

namespace http_tool {

using Clock = std::chrono::steady_clock;
using Headers = std::vector<std::pair<std::string, std::string>>;

// Empty if missing; the last one if there are several.
[[nodiscard]] std::string header(const Headers& headers, std::string_view name);
[[nodiscard]] bool same_name(std::string_view a, std::string_view b);

// Credentials that the transport itself signs with; tokens are ordinary headers.
struct Credentials {
    enum class Kind { none, basic, digest, aws };
    Kind kind = Kind::none;
    std::string user, password;
    std::string aws_scope;  // "aws:amz:REGION:SERVICE"
};

struct Request {
    std::string method;  // in upper case
    Url url;
    Headers headers;
    std::optional<std::string> body;
    Credentials credentials;
    bool verify_tls = true;
    bool follow_redirects = true;
    int max_redirects = 30;
    int max_retries = 3;
    std::chrono::milliseconds backoff{250};  // before the first retry; doubled for each further one
    Clock::time_point deadline;
    std::vector<std::string> cookies;  // lines of a cookie file
};

struct Head {
    int status = 0;
    std::string reason;
    std::string version;  // "1.1"
    Headers headers;      // in order, with names in lower case
};

// In seconds. For the last exchange, except `total`.
struct Timings {
    double resolve = 0, connect = 0, tls = 0, first_byte = 0, total = 0;
};

struct Redirect {
    int status = 0;
    std::string url;  // the target
};

struct Response {
    Head head;
    Url url;  // of the last exchange
    std::string body;
    std::string address;                   // of the server
    std::uint64_t sent = 0, received = 0;  // bytes of bodies on the wire
    Timings timings;
    std::vector<Redirect> redirects;
    int retries = 0;
    std::vector<std::string> notes;
};

struct Cancelled {};

// What the caller wants to hear and to say while it runs. All but `cancelled` may be empty.
struct FetchObserver {
    std::function<bool()> cancelled;
    // Called for each part of the final response's body; false means cancelled.
    std::function<bool(const Head&, std::string_view)> part;
    // Bytes so far and in total; the total is 0 if unknown.
    std::function<void(std::uint64_t, std::uint64_t)> progress;
    // Replaces the system's resolver in tests.
    std::function<std::vector<std::string>(const Url&)> resolve;
};

using Result = std::variant<Response, Refusal, Failure, Cancelled>;

}  // namespace http_tool
