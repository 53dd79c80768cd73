// A result as text from the start: a document in between would cost more than the rest of an
// answer.
#pragma once

#include <string>

#include "host/registry/error.hpp"

namespace toolhost::serve {

struct ResultText {
    std::string members;  // of the result object, as JSON; at least one
    Json meta{};          // its `_meta`; null: none
};

}  // namespace toolhost::serve
