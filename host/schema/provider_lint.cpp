#include "host/schema/provider_lint.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "host/schema/depth.hpp"
#include "host/schema/raw_schema.hpp"
#include "host/schema/schema.hpp"
#include "host/schema/shape.hpp"

namespace toolhost::schema {
namespace {

using Json = nlohmann::json;

// OpenAI's documented limits for a function's schema.
constexpr std::size_t kOpenAiLevels = 10, kOpenAiProperties = 5000, kOpenAiEnumValues = 1000,
                      kOpenAiDescription = 1024;
constexpr std::size_t kLongestName = 64;
constexpr double kExactIntegers = 9007199254740992.0;  // 2^53: exact in a double up to here

constexpr std::array kUnions = {"oneOf", "anyOf", "allOf"};
constexpr std::array kBounds = {"minimum",          "maximum",   "exclusiveMinimum",
                                "exclusiveMaximum", "minLength", "maxLength",
                                "minItems",         "maxItems",  "multipleOf"};
// Supported neither by Gemini's Schema nor by the JSON Schema that it accepts. Annotations and
// additionalProperties are not listed: they are ignored there or removed by clients.
constexpr std::array kNotForGemini = {"$ref",
                                      "$dynamicRef",
                                      "$defs",
                                      "definitions",
                                      "const",
                                      "oneOf",
                                      "allOf",
                                      "not",
                                      "if",
                                      "then",
                                      "else",
                                      "dependentSchemas",
                                      "prefixItems",
                                      "dependentRequired",
                                      "dependencies",
                                      "patternProperties",
                                      "contains",
                                      "propertyNames",
                                      "uniqueItems",
                                      "unevaluatedProperties",
                                      "multipleOf",
                                      "exclusiveMinimum",
                                      "unevaluatedItems",
                                      "exclusiveMaximum"};

bool is_name(std::string_view text, std::string_view more) {
    return !text.empty() && text.size() <= kLongestName &&
           std::all_of(text.begin(), text.end(), [&](char c) {
               return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      more.find(c) != std::string_view::npos;
           });
}

class Linter {
public:
    explicit Linter(Provider provider) : provider_(provider) {}

    void lint_words(std::string_view name, std::string_view description) {
        if (!is_name(name, "_-")) find("/name", "must be 1 to 64 letters, digits, _ or -");
        const bool starts_well =
            !name.empty() && name[0] != '-' && (name[0] < '0' || name[0] > '9');
        if (provider_ == Provider::gemini && !starts_well)
            find("/name", "must start with a letter or _");
        if (description.empty()) find("/description", "must not be empty");
        if (provider_ == Provider::openai && description.size() > kOpenAiDescription)
            find("/description", "has more than " + std::to_string(kOpenAiDescription) + " bytes");
    }

    void lint_root(const Json& schema) {
        const std::string at = "/inputSchema";
        if (schema.value("type", Json()) != "object") find(at, "must have \"type\": \"object\"");
        for (const char* key : kUnions)
            if (schema.contains(key)) find(at, std::string(key) + " is refused at the top level");
        if (provider_ == Provider::openai)
            for (const char* key : {"enum", "not"})
                if (schema.contains(key))
                    find(at, std::string(key) + " is refused at the top level");
        lint(schema, at, 1);
        if (provider_ != Provider::openai) return;
        if (properties_ > kOpenAiProperties)
            find(at, "has more than " + std::to_string(kOpenAiProperties) + " properties");
        if (enum_values_ > kOpenAiEnumValues)
            find(at, "has more than " + std::to_string(kOpenAiEnumValues) + " enum values");
    }

    std::vector<LintFinding> take() { return std::move(findings_); }

private:
    void find(const std::string& pointer, std::string message) {
        if (findings_.size() < kMaxLintFindings) findings_.push_back({pointer, std::move(message)});
    }

    void lint(const Json& schema, const std::string& at, std::size_t level) {
        if (findings_.size() >= kMaxLintFindings) return;
        if (schema.is_boolean()) {
            if (provider_ != Provider::anthropic)
                find(at, "is true or false; use an object with a type");
            return;
        }
        if (!schema.is_object()) return;
        lint_values(schema, at);
        lint_type(schema, at);
        lint_reference(schema, at);
        if (provider_ == Provider::gemini)
            for (const char* key : kNotForGemini)
                if (schema.contains(key)) find(at, std::string(key) + " is not supported");
        if (provider_ == Provider::openai && level == kOpenAiLevels + 1)
            find(at, "is nested deeper than " + std::to_string(kOpenAiLevels) + " levels");
        lint_parts(schema, at, level);
    }

    void lint_values(const Json& schema, const std::string& at) {
        for (const char* key : kBounds)
            if (const auto it = schema.find(key); it != schema.end() && it->is_number())
                if (std::fabs(it->get<double>()) > kExactIntegers)
                    find(at + '/' + key, it->dump() + " exceeds 2^53; remove it");
        const auto values = schema.find("enum");
        if (values == schema.end() || !values->is_array()) return;
        enum_values_ += values->size();
        if (provider_ == Provider::gemini &&
            !std::all_of(values->begin(), values->end(),
                         [](const Json& value) { return value.is_string(); }))
            find(at + "/enum", "must contain only strings");
    }

    void lint_type(const Json& schema, const std::string& at) {
        const auto type = schema.find("type");
        if (type == schema.end()) return;
        if (provider_ == Provider::gemini && type->is_array())
            find(at + "/type", "must be one type; use anyOf for several");
        if (provider_ != Provider::anthropic && *type == "array" && !schema.contains("items"))
            find(at, "an array must have items");
        // Valid in drafts before 2020-12.
        if (provider_ == Provider::anthropic && schema.contains("items") &&
            schema["items"].is_array())
            find(at + "/items", "must be one schema; use prefixItems for several");
    }

    void lint_reference(const Json& schema, const std::string& at) {
        const auto reference = schema.find("$ref");
        if (reference != schema.end() && reference->is_string() &&
            !reference->get_ref<const std::string&>().starts_with('#'))
            find(at + "/$ref", "must refer to this schema itself");
    }

    void lint_parts(const Json& schema, const std::string& at, std::size_t level) {
        if (const auto fields = schema.find("properties");
            fields != schema.end() && fields->is_object())
            for (const auto& [name, field] : fields->items()) {
                const auto place = at + "/properties" + pointer_token(name);
                ++properties_;
                if (provider_ == Provider::anthropic && !is_name(name, "_.-"))
                    find(place, "must be named with 1 to 64 letters, digits, _, . or -");
                if (field.is_object() && !has_type(field)) find(place, "has no type");
                lint(field, place, level + 1);
            }
        for (const char* key : {"items", "additionalProperties", "not", "if", "then", "else"})
            if (const auto it = schema.find(key); it != schema.end() && it->is_object())
                lint(*it, at + '/' + key, level + 1);
        for (const char* key : {"$defs", "definitions"})
            if (const auto it = schema.find(key); it != schema.end() && it->is_object())
                for (const auto& [name, part] : it->items())
                    lint(part, at + '/' + key + pointer_token(name), level);
        for (const char* key : {"anyOf", "oneOf", "allOf", "prefixItems"})
            if (const auto it = schema.find(key); it != schema.end() && it->is_array())
                for (std::size_t i = 0; i < it->size(); ++i)
                    lint((*it)[i], at + '/' + key + pointer_token(i), level);
    }

    static bool has_type(const Json& schema) {
        if (schema.contains("type") || schema.contains("$ref")) return true;
        return std::any_of(kUnions.begin(), kUnions.end(), [&](const char* key) {
            const auto it = schema.find(key);
            return it != schema.end() && it->is_array() &&
                   std::all_of(it->begin(), it->end(),
                               [](const Json& part) { return part.is_object() && has_type(part); });
        });
    }

    const Provider provider_;
    std::vector<LintFinding> findings_;
    std::size_t properties_ = 0, enum_values_ = 0;
};

}  // namespace

std::optional<Provider> provider_named(std::string_view name) {
    if (name == "anthropic") return Provider::anthropic;
    if (name == "openai") return Provider::openai;
    if (name == "gemini") return Provider::gemini;
    return std::nullopt;
}

std::vector<LintFinding> lint_tool(Provider provider, std::string_view name,
                                   std::string_view description, const Json& input_schema) {
    Linter linter(provider);
    linter.lint_words(name, description);
    // The code here recurses. Accepted specs are within this depth.
    if (input_schema.is_object() && measure(input_schema, CompileOptions{}.max_depth))
        linter.lint_root(input_schema);
    return linter.take();
}

}  // namespace toolhost::schema
