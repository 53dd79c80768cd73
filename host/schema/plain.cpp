#include "host/schema/plain.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "host/schema/normalize.hpp"
#include "host/schema/schema.hpp"

namespace toolhost::schema {
namespace {

// Deeper fields accept any value: OpenAI accepts 10 levels, and a `$ref` may be recursive.
constexpr int kPlainLevels = 7;
constexpr int kPlainHops = 32;                        // `$ref`s and branches followed at one level
constexpr std::size_t kPlainParts = 10'000;           // writing out a `$ref` may double the schema
constexpr double kLargestExact = 9007199254740992.0;  // 2^53

constexpr std::array kPlainKeys = {"format",   "title",     "description", "minimum",
                                   "maximum",  "minLength", "maxLength",   "minItems",
                                   "maxItems", "pattern",   "default"};

class Plain {
public:
    explicit Plain(const Json& root) : root_(root) {}

    Json write(const Json& schema, int level = 0, int hops = 0) {
        if (!schema.is_object() || level > kPlainLevels || hops > kPlainHops ||
            ++parts_ > kPlainParts)
            return Json::object();
        Json out = Json::object();
        if (const auto it = schema.find("$ref"); it != schema.end())
            merge(out, write(followed(*it), level, hops + 1));
        if (const auto all = schema.find("allOf"); all != schema.end() && all->is_array())
            for (const auto& part : *all) merge(out, write(part, level, hops + 1));
        for (const char* key : kPlainKeys)
            if (const auto it = schema.find(key); it != schema.end() && !is_huge(*it))
                out[key] = *it;
        write_types(schema, out);
        write_values(schema, out);
        write_parts(schema, out, level, hops);
        return out;
    }

private:
    const Json& followed(const Json& reference) const {
        static const Json none = Json::object();
        const auto* text = reference.get_ptr<const std::string*>();
        if (!text || !text->starts_with('#')) return none;
        try {
            return root_.at(Json::json_pointer(text->substr(1)));
        } catch (const Json::exception&) {  // an anchor, or a missing target
            return none;
        }
    }

    static bool is_huge(const Json& value) {
        return value.is_number() && std::fabs(value.get<double>()) > kLargestExact;
    }

    static void merge(Json& into, const Json& part) {
        for (const auto& [key, value] : part.items()) {
            if (key == "properties" && into.contains(key))
                into[key].update(value);
            else if (key == "required" && into.contains(key))
                into[key].insert(into[key].end(), value.begin(), value.end());
            else
                into[key] = value;
        }
    }

    static void write_types(const Json& schema, Json& out) {
        const auto type = schema.find("type");
        if (type == schema.end()) return;
        if (!type->is_array()) {
            out["type"] = *type;
            return;
        }
        Json types = Json::array();
        for (const auto& one : *type)
            if (one != "null") types.push_back(one);
        if (types.size() == 1) {
            out["type"] = types[0];
        } else {
            Json& list = out["anyOf"] = Json::array();
            for (const auto& one : types) {
                list.push_back({{"type", one}});
                if (one == "array") list.back()["items"] = Json::object();
            }
        }
    }

    static void write_values(const Json& schema, Json& out) {
        Json values = schema.value("enum", Json::array());
        if (const auto it = schema.find("const"); it != schema.end()) values = Json::array({*it});
        const bool texts = std::all_of(values.begin(), values.end(),
                                       [](const Json& value) { return value.is_string(); });
        if (values.empty() || !texts) return;
        out["enum"] = std::move(values);
        out["type"] = "string";
    }

    void write_parts(const Json& schema, Json& out, int level, int hops) {
        for (const char* key : {"oneOf", "anyOf"})
            if (const auto it = schema.find(key); it != schema.end() && it->is_array()) {
                Json& list = out["anyOf"] = Json::array();
                for (const auto& part : *it) list.push_back(write(part, level, hops + 1));
            }
        if (const auto it = schema.find("properties"); it != schema.end() && it->is_object()) {
            if (!out.contains("properties")) out["properties"] = Json::object();
            for (const auto& [name, field] : it->items())
                out["properties"][name] = write(field, level + 1);
        }
        if (const auto it = schema.find("required"); it != schema.end() && it->is_array()) {
            if (!out.contains("required")) out["required"] = Json::array();
            for (const auto& name : *it)
                if (std::find(out["required"].begin(), out["required"].end(), name) ==
                    out["required"].end())
                    out["required"].push_back(name);
        }
        const auto items = schema.find("items");
        if (items != schema.end()) out["items"] = write(*items, level + 1);
        if (out.value("type", Json()) == "array" && !out.contains("items"))
            out["items"] = Json::object();
    }

    const Json& root_;
    std::size_t parts_ = 0;
};

// A field that accepts any value lists all types.
Json all_types() {
    Json list = Json::array();
    for (const char* type : {"object", "array", "string", "number", "boolean"})
        list.push_back({{"type", type}});
    list[1]["items"] = Json::object();
    return list;
}

void name_types(Json& schema) {
    if (!schema.is_object()) return;
    if (auto it = schema.find("properties"); it != schema.end())
        for (auto& [name, field] : it->items()) {
            name_types(field);
            if (field.contains("type") || field.contains("anyOf")) continue;
            if (field.contains("properties"))
                field["type"] = "object";
            else
                field["anyOf"] = all_types();
        }
    if (auto it = schema.find("items"); it != schema.end()) name_types(*it);
    if (auto it = schema.find("anyOf"); it != schema.end())
        for (auto& part : *it) name_types(part);
}

}  // namespace

Json plain(const Json& input_schema) {
    const Json whole = normalize(input_schema);
    Json out = Plain(whole).write(whole);
    out.erase("anyOf");  // refused at the top level
    out["type"] = "object";
    name_types(out);
    return out;
}

}  // namespace toolhost::schema
