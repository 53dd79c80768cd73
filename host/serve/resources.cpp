#include "host/serve/resources.hpp"

#include "host/serve/offers.hpp"
#include "host/serve/tool_names.hpp"

namespace toolhost::serve {

const registry::Tool* find_page(const call::View& view, const std::string& uri) {
    if (!uri.starts_with(kPages)) return nullptr;
    for (const auto& [name, tool] : named_tools(view))
        if (name == std::string_view(uri).substr(kPages.size())) return tool;
    return nullptr;
}

bool is_readable(const call::View& view, const std::string& uri) {
    // The pages' part of the world is theirs alone, whatever a library offers there.
    return uri.starts_with(kPages) ? find_page(view, uri) != nullptr
                                   : find_resource(view, uri).by != nullptr;
}

RpcError resource_not_found(const Request& request, const std::string& uri) {
    return {request.stateless() ? rpc_code::kInvalidParams : rpc_code::kResourceNotFound,
            "Resource not found: " + uri,
            {{"uri", uri}}};
}

}  // namespace toolhost::serve
