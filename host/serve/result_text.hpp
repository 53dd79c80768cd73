// The answer to a request as text from the start: a document in between would cost more than the
// rest of an answer.
#pragma once

#include <string>
#include <string_view>

#include "host/base/error.hpp"
#include "host/base/json_text.hpp"

namespace toolhost::serve {

// Made by Request::begin_result(), and given back to it by reply().
struct ResultText {
    std::string text;                    // of the response, into the object that is its result
    Json meta{};                         // the result's `_meta`; null: none
    std::string_view type = "complete";  // its `resultType`, where the client's revision has one

    // What stands before the value of a member.
    void begin_member(std::string_view key) {
        if (text.back() != '{') text += ',';
        append_json_text(text, key);
        text += ':';
    }
};

}  // namespace toolhost::serve
