#include "host/cli/input_table.hpp"

#include <algorithm>
#include <iostream>
#include <set>

#include "host/cli/input.hpp"
#include "host/cli/terminal.hpp"
#include "host/registry/json_text.hpp"

namespace toolhost::cli {
namespace {

constexpr int kMostLevels = 4;  // schemas may lead back to themselves

struct Field {
    std::string name;  // dotted, as `call` takes it; [] where it is in an array's items
    const Json* schema;
    bool required;
};

class Table {
public:
    explicit Table(const Json& root) : root_(root) { collect(root, "", 0); }

    void print() const {
        if (fields_.empty()) std::cout << "  takes no fields by name\n";
        std::size_t names = 0;
        for (const auto& field : fields_) names = std::max(names, columns_of(field.name));
        names = std::min<std::size_t>(names, 24);
        for (const auto& field : fields_) print_field(field, names);
    }

private:
    // What must be given comes first; what is nested follows what it is nested in.
    void collect(const Json& schema, const std::string& prefix, int depth) {
        const Json& at = followed(schema, root_);
        auto properties = at.is_object() ? at.find("properties") : at.end();
        if (depth > kMostLevels || properties == at.end() || !properties->is_object()) return;
        std::set<std::string> required;
        if (auto it = at.find("required"); it != at.end() && it->is_array())
            for (const auto& name : *it)
                if (name.is_string()) required.insert(name.get<std::string>());
        for (bool wanted : {true, false})
            for (const auto& [name, field] : properties->items()) {
                if (required.contains(name) != wanted) continue;
                fields_.push_back({prefix + name, &field, wanted});
                collect(field, prefix + name + '.', depth + 1);
                const Json& value = followed(field, root_);
                if (value.is_object() && value.contains("items"))
                    collect(value["items"], prefix + name + "[].", depth + 1);
            }
    }

    [[nodiscard]] std::string alternatives(const Json& schemas, int depth) const {
        std::string out;
        for (const auto& one : schemas)
            out += (out.empty() ? "" : " or ") + type_of(one, depth + 1);
        return one_line(out, 40);
    }

    [[nodiscard]] std::string type_of(const Json& schema, int depth = 0) const {
        const Json& at = followed(schema, root_);
        if (!at.is_object() || depth > kMostLevels) return "any";
        auto shown = [](const Json& value) {
            return value.is_string() ? value.get<std::string>() : dump(value);
        };
        if (auto it = at.find("const"); it != at.end()) return one_line(shown(*it), 40);
        if (auto it = at.find("enum"); it != at.end() && it->is_array()) {
            std::string out;
            for (const auto& value : *it) out += (out.empty() ? "" : "|") + shown(value);
            return one_line(out, 40);
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

    // What a value must keep to, beyond its type.
    static std::string bounds_of(const Json& schema) {
        std::string out;
        for (const char* key :
             {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
              "minLength", "maxLength", "minItems", "maxItems", "pattern", "format"})
            if (auto it = schema.find(key); it != schema.end())
                out += std::string(out.empty() ? "" : ", ") + key + ' ' +
                       (it->is_string() ? it->get<std::string>() : dump(*it));
        return out;
    }

    void print_field(const Field& field, std::size_t names) const {
        const Json& schema = followed(*field.schema, root_);
        std::string text = type_of(schema) + (field.required ? ", required" : "");
        if (schema.is_object()) {
            if (auto it = schema.find("default"); it != schema.end())
                text += ", default " + one_line(dump(*it), 40);
            if (auto bounds = bounds_of(schema); !bounds.empty()) text += ", " + bounds;
        }
        const std::size_t indent = 2 + names + 2;
        std::cout << "  " << styled(Style::bold, padded(field.name, names)) << "  "
                  << wrapped(text, indent, width()) << '\n';
        for (const Json* said : {field.schema, &schema}) {  // beside a $ref, or where it leads
            auto it = said->is_object() ? said->find("description") : said->end();
            if (it == said->end() || !it->is_string()) continue;
            std::cout << std::string(indent, ' ')
                      << wrapped(it->get_ref<const std::string&>(), indent, width()) << '\n';
            break;
        }
    }

    const Json& root_;
    std::vector<Field> fields_;
};

}  // namespace

void print_input_table(const Json& schema) {
    Table(schema).print();
}

}  // namespace toolhost::cli
