#include "host/schema/keywords.hpp"

#include <string_view>
#include <unordered_map>
#include <vector>

#include "host/schema/compile_keywords.hpp"

namespace toolhost::schema {
namespace {

constexpr std::uint8_t d7 = 1U << static_cast<unsigned>(Dialect::draft7);
constexpr std::uint8_t d19 = 1U << static_cast<unsigned>(Dialect::draft2019_09);
constexpr std::uint8_t d20 = 1U << static_cast<unsigned>(Dialect::draft2020_12);
constexpr std::uint8_t all = d7 | d19 | d20;
constexpr std::uint8_t since19 = d19 | d20;

constexpr auto core = vocabulary_core;
constexpr auto applicator = vocabulary_applicator;
constexpr auto unevaluated = vocabulary_unevaluated;
constexpr auto validation = vocabulary_validation;
constexpr auto metadata = vocabulary_metadata;
constexpr auto content = vocabulary_content;

constexpr Keyword keywords[] = {
    {"$id", since19, core, Shape::identifier, nullptr},
    {"$id", d7, core, Shape::draft7_identifier, nullptr},
    {"$schema", all, core, Shape::string, nullptr},
    {"$ref", all, core, Shape::string, compile_ref},
    {"$anchor", since19, core, Shape::anchor, nullptr},
    {"$dynamicRef", d20, core, Shape::string, compile_dynamic_ref},
    {"$dynamicAnchor", d20, core, Shape::anchor, nullptr},
    {"$recursiveRef", d19, core, Shape::recursive_reference, compile_recursive_ref},
    {"$recursiveAnchor", d19, core, Shape::boolean, nullptr},
    // Without effect since 2020-12, whose meta-schema still says what they must look like.
    {"$recursiveRef", d20, core, Shape::string, nullptr},
    {"$recursiveAnchor", d20, core, Shape::anchor, nullptr},
    {"$vocabulary", since19, core, Shape::boolean_map, nullptr},
    {"$comment", all, core, Shape::string, nullptr},
    {"$defs", since19, core, Shape::schema_map, nullptr},
    {"definitions", all, core, Shape::schema_map, nullptr},

    {"allOf", all, applicator, Shape::schema_array, compile_all_of},
    {"anyOf", all, applicator, Shape::schema_array, compile_any_of},
    {"oneOf", all, applicator, Shape::schema_array, compile_one_of},
    {"not", all, applicator, Shape::schema, compile_not},
    {"if", all, applicator, Shape::schema, compile_if},
    {"then", all, applicator, Shape::schema, compile_then},
    {"else", all, applicator, Shape::schema, compile_else},
    {"properties", all, applicator, Shape::schema_map, compile_properties},
    {"patternProperties", all, applicator, Shape::schema_map, compile_pattern_properties},
    {"additionalProperties", all, applicator, Shape::schema, compile_additional_properties},
    {"propertyNames", all, applicator, Shape::schema, compile_property_names},
    {"dependentSchemas", since19, applicator, Shape::schema_map, compile_dependent_schemas},
    // Split in two by 2019-09, but still described by the newer meta-schemas and still written.
    {"dependencies", all, applicator, Shape::dependencies, compile_dependencies},
    {"prefixItems", d20, applicator, Shape::schema_array, compile_prefix_items},
    {"items", d20, applicator, Shape::schema, compile_items},
    {"items", d7 | d19, applicator, Shape::schema_or_array, compile_items},
    {"additionalItems", d7 | d19, applicator, Shape::schema, compile_additional_items},
    {"contains", all, applicator, Shape::schema, compile_contains},
    {"unevaluatedItems", since19, unevaluated, Shape::schema, compile_unevaluated_items},
    {"unevaluatedProperties", since19, unevaluated, Shape::schema, compile_unevaluated_properties},

    {"type", all, validation, Shape::type, compile_type},
    {"const", all, validation, Shape::anything, compile_const},
    {"enum", all, validation, Shape::array, compile_enum},
    {"minimum", all, validation, Shape::number, compile_minimum},
    {"maximum", all, validation, Shape::number, compile_maximum},
    {"exclusiveMinimum", all, validation, Shape::number, compile_exclusive_minimum},
    {"exclusiveMaximum", all, validation, Shape::number, compile_exclusive_maximum},
    {"multipleOf", all, validation, Shape::positive_number, compile_multiple_of},
    {"minLength", all, validation, Shape::count, compile_min_length},
    {"maxLength", all, validation, Shape::count, compile_max_length},
    {"pattern", all, validation, Shape::string, compile_pattern},
    {"minItems", all, validation, Shape::count, compile_min_items},
    {"maxItems", all, validation, Shape::count, compile_max_items},
    {"uniqueItems", all, validation, Shape::boolean, compile_unique_items},
    {"minContains", since19, validation, Shape::count, compile_min_contains},
    {"maxContains", since19, validation, Shape::count, compile_max_contains},
    {"minProperties", all, validation, Shape::count, compile_min_properties},
    {"maxProperties", all, validation, Shape::count, compile_max_properties},
    {"required", all, validation, Shape::string_array, compile_required},
    {"dependentRequired", since19, validation, Shape::string_array_map, compile_dependent_required},

    {"format", all, vocabulary_format, Shape::string, compile_format},
    {"contentEncoding", all, content, Shape::string, nullptr},
    {"contentMediaType", all, content, Shape::string, nullptr},
    {"contentSchema", since19, content, Shape::schema, nullptr},
    {"title", all, metadata, Shape::string, nullptr},
    {"description", all, metadata, Shape::string, nullptr},
    {"default", all, metadata, Shape::anything, nullptr},
    {"examples", all, metadata, Shape::array, nullptr},
    {"deprecated", since19, metadata, Shape::boolean, nullptr},
    {"readOnly", all, metadata, Shape::boolean, nullptr},
    {"writeOnly", all, metadata, Shape::boolean, nullptr},
};

}  // namespace

const Keyword* find_keyword(std::string_view name, const DialectProfile& profile) {
    static const auto index = [] {
        std::unordered_multimap<std::string_view, const Keyword*> rows;
        for (const Keyword& row : keywords) rows.emplace(row.name, &row);
        return rows;
    }();
    const auto draft = 1U << static_cast<unsigned>(profile.dialect);
    const auto [first, last] = index.equal_range(name);
    for (auto row = first; row != last; ++row) {
        const Keyword& keyword = *row->second;
        if ((keyword.drafts & draft) != 0 && (keyword.vocabulary & profile.vocabularies) != 0) {
            return &keyword;
        }
    }
    return nullptr;
}

}  // namespace toolhost::schema
