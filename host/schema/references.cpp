// Resolves references: the part of Survey that turns the text of a `$ref` into a place.
#include "host/schema/describe.hpp"
#include "host/schema/metaschemas.hpp"
#include "host/schema/shape.hpp"
#include "host/schema/survey.hpp"
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

// The member or item that a pointer's token refers to; null if missing.
const Json* step(const Json& value, const std::string& token) {
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

}  // namespace

std::optional<std::uint32_t> Survey::find_resource(const std::string& uri, PlaceId from) {
    const auto known = resource_of_uri_.find(uri);
    if (known != resource_of_uri_.end()) return known->second;
    const Json* document = find_stored(options_.store, uri);
    if (document == nullptr) document = find_metaschema(uri);
    if (document == nullptr) return std::nullopt;
    // A document without `$schema` has the dialect of the document that refers to it.
    const auto resource = static_cast<std::uint32_t>(resources_.size());
    const DialectProfile fallback = resource_of(from).profile;
    if (!add_document(*document, uri, fallback)) return std::nullopt;
    return resource;
}

std::optional<PlaceId> Survey::follow_pointer(const Resource& resource,
                                              const std::string& pointer) {
    const Json* at = places_[resource.root].schema;
    PlaceId nearest = resource.root;
    std::size_t nearest_end = 0;
    std::size_t start = 1;
    while (start <= pointer.size()) {
        const auto end = std::min(pointer.find('/', start), pointer.size());
        at = step(*at, unescape_token(std::string_view(pointer).substr(start, end - start)));
        if (at == nullptr) return std::nullopt;
        if (const auto known = find_place(*at)) {
            nearest = *known;
            nearest_end = end;
        }
        start = end + 1;
    }
    if (nearest_end == pointer.size()) return nearest;
    // Not under a keyword that holds schemas: it becomes a schema here, in the scope that contains
    // it.
    const auto place = static_cast<PlaceId>(places_.size());
    if (!walk({at, nearest, pointer.substr(nearest_end), places_[nearest].resource, false})) {
        return std::nullopt;
    }
    return place;
}

std::optional<PlaceId> Survey::resolve(PlaceId from, std::string_view keyword,
                                       std::string_view reference) {
    const std::string target = resolve_uri(resource_of(from).uri, reference);
    const SplitUri parts = split_fragment(target);
    const std::string suffix = pointer_token(keyword);
    const auto resource = find_resource(std::string(parts.uri), from);
    if (!resource) {
        fail(from, suffix,
             "refers to " + quote(reference) +
                 ", which is not in this document or in the documents that it can refer to");
        return std::nullopt;
    }
    const std::string fragment = percent_decode(parts.fragment);
    const Resource& found = resources_[*resource];
    std::optional<PlaceId> place;
    if (fragment.empty()) {
        place = found.root;
    } else if (fragment.front() == '/') {
        place = follow_pointer(found, fragment);
    } else if (const auto anchor = found.anchors.find(fragment); anchor != found.anchors.end()) {
        place = anchor->second;
    }
    if (!place) fail(from, suffix, "refers to " + quote(reference) + ", which is not a schema");
    return place;
}

}  // namespace toolhost::schema
