// What libcurl's callbacks know of the exchange they belong to. They are C functions: nothing may
// be thrown through them.
#pragma once

#include <curl/curl.h>

#include <functional>

#include "net/exchange.hpp"

namespace http_tool {

struct ExchangeState {
    const Rules& rules;
    const FetchObserver& observer;
    const Judge& judge;
    Exchanged& result;
    std::size_t head_bytes = 0;
    std::optional<Use> use{};      // decided at the body's first byte
    std::size_t passed_bytes = 0;  // of a body that is not kept
    bool enough = false;           // of it: the connection is given up, the response is not
    Clock::time_point last_progress = Clock::now();
    char error[CURL_ERROR_SIZE] = "";
};

void set_callbacks(CURL* easy, ExchangeState& state);

}  // namespace http_tool
