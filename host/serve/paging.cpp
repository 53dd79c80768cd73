#include "host/serve/paging.hpp"

#include "host/serve/server.hpp"

namespace toolhost::serve {
namespace {

// Changes are announced to subscribers; other clients notice on their next request.
constexpr int kKeepMs = 30'000;

}  // namespace

Json cacheable(const Request& request, Json result) {
    if (!request.stateless()) return result;
    result["ttlMs"] = kKeepMs;
    // What one principal may see is nothing for a cache that others share.
    result["cacheScope"] = request.session()->principal().name.empty() ? "public" : "private";
    return result;
}

void reply_page(const RequestPtr& request, const char* key, const char* by, Json all) {
    std::size_t first = 0;
    const Json& cursor = request->params().other("cursor");
    if (!cursor.is_null()) {
        while (first < all.size() && all[first].at(by) != cursor) ++first;
        if (first == all.size())
            return request->fail({rpc_code::kInvalidParams,
                                  "Invalid params: the cursor does not belong to this list, or the "
                                  "list has changed; start again without it"});
        ++first;
    }
    const auto last = std::min(all.size(), first + request->server().options().page_size);
    Json page = Json::array();
    for (std::size_t i = first; i < last; ++i) page.push_back(std::move(all[i]));
    Json result;
    if (last < all.size()) result["nextCursor"] = page.back().at(by);
    result[key] = std::move(page);
    request->reply(cacheable(*request, std::move(result)));
}

}  // namespace toolhost::serve
