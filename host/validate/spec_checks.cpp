// Checks of the spec; no tool is called.
#include <algorithm>
#include <cctype>
#include <cstdint>

#include "host/base/json_text.hpp"
#include "host/validate/checks.hpp"
#include "host/validate/sample_value.hpp"

namespace toolhost::validate {
namespace {

// Calls visit(pointer, key, schema) for each property, including nested ones and those of items.
template <class Visit>
void for_each_field(const Json& schema, const std::string& at, int depth, const Visit& visit) {
    if (!schema.is_object() || depth > 16) return;
    if (const auto properties = schema.find("properties");
        properties != schema.end() && properties->is_object())
        for (const auto& [key, field] : properties->items()) {
            visit(at + '/' + key, key, field);
            for_each_field(field, at + '/' + key, depth + 1, visit);
        }
    if (const auto items = schema.find("items"); items != schema.end())
        for_each_field(*items, at + "/[]", depth + 1, visit);
}

template <class Visit>
void for_each_field(const Json& schema, const Visit& visit) {
    for_each_field(schema, "", 0, visit);
}

bool is_field_name(const std::string& name) {
    return !name.empty() && name.size() <= 64 && std::ranges::all_of(name, [](unsigned char c) {
        return std::isalnum(c) || c == '_' || c == '.' || c == '-';
    });
}

}  // namespace

void check_load(Bench& bench, CheckResult& result) {
    const auto& finding = bench.finding();
    result.judged = 1;
    if (!finding.ok())
        result.fail("",
                    std::string(discovery::info(*finding.reason).code) + ": " + finding.message);
    for (const auto& tool : bench.tools())
        for (const auto& sentence : tool.all_missing())
            result.warn(tool.spec.name, "requirement missing: " + sentence);
}

void check_descriptions(Bench& bench, CheckResult& result) {
    for (const auto& tool : bench.tools()) {
        ++result.judged;
        if (tool.spec.description.size() < 10)
            result.warn(tool.spec.name,
                        "the description is too short for a model to select the tool");
        for_each_field(tool.spec.input_schema(), [&](const std::string& pointer, const auto&,
                                                     const Json& field) {
            ++result.judged;
            const Json found = resolved(field, tool.spec.input_schema());
            if (field.value("description", "").empty() && found.value("description", "").empty())
                result.warn(tool.spec.name, pointer + " has no description");
        });
    }
}

void check_field_names(Bench& bench, CheckResult& result) {
    for (const auto& tool : bench.tools()) {
        ++result.judged;
        for_each_field(tool.spec.input_schema(), [&](const std::string& pointer,
                                                     const std::string& key, const Json&) {
            if (!is_field_name(key))
                result.warn(tool.spec.name,
                            pointer + ": providers accept 1 to 64 letters, digits, _, - and .");
        });
    }
}

void check_keys(Bench& bench, CheckResult& result) {
    for (const auto& tool : bench.tools()) {
        ++result.judged;
        for (const auto& key : tool.spec.unknown_keys())
            result.warn(tool.spec.name, "unknown key \"" + key + '"');
    }
}

void check_schemas(Bench& bench, CheckResult& result) {
    for (const auto& tool : bench.tools()) {
        ++result.judged;
        const Json& schema = tool.spec.input_schema();
        for (const char* keyword : {"anyOf", "oneOf", "allOf", "not", "enum", "$ref"})
            if (schema.contains(keyword))
                result.warn(tool.spec.name, std::string("providers refuse ") + keyword +
                                                " at the top level of a schema");
        for_each_field(schema, [&](const std::string& pointer, const auto&, const Json& field) {
            if (!field.is_object() || field.empty())
                result.warn(tool.spec.name, pointer + " has no type");
            else
                for (const char* bound : {"minimum", "maximum"})
                    if (const auto it = field.find(bound); it != field.end() &&
                                                           it->is_number_unsigned() &&
                                                           it->get<std::uint64_t>() > INT64_MAX)
                        result.warn(
                            tool.spec.name,
                            pointer + ": " + bound + " does not fit into a signed 64-bit integer");
        });
    }
}

// The check `load` requires that they fit the input schema.
void check_has_examples(Bench& bench, CheckResult& result) {
    for (const auto& tool : bench.tools()) {
        ++result.judged;
        const Json* examples = tool.spec.find("examples");
        if (!examples || examples->empty()) result.warn(tool.spec.name, "has no examples");
    }
}

}  // namespace toolhost::validate
