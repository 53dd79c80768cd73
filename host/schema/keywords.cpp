#include "host/schema/keywords.hpp"

#include <string_view>
#include <unordered_map>
#include <vector>

#include "host/schema/compile_keywords.hpp"

namespace toolhost::schema {
namespace {

constexpr std::uint8_t kD7 = 1U << static_cast<unsigned>(Dialect::draft7);
constexpr std::uint8_t kD19 = 1U << static_cast<unsigned>(Dialect::draft2019_09);
constexpr std::uint8_t kD20 = 1U << static_cast<unsigned>(Dialect::draft2020_12);
constexpr std::uint8_t kAll = kD7 | kD19 | kD20;
constexpr std::uint8_t kSince19 = kD19 | kD20;

constexpr auto kCore = vocabulary_core;
constexpr auto kApplicator = vocabulary_applicator;
constexpr auto kUnevaluated = vocabulary_unevaluated;
constexpr auto kValidation = vocabulary_validation;
constexpr auto kMetadata = vocabulary_metadata;
constexpr auto kContent = vocabulary_content;

constexpr Keyword kKeywords[] = {
    {"$id", kSince19, kCore, Shape::identifier, nullptr},
    {"$id", kD7, kCore, Shape::draft7_identifier, nullptr},
    {"$schema", kAll, kCore, Shape::string, nullptr},
    {"$ref", kAll, kCore, Shape::string, compile_ref},
    {"$anchor", kSince19, kCore, Shape::anchor, nullptr},
    {"$dynamicRef", kD20, kCore, Shape::string, compile_dynamic_ref},
    {"$dynamicAnchor", kD20, kCore, Shape::anchor, nullptr},
    {"$recursiveRef", kD19, kCore, Shape::recursive_reference, compile_recursive_ref},
    {"$recursiveAnchor", kD19, kCore, Shape::boolean, nullptr},
    // Has no effect since 2020-12, whose meta-schema still defines its shape.
    {"$recursiveRef", kD20, kCore, Shape::string, nullptr},
    {"$recursiveAnchor", kD20, kCore, Shape::anchor, nullptr},
    {"$vocabulary", kSince19, kCore, Shape::boolean_map, nullptr},
    {"$comment", kAll, kCore, Shape::string, nullptr},
    {"$defs", kSince19, kCore, Shape::schema_map, nullptr},
    {"definitions", kAll, kCore, Shape::schema_map, nullptr},

    {"allOf", kAll, kApplicator, Shape::schema_array, compile_all_of},
    {"anyOf", kAll, kApplicator, Shape::schema_array, compile_any_of},
    {"oneOf", kAll, kApplicator, Shape::schema_array, compile_one_of},
    {"not", kAll, kApplicator, Shape::schema, compile_not},
    {"if", kAll, kApplicator, Shape::schema, compile_if},
    {"then", kAll, kApplicator, Shape::schema, compile_then},
    {"else", kAll, kApplicator, Shape::schema, compile_else},
    {"properties", kAll, kApplicator, Shape::schema_map, compile_properties},
    {"patternProperties", kAll, kApplicator, Shape::schema_map, compile_pattern_properties},
    {"additionalProperties", kAll, kApplicator, Shape::schema, compile_additional_properties},
    {"propertyNames", kAll, kApplicator, Shape::schema, compile_property_names},
    {"dependentSchemas", kSince19, kApplicator, Shape::schema_map, compile_dependent_schemas},
    // Replaced by two keywords in 2019-09, but newer meta-schemas still describe it and authors
    // still use it.
    {"dependencies", kAll, kApplicator, Shape::dependencies, compile_dependencies},
    {"prefixItems", kD20, kApplicator, Shape::schema_array, compile_prefix_items},
    {"items", kD20, kApplicator, Shape::schema, compile_items},
    {"items", kD7 | kD19, kApplicator, Shape::schema_or_array, compile_items},
    {"additionalItems", kD7 | kD19, kApplicator, Shape::schema, compile_additional_items},
    {"contains", kAll, kApplicator, Shape::schema, compile_contains},
    {"unevaluatedItems", kSince19, kUnevaluated, Shape::schema, compile_unevaluated_items},
    {"unevaluatedProperties", kSince19, kUnevaluated, Shape::schema,
     compile_unevaluated_properties},

    {"type", kAll, kValidation, Shape::type, compile_type},
    {"const", kAll, kValidation, Shape::anything, compile_const},
    {"enum", kAll, kValidation, Shape::array, compile_enum},
    {"minimum", kAll, kValidation, Shape::number, compile_minimum},
    {"maximum", kAll, kValidation, Shape::number, compile_maximum},
    {"exclusiveMinimum", kAll, kValidation, Shape::number, compile_exclusive_minimum},
    {"exclusiveMaximum", kAll, kValidation, Shape::number, compile_exclusive_maximum},
    {"multipleOf", kAll, kValidation, Shape::positive_number, compile_multiple_of},
    {"minLength", kAll, kValidation, Shape::count, compile_min_length},
    {"maxLength", kAll, kValidation, Shape::count, compile_max_length},
    {"pattern", kAll, kValidation, Shape::string, compile_pattern},
    {"minItems", kAll, kValidation, Shape::count, compile_min_items},
    {"maxItems", kAll, kValidation, Shape::count, compile_max_items},
    {"uniqueItems", kAll, kValidation, Shape::boolean, compile_unique_items},
    {"minContains", kSince19, kValidation, Shape::count, compile_min_contains},
    {"maxContains", kSince19, kValidation, Shape::count, compile_max_contains},
    {"minProperties", kAll, kValidation, Shape::count, compile_min_properties},
    {"maxProperties", kAll, kValidation, Shape::count, compile_max_properties},
    {"required", kAll, kValidation, Shape::string_array, compile_required},
    {"dependentRequired", kSince19, kValidation, Shape::string_array_map,
     compile_dependent_required},

    {"format", kAll, vocabulary_format, Shape::string, compile_format},
    {"contentEncoding", kAll, kContent, Shape::string, nullptr},
    {"contentMediaType", kAll, kContent, Shape::string, nullptr},
    {"contentSchema", kSince19, kContent, Shape::schema, nullptr},
    {"title", kAll, kMetadata, Shape::string, nullptr},
    {"description", kAll, kMetadata, Shape::string, nullptr},
    {"default", kAll, kMetadata, Shape::anything, nullptr},
    {"examples", kAll, kMetadata, Shape::array, nullptr},
    {"deprecated", kSince19, kMetadata, Shape::boolean, nullptr},
    {"readOnly", kAll, kMetadata, Shape::boolean, nullptr},
    {"writeOnly", kAll, kMetadata, Shape::boolean, nullptr},
};

}  // namespace

const Keyword* find_keyword(std::string_view name, const DialectProfile& profile) {
    static const auto index = [] {
        std::unordered_multimap<std::string_view, const Keyword*> rows;
        for (const Keyword& row : kKeywords) rows.emplace(row.name, &row);
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
