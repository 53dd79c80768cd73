// The state of an exchange for libcurl's callbacks. They are C functions: exceptions must not pass
// through them.
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
    std::optional<Use> use{};      // decided at the first byte of the body
    std::size_t passed_bytes = 0;  // of a body that is dropped
    bool enough = false;           // stops reading: the connection is closed, the response is kept
    Clock::time_point last_progress = Clock::now();
    char error[CURL_ERROR_SIZE] = "";
};

void set_callbacks(CURL* easy, ExchangeState& state);

}  // namespace http_tool
