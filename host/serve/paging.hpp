// Lists in pages, and how long a list may be kept.
#pragma once

#include "host/serve/request.hpp"

namespace toolhost::serve {

// Adds to a result how long and for whom it may be kept, where the client's revision has that.
[[nodiscard]] Json cacheable(const Request& request, Json result);

// Replies with the page of `all` that the request's cursor asks for, as {key: [...]}. Entries have
// a `by` that is unique and sorted by nothing but their order; a cursor names the entry before it.
void reply_page(const RequestPtr& request, const char* key, const char* by, Json all);

}  // namespace toolhost::serve
