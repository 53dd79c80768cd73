#include <algorithm>
#include <iostream>
#include <memory>
#include <set>

#include "host/cli/session.hpp"
#include "host/cli/terminal.hpp"
#include "host/registry/json_text.hpp"

namespace toolhost::cli {
namespace {

using registry::Tool;

std::string type_of(const Json& schema) {
    if (!schema.is_object()) return "any";
    if (auto it = schema.find("enum"); it != schema.end() && it->is_array()) {
        std::string out;
        for (const auto& value : *it)
            out += (out.empty() ? "" : "|") +
                   (value.is_string() ? value.get<std::string>() : dump(value));
        return one_line(out, 40);
    }
    if (auto it = schema.find("anyOf"); it != schema.end() && it->is_array()) {
        std::string out;
        for (const auto& one : *it) out += (out.empty() ? "" : " or ") + type_of(one);
        return one_line(out, 40);
    }
    auto type = schema.find("type");
    if (type == schema.end()) return "any";
    if (type->is_array()) {
        std::string out;
        for (const auto& one : *type)
            out += (out.empty() ? "" : " or ") + (one.is_string() ? one.get<std::string>() : "?");
        return out;
    }
    if (*type == "array" && schema.contains("items")) return type_of(schema["items"]) + "[]";
    return type->is_string() ? type->get<std::string>() : "any";
}

// What a value must keep to, beyond its type.
std::string bounds_of(const Json& schema) {
    std::string out;
    for (const char* key :
         {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength",
          "maxLength", "minItems", "maxItems", "pattern", "format"})
        if (auto it = schema.find(key); it != schema.end())
            out += std::string(out.empty() ? "" : ", ") + key + ' ' +
                   (it->is_string() ? it->get<std::string>() : dump(*it));
    return out;
}

void print_field(const std::string& name, const Json& schema, bool required, std::size_t names) {
    std::string text = type_of(schema) + (required ? ", required" : "");
    if (schema.is_object()) {
        if (auto it = schema.find("default"); it != schema.end())
            text += ", default " + one_line(dump(*it), 40);
        if (auto bounds = bounds_of(schema); !bounds.empty()) text += ", " + bounds;
    }
    const std::size_t indent = 2 + names + 2;
    std::cout << "  " << styled(Style::bold, padded(name, names)) << "  "
              << wrapped(text, indent, width()) << '\n';
    if (!schema.is_object()) return;
    if (auto it = schema.find("description"); it != schema.end() && it->is_string())
        std::cout << std::string(indent, ' ')
                  << wrapped(it->get_ref<const std::string&>(), indent, width()) << '\n';
}

struct Field {
    std::string name;  // dotted, as `call` takes it
    const Json* schema;
    bool required;
};

// What must be given comes first; what is nested follows what it is nested in.
void collect_fields(const Json& schema, const std::string& prefix, int depth,
                    std::vector<Field>& out) {
    constexpr int kDeepest = 4;
    auto properties = schema.is_object() ? schema.find("properties") : schema.end();
    if (depth > kDeepest || properties == schema.end() || !properties->is_object()) return;
    std::set<std::string> required;
    if (auto it = schema.find("required"); it != schema.end() && it->is_array())
        for (const auto& name : *it)
            if (name.is_string()) required.insert(name.get<std::string>());
    for (bool wanted : {true, false})
        for (const auto& [name, field] : properties->items()) {
            if (required.contains(name) != wanted) continue;
            out.push_back({prefix + name, &field, wanted});
            collect_fields(field, prefix + name + '.', depth + 1, out);
        }
}

void print_input(const Json& schema) {
    std::vector<Field> fields;
    collect_fields(schema, "", 0, fields);
    if (fields.empty()) std::cout << "  takes no fields by name\n";
    std::size_t names = 0;
    for (const auto& field : fields) names = std::max(names, columns_of(field.name));
    names = std::min<std::size_t>(names, 24);
    for (const auto& field : fields) print_field(field.name, *field.schema, field.required, names);
}

void print_line(const char* label, const std::string& text) {
    if (!text.empty()) std::cout << padded(label, 14) << wrapped(text, 14, width()) << '\n';
}

std::string needs_of(const registry::Needs& needs) {
    std::string out;
    auto add = [&](bool wanted, const char* name) {
        if (wanted) out += (out.empty() ? "" : ", ") + std::string(name);
    };
    add(needs.network, "network");
    add(needs.read, "read");
    add(needs.write, "write");
    add(needs.exec, "exec");
    return out.empty() ? "nothing" : out;
}

void print_text(const registry::Catalogue& catalogue, const Tool& tool) {
    const auto& spec = tool.spec;
    std::cout << styled(Style::bold, spec.name) << ' ' << spec.version.text() << "  "
              << styled(Style::dim, "family " + spec.family +
                                        (spec.category.empty() ? "" : ", " + spec.category))
              << "\n\n"
              << wrapped(spec.description, 0, width()) << "\n\n"
              << styled(Style::bold, "Input") << '\n';
    print_input(spec.input_schema());
    if (const Json* output = spec.output_schema(); output && output->contains("properties")) {
        std::cout << '\n' << styled(Style::bold, "Output") << '\n';
        print_input(*output);
    }
    std::cout << '\n';
    if (spec.deprecated)
        print_line("Deprecated", spec.deprecated->empty() ? "yes" : *spec.deprecated);
    for (const auto& sentence : tool.all_missing()) print_line("Missing", sentence);
    print_line("Needs", needs_of(spec.needs));
    for (const auto& [what, range] : spec.requirements) print_line("Requires", what + ' ' + range);
    if (spec.timeout_ms) print_line("Timeout", std::to_string(*spec.timeout_ms) + " ms");
    if (spec.requires_consent) print_line("Consent", "required");
    std::string references;
    for (const auto& form : catalogue.references(tool))
        if (form.find('@') == std::string::npos || !tool.usable())
            references += (references.empty() ? "" : "\n") + form;
    references += "\nnative:" + spec.name + '@' + spec.version.text() + " and such";
    print_line("Called as", references);
    print_line("Library", tool.library->path);
}

}  // namespace

Action setup_show(CLI::App& app, const Options& options) {
    auto reference = std::make_shared<std::string>();
    app.add_option("REF", *reference, "A tool, as NAME, native:FAMILY.NAME or NAME@VERSION")
        ->required();
    return [=, &options] {
        Session session(options);
        auto catalogue = session.catalogue();
        auto tool = catalogue->resolve(*reference);
        if (!tool) return print_error(tool.error());
        if (!options.json) {
            print_text(*catalogue, **tool);
            return Exit::ok;
        }
        std::cout << dump({{"spec", (*tool)->spec.json()},
                           {"references", catalogue->references(**tool)},
                           {"library", (*tool)->library->path},
                           {"sha256", (*tool)->library->sha256},
                           {"usable", (*tool)->usable()},
                           {"missing", (*tool)->all_missing()}},
                          2)
                  << '\n';
        return Exit::ok;
    };
}

}  // namespace toolhost::cli
