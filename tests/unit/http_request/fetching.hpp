// A request to a test's server, and its result.
#pragma once

#include <doctest/doctest.h>

#include "net/fetch.hpp"
#include "tests/tools/http_request/server.hpp"

namespace http_tool::test {

using toolhost::test::ReceivedRequest;
using toolhost::test::Server;
using toolhost::test::Wire;

inline Rules loopback_rules() {
    Rules rules;
    rules.allowed_methods = {"GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"};
    rules.allowed_schemes = {"http", "https"};
    rules.addresses = *AddressRules::make({"127.0.0.1"});
    rules.max_body_bytes = 1u << 20;
    return rules;
}

inline FetchObserver quiet() {
    FetchObserver observer;
    observer.cancelled = [] { return false; };
    return observer;
}

inline Request request(const std::string& method, const std::string& url) {
    Request made;
    made.method = method;
    made.url = *parse_url(url);
    made.deadline = Clock::now() + std::chrono::seconds(20);
    made.backoff = std::chrono::milliseconds(1);
    return made;
}

inline Response good(Result result) {
    if (const auto* failure = std::get_if<Failure>(&result)) FAIL(failure->message);
    if (const auto* refusal = std::get_if<Refusal>(&result)) FAIL(refusal->message);
    REQUIRE(std::holds_alternative<Response>(result));
    return std::get<Response>(std::move(result));
}

inline Refusal refused(Result result) {
    REQUIRE(std::holds_alternative<Refusal>(result));
    return std::get<Refusal>(std::move(result));
}

inline std::string failed(Result result) {
    REQUIRE(std::holds_alternative<Failure>(result));
    return std::get<Failure>(std::move(result)).message;
}

inline bool contains(const std::string& text, const std::string& part) {
    if (text.find(part) == std::string::npos) MESSAGE(text);
    return text.find(part) != std::string::npos;
}

}  // namespace http_tool::test
