#include "host/cli/field_table.hpp"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <set>

#include "host/base/json_text.hpp"
#include "host/cli/input.hpp"
#include "host/cli/terminal.hpp"

namespace toolhost::cli {
namespace {

constexpr int kMaxLevels = 4;  // schemas may be recursive

constexpr std::size_t kMaxColumns = 400;

constexpr std::size_t kJsonTypes = 6;  // object, array, string, number, boolean, null

class Fields {
public:
    Fields(const Json& root, const registry::FieldOrder& order) : root_(root), order_(order) {
        collect(root, "", 0);
    }

    std::vector<FieldRow> rows;

private:
    void collect(const Json& schema, const std::string& prefix, int depth) {
        const Json& at = followed(schema, root_);
        auto properties = at.is_object() ? at.find("properties") : at.end();
        if (depth > kMaxLevels || properties == at.end() || !properties->is_object()) return;
        std::set<std::string> required;
        if (auto it = at.find("required"); it != at.end() && it->is_array())
            for (const auto& name : *it)
                if (name.is_string()) required.insert(name.get<std::string>());
        std::vector<std::string> names;
        for (const auto& [name, ignored] : properties->items()) names.push_back(name);
        registry::sort_fields(names, order_);
        std::stable_partition(names.begin(), names.end(),
                              [&](const std::string& name) { return required.contains(name); });
        for (const auto& name : names) {
            const Json& field = (*properties)[name];
            rows.push_back(row(prefix + name, field, required.contains(name)));
            collect(field, prefix + name + '.', depth + 1);
            const Json& value = followed(field, root_);
            if (value.is_object() && value.contains("items"))
                collect(value["items"], prefix + name + "[].", depth + 1);
        }
    }

    // Whether it allows every type of JSON, without limits.
    [[nodiscard]] static bool is_any(const Json& schemas) {
        std::size_t plain = 0;
        for (const auto& one : schemas)
            plain += one.is_object() && one.contains("type") &&
                     (one.size() == 1 || one == Json{{"type", "array"}, {"items", Json::object()}});
        return plain == schemas.size() && plain == kJsonTypes;
    }

    [[nodiscard]] std::string alternatives(const Json& schemas, int depth) const {
        if (is_any(schemas)) return "any";
        std::string out;
        for (const auto& one : schemas)
            out += (out.empty() ? "" : " or ") + type_of(one, depth + 1);
        return one_line(out, kMaxColumns);
    }

    [[nodiscard]] std::string type_of(const Json& schema, int depth = 0) const {
        const Json& at = followed(schema, root_);
        if (!at.is_object() || depth > kMaxLevels) return "any";
        auto shown = [](const Json& value) {
            return value.is_string() ? value.get<std::string>() : dump(value);
        };
        if (auto it = at.find("const"); it != at.end()) return one_line(shown(*it), kMaxColumns);
        if (auto it = at.find("enum"); it != at.end() && it->is_array()) {
            std::string out;
            for (const auto& value : *it) out += (out.empty() ? "" : " | ") + shown(value);
            return one_line(out, kMaxColumns);
        }
        for (const char* key : {"anyOf", "oneOf"})
            if (auto it = at.find(key); it != at.end() && it->is_array())
                return alternatives(*it, depth);
        auto type = at.find("type");
        if (type == at.end()) return "any";
        if (type->is_array()) {
            std::string out;
            for (const auto& one : *type) out += (out.empty() ? "" : " or ") + shown(one);
            return out;
        }
        if (*type == "array" && at.contains("items")) return type_of(at["items"], depth + 1) + "[]";
        if (auto rest = at.find("additionalProperties"); *type == "object" && rest != at.end() &&
                                                         rest->is_object() &&
                                                         !at.contains("properties"))
            return "object of " + type_of(*rest, depth + 1);
        return type->is_string() ? type->get<std::string>() : "any";
    }

    // Limits of integer types are not shown.
    static bool is_limit_of_type(const Json& bound) {
        if (!bound.is_number()) return false;
        const double value = std::abs(bound.get<double>());
        return value == 2147483647. || value == 2147483648. || value == 4294967295. ||
               value >= 9007199254740992.;  // 64-bit limits, rounded
    }

    // Further constraints on a value of the type.
    static std::string constraints_of(const Json& schema) {
        std::string out;
        for (const char* key :
             {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
              "minLength", "maxLength", "minItems", "maxItems", "pattern", "format"})
            if (auto it = schema.find(key); it != schema.end() && !is_limit_of_type(*it))
                out += std::string(out.empty() ? "" : ", ") + key + ' ' +
                       (it->is_string() ? it->get<std::string>() : dump(*it));
        return out;
    }

    [[nodiscard]] FieldRow row(const std::string& name, const Json& given, bool required) const {
        const Json& schema = followed(given, root_);
        FieldRow out{one_line(name, kMaxColumns), type_of(schema) + (required ? ", required" : ""),
                     ""};
        if (schema.is_object()) {
            if (auto it = schema.find("default"); it != schema.end())
                out.type += ", default " + one_line(dump(*it), kMaxColumns);
            if (auto constraints = constraints_of(schema); !constraints.empty())
                out.type += ", " + constraints;
        }
        for (const Json* said : {&given, &schema}) {  // beside a $ref, or at its target
            auto it = said->is_object() ? said->find("description") : said->end();
            if (it == said->end() || !it->is_string()) continue;
            out.description = it->get<std::string>();
            break;
        }
        return out;
    }

    const Json& root_;
    const registry::FieldOrder& order_;
};

}  // namespace

std::vector<FieldRow> field_rows(const Json& schema, const registry::FieldOrder& order) {
    return Fields(schema, order).rows;
}

void print_field_table(const Json& schema, const registry::FieldOrder& order) {
    const auto rows = field_rows(schema, order);
    if (rows.empty()) std::cout << "  no named fields\n";
    std::size_t names = 0;
    for (const auto& row : rows) names = std::max(names, columns_of(row.name));
    names = std::min<std::size_t>(names, 24);
    const std::size_t indent = 2 + names + 2;
    for (const auto& row : rows) {
        std::cout << "  " << styled(Style::bold, padded(row.name, names)) << "  "
                  << wrapped(row.type, indent, width()) << '\n';
        if (!row.description.empty())
            std::cout << std::string(indent, ' ') << wrapped(row.description, indent, width())
                      << '\n';
    }
}

}  // namespace toolhost::cli
