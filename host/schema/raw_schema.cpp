#include "host/schema/raw_schema.hpp"

#include <algorithm>

#include "host/schema/uri.hpp"

namespace toolhost::schema {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMaxParts = 64;

const Json* member(const Json& schema, const char* name) {
    const auto found = schema.find(name);
    return found == schema.end() ? nullptr : &*found;
}

// A longer list cannot be a list of types.
constexpr std::size_t kMaxListedTypes = 16;

TypeSet types_of_keyword(const Json& type) {
    if (const auto* name = type.get_ptr<const std::string*>()) return find_type(*name);
    if (type.size() > kMaxListedTypes) return 0;
    TypeSet types = 0;
    for (const Json& one : type) {
        if (const auto* name = one.get_ptr<const std::string*>()) types |= find_type(*name);
    }
    return types;
}

TypeSet type_of_value(const Json& value) {
    return find_type(type_name(value));
}

}  // namespace

const Json* RawSchema::find(const std::string& reference) const {
    if (reference.empty() || reference.front() != '#') return nullptr;
    const std::string fragment = percent_decode(reference.substr(1));
    if (!fragment.empty() && fragment.front() != '/') return nullptr;
    // nlohmann's json_pointer throws if the target does not exist.
    try {
        return &root_.at(Json::json_pointer(fragment));
    } catch (const Json::exception&) {
        return nullptr;
    }
}

RawSchema::Parts RawSchema::parts(const Json& schema) const {
    Parts found{&schema};
    const auto add = [&](const Json* part) {
        if (part != nullptr && found.size() < kMaxParts &&
            std::find(found.begin(), found.end(), part) == found.end()) {
            found.push_back(part);
        }
    };
    for (std::size_t i = 0; i < found.size(); ++i) {
        const Json& part = *found[i];
        if (!budget_.take()) return {};
        if (!part.is_object()) continue;
        const Json* ref = member(part, "$ref");
        if (const auto* text = ref != nullptr ? ref->get_ptr<const std::string*>() : nullptr) {
            if (!budget_.take_bytes(text->size())) return {};
            add(find(*text));
        }
        const Json* all = member(part, "allOf");
        if (all == nullptr || !all->is_array()) continue;
        for (auto one = all->begin(); one != all->end() && found.size() < kMaxParts; ++one) {
            add(&*one);
        }
    }
    std::erase_if(found, [](const Json* part) { return !part->is_object(); });
    return found;
}

RawSchema::Parts RawSchema::parts_for(const Parts& schemas, const Json& value) {
    const TypeSet bits = type_bits(value);
    Parts found;
    for (const Json* schema : schemas) {
        for (const Json* part : parts(*schema)) {
            found.push_back(part);
            for (const char* keyword : {"anyOf", "oneOf"}) {
                const Json* branches = member(*part, keyword);
                if (branches == nullptr || !branches->is_array()) continue;
                Parts fitting;
                for (const Json& branch : *branches) {
                    if ((allowed_types(branch) & bits) != 0) fitting.push_back(&branch);
                }
                if (fitting.size() != 1) continue;
                const Parts more = parts(*fitting.front());
                found.insert(found.end(), more.begin(), more.end());
            }
            if (found.size() >= kMaxParts) return found;
        }
    }
    return found;
}

TypeSet RawSchema::allowed_types(const Json& schema, int levels) {
    if (schema.is_boolean()) return schema.get<bool>() ? kEveryType : TypeSet{0};
    if (levels == 0 || !budget_.take()) return kEveryType;
    TypeSet types = kEveryType;
    for (const Json* part : parts(schema)) {
        if (const Json* type = member(*part, "type")) types &= types_of_keyword(*type);
        if (const Json* one = member(*part, "const")) types &= type_of_value(*one);
        const Json* values = member(*part, "enum");
        if (values != nullptr && values->is_array()) {
            if (!budget_.take(values->size())) return kEveryType;
            TypeSet any = 0;
            for (const Json& one : *values) any |= type_of_value(one);
            types &= any;
        }
        for (const char* keyword : {"anyOf", "oneOf"}) {
            const Json* branches = member(*part, keyword);
            if (branches == nullptr || !branches->is_array()) continue;
            TypeSet any = 0;
            for (const Json& branch : *branches) any |= allowed_types(branch, levels - 1);
            types &= any;
        }
    }
    return types;
}

RawSchema::Parts member_schemas(const RawSchema::Parts& parts, const std::string& name) {
    RawSchema::Parts found;
    for (const Json* part : parts) {
        const Json* properties = member(*part, "properties");
        const Json* own = properties != nullptr && properties->is_object()
                              ? member(*properties, name.c_str())
                              : nullptr;
        if (own == nullptr) own = member(*part, "additionalProperties");
        if (own != nullptr && own->is_object()) found.push_back(own);
    }
    return found;
}

RawSchema::Parts item_schemas(const RawSchema::Parts& parts, std::size_t index) {
    RawSchema::Parts found;
    for (const Json* part : parts) {
        const Json* items = member(*part, "items");
        const Json* prefix = member(*part, "prefixItems");
        if (prefix == nullptr && items != nullptr && items->is_array()) prefix = items;
        const Json* own = items;
        if (prefix != nullptr && prefix->is_array() && index < prefix->size()) {
            own = &(*prefix)[index];
        }
        if (own != nullptr && own->is_object()) found.push_back(own);
    }
    return found;
}

}  // namespace toolhost::schema
