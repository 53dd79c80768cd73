#include "host/schema/survey.hpp"

#include "host/schema/depth.hpp"
#include "host/schema/describe.hpp"
#include "host/schema/keywords.hpp"
#include "host/schema/references.hpp"
#include "host/schema/shape.hpp"
#include "host/schema/uri.hpp"

namespace toolhost::schema {
namespace {

// The string member `name`, or null; a wrong type is reported by the shape check.
const std::string* string_member(const Json& schema, const char* name) {
    const auto found = schema.find(name);
    return found == schema.end() ? nullptr : found->get_ptr<const std::string*>();
}

}  // namespace

bool Survey::fail(PlaceId place, const std::string& suffix, const std::string& message) {
    if (!error_) error_ = CompileError{location_text(locations_, place) + suffix, message};
    return false;
}

std::optional<PlaceId> Survey::find_place(const Json& schema) const {
    const auto found = place_of_.find(&schema);
    if (found == place_of_.end()) return std::nullopt;
    return found->second;
}

bool Survey::add_document(const Json& document, const std::string& uri,
                          const DialectProfile& fallback) {
    if (!measure(document, options_.max_depth)) {
        error_ = CompileError{uri, "is nested deeper than " + std::to_string(options_.max_depth) +
                                       " levels, the limit for a schema"};
        return false;
    }
    const auto resource = static_cast<std::uint32_t>(resources_.size());
    Resource root;
    root.uri = uri;
    root.root = static_cast<PlaceId>(places_.size());
    root.document = documents_++;
    root.profile = fallback;
    resources_.push_back(std::move(root));
    resource_of_uri_.emplace(uri, resource);
    return walk({&document, static_cast<PlaceId>(places_.size()), uri, resource, true});
}

bool Survey::walk(Pending first) {
    pending_.clear();
    pending_.push_back(std::move(first));
    while (!pending_.empty()) {
        const Pending next = std::move(pending_.back());
        pending_.pop_back();
        if (!visit(next)) return false;
    }
    return true;
}

bool Survey::visit(const Pending& pending) {
    const auto place = static_cast<PlaceId>(places_.size());
    const Json& schema = *pending.schema;
    places_.push_back({&schema, pending.resource});
    locations_.push_back({pending.parent, pending.token});
    place_of_.emplace(&schema, place);
    if (places_.size() > options_.max_subschemas) {
        return fail(
            place, {},
            "exceeds the limit of subschemas: at most " + std::to_string(options_.max_subschemas));
    }
    if (schema.is_boolean()) return true;
    if (!schema.is_object()) {
        const bool tuple = schema.is_array() && pending.token == "/items";
        return fail(place, {},
                    "must be a schema (an object or a boolean), but is " + describe(schema) +
                        (tuple ? "; since draft 2020-12 that is prefixItems" : ""));
    }
    return enter_resource(place, schema, pending.is_root) && note_anchors(place, schema) &&
           visit_keywords(place, schema);
}

bool Survey::choose_profile(PlaceId place, const Json& schema, DialectProfile& profile) {
    const std::string* uri = string_member(schema, "$schema");
    if (uri == nullptr) return true;
    const ProfileResult found = find_profile(*uri, options_.store);
    if (!found) return fail(place, "/$schema", found.error());
    profile = *found;
    return true;
}

bool Survey::enter_resource(PlaceId place, const Json& schema, bool is_root) {
    const std::string* id = string_member(schema, "$id");
    DialectProfile profile = resource_of(place).profile;
    if ((is_root || id != nullptr) && !choose_profile(place, schema, profile)) return false;
    if (is_root) resources_[places_[place].resource].profile = profile;
    // Up to draft 7, `$ref` disables all keywords beside it.
    if (id == nullptr || (profile.dialect == Dialect::draft7 && schema.contains("$ref")))
        return true;

    const auto relative = split_fragment(*id).uri;
    const std::string& base = resource_of(place).uri;
    std::string uri = resolve_uri(base, relative);
    if (relative.empty() || uri == base) return true;
    const std::uint32_t document = resource_of(place).document;
    const auto known = resource_of_uri_.find(uri);
    if (known != resource_of_uri_.end() && resources_[known->second].document == document) {
        return fail(place, "/$id", "must not repeat " + uri + ", the $id of another subschema");
    }
    auto resource = static_cast<std::uint32_t>(resources_.size());
    if (is_root) {
        resource = places_[place].resource;  // reachable by the URI it was found at too
        resources_[resource].uri = uri;
    } else {
        resources_.push_back({uri, place, document, profile, {}, {}});
        places_[place].resource = resource;
    }
    resource_of_uri_.emplace(std::move(uri), resource);
    return true;
}

bool Survey::note_anchor(PlaceId place, const char* keyword, const std::string& name) {
    Resource& resource = resources_[places_[place].resource];
    const auto [at, added] = resource.anchors.emplace(name, place);
    if (!added && at->second != place) {
        return fail(place, pointer_token(keyword),
                    "must not repeat " + quote(name) + ", an anchor of another subschema");
    }
    return true;
}

bool Survey::note_anchors(PlaceId place, const Json& schema) {
    Resource& resource = resources_[places_[place].resource];
    if (resource.profile.dialect == Dialect::draft7) {
        const std::string* id = string_member(schema, "$id");
        if (id == nullptr || schema.contains("$ref")) return true;
        const auto name = split_fragment(*id).fragment;
        return name.empty() || note_anchor(place, "$id", std::string(name));
    }
    const std::string* anchor = string_member(schema, "$anchor");
    if (anchor != nullptr && !note_anchor(place, "$anchor", *anchor)) return false;
    if (resource.profile.dialect == Dialect::draft2019_09) {
        const auto recursive = schema.find("$recursiveAnchor");
        if (recursive != schema.end() && *recursive == true && resource.root == place) {
            resource.dynamic_anchors.emplace("", place);
        }
        return true;
    }
    const std::string* dynamic = string_member(schema, "$dynamicAnchor");
    if (dynamic == nullptr) return true;
    resource.dynamic_anchors.emplace(*dynamic, place);
    return note_anchor(place, "$dynamicAnchor", *dynamic);
}

bool Survey::visit_keywords(PlaceId place, const Json& schema) {
    const std::uint32_t resource = places_[place].resource;
    for (const auto& [name, value] : schema.get_ref<const Json::object_t&>()) {
        const Keyword* keyword = find_keyword(name, resources_[resource].profile);
        if (keyword == nullptr) continue;
        const std::string token = pointer_token(name);
        if (auto problem = check_shape(keyword->shape, value)) {
            return fail(place, token + problem->suffix, problem->text);
        }
        for_each_subschema(keyword->shape, value,
                           [&](const Json& child, const std::string& suffix) {
                               pending_.push_back({&child, place, token + suffix, resource, false});
                           });
    }
    return true;
}

std::optional<std::uint32_t> Survey::find_resource(const std::string& uri, PlaceId from) {
    const auto known = resource_of_uri_.find(uri);
    if (known != resource_of_uri_.end()) return known->second;
    const Json* document = find_document(options_.store, uri);
    if (document == nullptr) return std::nullopt;
    // Without a `$schema` of its own a document is read as the one that refers to it.
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
        at = follow_token(*at, std::string_view(pointer).substr(start, end - start));
        if (at == nullptr) return std::nullopt;
        if (const auto known = find_place(*at)) {
            nearest = *known;
            nearest_end = end;
        }
        start = end + 1;
    }
    if (nearest_end == pointer.size()) return nearest;
    // Not under a keyword that holds schemas: read it as one now, in the scope it stands in.
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
