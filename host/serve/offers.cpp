#include "host/serve/offers.hpp"

#include "host/call/content.hpp"
#include "host/serve/paging.hpp"

namespace toolhost::serve {
namespace {

// Those of libraries of which the client may call a tool.
std::vector<const registry::Offers*> visible(const call::View& view) {
    std::vector<const registry::Offers*> out;
    (void)view;
    return out;
}

bool lists(const Json& entries, const char* key, const std::string& value) {
    for (const auto& entry : entries)
        if (entry.at(key) == value) return true;
    return false;
}

}  // namespace

Json offered(const call::View& view, Json registry::Offers::*kind) {
    Json all = Json::array();
    for (const auto* offers : visible(view))
        for (const auto& entry : offers->*kind) all.push_back(entry);
    return all;
}

const registry::Offers* find_resource(const call::View& view, const std::string& uri) {
    for (const auto* offers : visible(view))
        if (lists(offers->resources, "uri", uri)) return offers;
    for (const auto* offers : visible(view))
        for (const auto& entry : offers->resource_templates)
            if (fits_template(uri, entry.at("uriTemplate").get_ref<const std::string&>()))
                return offers;
    return nullptr;
}

std::pair<const registry::Offers*, const Json*> find_prompt(const call::View& view,
                                                            const std::string& name) {
    for (const auto* offers : visible(view))
        for (const auto& prompt : offers->prompts)
            if (prompt.at("name") == name) return {offers, &prompt};
    return {};
}

const registry::Offers* find_completed(const call::View& view, const Json& ref) {
    const std::string name = ref.value("name", ""), uri = ref.value("uri", "");
    if (ref.value("type", "") == "ref/prompt") return find_prompt(view, name).first;
    for (const auto* offers : visible(view))
        if (lists(offers->resource_templates, "uriTemplate", uri)) return offers;
    return nullptr;
}

std::string handler_reference(const registry::Offers& offers, std::string_view what) {
    return "native:" + offers.family + '.' + std::string(what);
}

const Json* offered_answer(const call::ToolResult& result, const char* key) {
    if (!result.ok()) return nullptr;
    const Json* answer = call::json_block(result.content);
    return answer && answer->is_object() && answer->contains(key) && answer->at(key).is_array()
               ? answer
               : nullptr;
}

void reply_offered(Exchange& exchange, const call::ToolResult& result, const char* key) {
    if (result.error)
        return exchange.fail({result.error->code == ErrorCode::invalid_input
                                  ? rpc_code::kInvalidParams
                                  : rpc_code::kInternal,
                              result.error->message, to_json(*result.error)});
    if (const Json* answer = offered_answer(result, key))
        return exchange.reply(exchange.method() == "resources/read" ? cacheable(exchange, *answer)
                                                                    : *answer);
    exchange.fail(
        {rpc_code::kInternal, std::string("the library's answer has no array \"") + key + '"'});
}

bool says_not_found(const call::ToolResult& result) {
    return result.error && result.error->details.is_object() &&
           result.error->details.value("code", "") == "not_found";
}

// An expression of a template stands for one or more characters up to what follows it.
bool fits_template(std::string_view uri, std::string_view uri_template) {
    const auto open = uri_template.find('{');
    if (open == uri_template.npos) return uri == uri_template;
    if (uri.substr(0, open) != uri_template.substr(0, open)) return false;
    const auto close = uri_template.find('}', open);
    if (close == uri_template.npos) return false;
    uri.remove_prefix(open);
    const auto rest = uri_template.substr(close + 1);
    // {+path} and {/path*} may have slashes within.
    const auto name = uri_template.substr(open + 1, close - open - 1);
    const bool any = !name.empty() && (name.front() == '+' || name.front() == '/' ||
                                       name.front() == '#' || name.front() == '?');
    for (std::size_t length = 1; length <= uri.size(); ++length) {
        if (fits_template(uri.substr(length), rest)) return true;
        if (uri[length - 1] == '/' && !any) return false;
    }
    return false;
}

}  // namespace toolhost::serve
