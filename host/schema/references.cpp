#include "host/schema/references.hpp"

#include "host/schema/metaschemas.hpp"
#include "host/schema/uri.hpp"

namespace toolhost::schema {
namespace {

// Finds a document of the store by the URI it is stored under, or else by its own `$id`.
const Json* find_stored(const DocumentStore* store, const std::string& uri) {
    if (store == nullptr) return nullptr;
    const auto found = store->documents.find(uri);
    if (found != store->documents.end()) return &found->second;
    for (const auto& [key, document] : store->documents) {
        if (!document.is_object()) continue;
        const auto id = document.find("$id");
        if (id == document.end() || !id->is_string()) continue;
        if (split_fragment(id->get_ref<const std::string&>()).uri == uri) return &document;
    }
    return nullptr;
}

std::string unescape_token(std::string_view token) {
    std::string out;
    for (std::size_t i = 0; i < token.size(); ++i) {
        const bool escape = token[i] == '~' && i + 1 < token.size();
        if (escape && (token[i + 1] == '0' || token[i + 1] == '1')) {
            out += token[++i] == '0' ? '~' : '/';
        } else {
            out += token[i];
        }
    }
    return out;
}

}  // namespace

const Json* find_document(const DocumentStore* store, const std::string& uri) {
    const Json* document = find_stored(store, uri);
    return document == nullptr ? find_metaschema(uri) : document;
}

const Json* follow_token(const Json& value, std::string_view escaped) {
    const std::string token = unescape_token(escaped);
    if (value.is_object()) {
        const auto found = value.find(token);
        return found == value.end() ? nullptr : &*found;
    }
    const bool digits = !token.empty() && token.size() < 10 &&
                        token.find_first_not_of("0123456789") == std::string::npos;
    if (!value.is_array() || !digits || (token.size() > 1 && token[0] == '0')) return nullptr;
    const auto index = static_cast<std::size_t>(std::stoul(token));
    return index < value.size() ? &value[index] : nullptr;
}

}  // namespace toolhost::schema
