// The required shape of each keyword's value, and the subschemas in it. This repeats the
// meta-schemas in a form that can name the place and the expectation in one sentence.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace toolhost::schema {

enum class Shape : std::uint8_t {
    anything,
    string,
    boolean,
    boolean_map,
    number,
    positive_number,
    count,
    array,
    type,
    string_array,
    string_array_map,
    identifier,         // $id without a fragment, except an empty one
    draft7_identifier,  // $id, may be "#name"
    anchor,
    recursive_reference,
    schema,
    schema_array,
    schema_map,
    schema_or_array,  // `items` before 2020-12
    dependencies,     // a map of schemas and string arrays
};

struct ShapeProblem {
    std::string suffix;  // JSON Pointer from the keyword's value to the problem
    std::string text;    // "must be a string, but is the number 5"
};

// Does not check subschemas.
[[nodiscard]] std::optional<ShapeProblem> check_shape(Shape shape, const nlohmann::json& value);

using SubschemaVisitor =
    std::function<void(const nlohmann::json& schema, const std::string& suffix)>;

// Calls the visitor for each subschema of a keyword's value, whose shape was checked.
void for_each_subschema(Shape shape, const nlohmann::json& value, const SubschemaVisitor& visit);

// One step of a JSON Pointer: a slash and the token, '~' and '/' escaped.
[[nodiscard]] std::string pointer_token(std::string_view token);
[[nodiscard]] std::string pointer_token(std::size_t index);

}  // namespace toolhost::schema
