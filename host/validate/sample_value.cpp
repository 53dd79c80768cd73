#include "host/validate/sample_value.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace toolhost::validate {
namespace {

// Schemas may be recursive.
constexpr int kMaxDepth = 6;
// Longer texts and lists would only take longer.
constexpr std::uint64_t kMaxChars = 1000, kMaxItems = 3;

std::uint64_t bound(const Json& schema, const char* key, std::uint64_t otherwise) {
    const auto it = schema.find(key);
    return it != schema.end() && it->is_number_unsigned() ? it->get<std::uint64_t>() : otherwise;
}

// Names and ports reserved for examples: no sample refers to another machine.
std::string text_of_format(const std::string& format) {
    if (format == "uri" || format == "uri-reference" || format == "iri")
        return "http://127.0.0.1:9/";
    if (format == "date-time") return "2026-01-02T03:04:05Z";
    if (format == "date") return "2026-01-02";
    if (format == "time") return "03:04:05Z";
    if (format == "duration") return "PT1S";
    if (format == "email") return "nobody@example.invalid";
    if (format == "hostname") return "example.invalid";
    if (format == "ipv4") return "127.0.0.1";
    if (format == "ipv6") return "::1";
    if (format == "uuid") return "00000000-0000-4000-8000-000000000000";
    if (format == "regex") return "a";
    if (format == "json-pointer") return "/a";
    return "";
}

Json sample_text(const Json& schema, Amount amount) {
    std::string text = text_of_format(schema.value("format", ""));
    if (!text.empty()) return text;
    const auto least = std::max<std::uint64_t>(bound(schema, "minLength", 0), 1);
    const auto most = std::min(bound(schema, "maxLength", 20), kMaxChars);
    const auto length = amount == Amount::least ? least : std::max(least, most);
    return std::string(std::min(length, kMaxChars), 'a');
}

Json sample_number(const Json& schema, Amount amount, bool integer) {
    const auto number = [&](const char* key) -> const Json* {
        const auto it = schema.find(key);
        return it != schema.end() && it->is_number() ? &*it : nullptr;
    };
    const double step = number("multipleOf") ? number("multipleOf")->get<double>() : 1;
    const auto shaped = [&](double value) {
        return integer && std::abs(value) < 9e15 ? Json(static_cast<std::int64_t>(value))
                                                 : Json(value);
    };
    if (amount == Amount::least) {
        if (const auto* low = number("minimum")) return *low;
        if (const auto* low = number("exclusiveMinimum")) return shaped(low->get<double>() + step);
        if (const auto* high = number("maximum"); high && high->get<double>() < step) return *high;
    } else {
        if (const auto* high = number("maximum")) return *high;
        if (const auto* high = number("exclusiveMaximum"))
            return shaped(high->get<double>() - step);
        if (const auto* low = number("minimum")) return shaped(low->get<double>() + step);
    }
    return shaped(step);
}

Json sample(const Json& given, const Json& root, Amount amount, int depth);

Json sample_list(const Json& schema, const Json& root, Amount amount, int depth) {
    Json out = Json::array();
    const auto least = bound(schema, "minItems", 0);
    const auto most = schema.value("uniqueItems", false) ? std::max<std::uint64_t>(least, 1)
                                                         : bound(schema, "maxItems", kMaxItems);
    const auto count = amount == Amount::least ? least : std::max(least, std::min(most, kMaxItems));
    const auto prefix = schema.find("prefixItems");
    const auto items = schema.find("items");
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(count, 100); ++i) {
        if (prefix != schema.end() && prefix->is_array() && i < prefix->size())
            out.push_back(sample((*prefix)[i], root, amount, depth + 1));
        else if (items != schema.end())
            out.push_back(sample(*items, root, amount, depth + 1));
        else
            out.push_back("a");
    }
    return out;
}

Json sample_object(const Json& schema, const Json& root, Amount amount, int depth) {
    Json out = Json::object();
    const auto properties = schema.find("properties");
    if (properties == schema.end() || !properties->is_object()) return out;
    const auto required = schema.value("required", Json::array());
    for (const auto& [key, value] : properties->items()) {
        const bool needed = std::ranges::find(required, Json(key)) != required.end();
        if (needed || (amount == Amount::most && depth < 3))
            out[key] = sample(value, root, amount, depth + 1);
    }
    return out;
}

std::string type_of(const Json& schema) {
    const auto type = schema.find("type");
    if (type != schema.end() && type->is_string()) return type->get<std::string>();
    if (type != schema.end() && type->is_array())
        for (const auto& one : *type)
            if (one.is_string() && one != "null") return one.get<std::string>();
    if (schema.contains("properties") || schema.contains("required")) return "object";
    if (schema.contains("items") || schema.contains("prefixItems")) return "array";
    if (schema.contains("minimum") || schema.contains("maximum")) return "number";
    return "string";
}

Json sample(const Json& given, const Json& root, Amount amount, int depth) {
    if (depth > kMaxDepth || !given.is_object()) return nullptr;
    const Json schema = resolved(given, root);
    if (schema.contains("const")) return schema["const"];
    for (const char* list : {"enum", "examples"})
        if (const auto it = schema.find(list); it != schema.end() && it->is_array() && !it->empty())
            return amount == Amount::least ? it->front() : it->back();
    if (schema.contains("default") && amount == Amount::least) return schema["default"];
    for (const char* choice : {"anyOf", "oneOf"})
        if (const auto it = schema.find(choice);
            it != schema.end() && it->is_array() && !it->empty())
            return sample(it->front(), root, amount, depth + 1);
    const auto type = type_of(schema);
    if (type == "string") return sample_text(schema, amount);
    if (type == "integer" || type == "number")
        return sample_number(schema, amount, type == "integer");
    if (type == "boolean") return amount == Amount::most;
    if (type == "array") return sample_list(schema, root, amount, depth);
    if (type == "object") return sample_object(schema, root, amount, depth);
    return nullptr;
}

}  // namespace

Json resolved(const Json& schema, const Json& root) {
    Json out = schema;
    for (int hops = 0; hops < 8 && out.is_object(); ++hops) {
        const auto ref = out.find("$ref");
        if (ref == out.end() || !ref->is_string()) break;
        const auto& text = ref->get_ref<const std::string&>();
        if (!text.starts_with('#')) break;
        try {
            out = root.at(Json::json_pointer(text.substr(1)));
        } catch (const Json::exception&) {  // an anchor, or a percent-encoded pointer
            break;
        }
    }
    if (!out.is_object()) return Json::object();
    if (const auto all = out.find("allOf"); all != out.end() && all->is_array()) {
        const Json parts = *all;
        out.erase("allOf");
        for (const auto& part : parts)
            if (part.is_object()) out.merge_patch(part);
    }
    return out;
}

Json sample_value(const Json& schema, const Json& root, Amount amount) {
    return sample(schema, root, amount, 0);
}

}  // namespace toolhost::validate
