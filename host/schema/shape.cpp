#include "host/schema/shape.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "host/schema/describe.hpp"
#include "host/schema/equality.hpp"
#include "host/schema/number.hpp"
#include "host/schema/types.hpp"

namespace toolhost::schema {
namespace {

using Json = nlohmann::json;
using Problem = std::optional<ShapeProblem>;

ShapeProblem problem(std::string suffix, std::string_view expected, const Json& value) {
    return {std::move(suffix), "must be " + std::string(expected) + ", but is " + describe(value)};
}

Problem expect(bool good, std::string_view expected, const Json& value) {
    if (good) return std::nullopt;
    return problem({}, expected, value);
}

Problem accept(const Json&) {
    return std::nullopt;
}
Problem string(const Json& value) {
    return expect(value.is_string(), "a string", value);
}
Problem boolean(const Json& value) {
    return expect(value.is_boolean(), "a boolean", value);
}
Problem number(const Json& value) {
    return expect(value.is_number(), "a number", value);
}
Problem array(const Json& value) {
    return expect(value.is_array(), "an array", value);
}

Problem positive_number(const Json& value) {
    const bool good = value.is_number() && Number::from(value).wide() > 0;
    return expect(good, "a number greater than 0", value);
}

Problem count(const Json& value) {
    const bool integral =
        value.is_number_integer() || (value.is_number_float() && is_integral(value.get<double>()));
    return expect(integral && Number::from(value).wide() >= 0, "an integer of at least 0", value);
}

// Checks every element; the problem's suffix then names the element.
Problem each(const Json& value, Problem (*check)(const Json&)) {
    for (const auto& [key, element] : value.items()) {
        if (auto found = check(element)) {
            found->suffix = pointer_token(key) + found->suffix;
            return found;
        }
    }
    return std::nullopt;
}

Problem map_of(const Json& value, std::string_view expected, Problem (*check)(const Json&)) {
    if (!value.is_object()) return problem({}, expected, value);
    return each(value, check);
}

Problem distinct(const Json& value) {
    Budget budget(step_limit(value.size()));
    const auto pair = find_duplicate(value.get_ref<const Json::array_t&>(), budget);
    if (!pair) return std::nullopt;
    return ShapeProblem{pointer_token(pair->second),
                        "must not repeat " + describe(value[pair->second])};
}

Problem string_array(const Json& value) {
    if (!value.is_array()) return problem({}, "an array of strings", value);
    if (auto found = each(value, string)) return found;
    return distinct(value);
}

constexpr std::string_view type_names =
    "one of \"array\", \"boolean\", \"integer\", \"null\", \"number\", \"object\", \"string\"";

Problem type_name(const Json& value) {
    const bool good = value.is_string() && find_type(value.get_ref<const std::string&>()) != 0;
    return expect(good, type_names, value);
}

Problem type(const Json& value) {
    if (!value.is_array()) return type_name(value);
    if (value.empty()) return problem({}, "a type or an array of at least one type", value);
    if (auto found = each(value, type_name)) return found;
    return distinct(value);
}

Problem identifier(const Json& value) {
    if (!value.is_string()) return string(value);
    const auto& text = value.get_ref<const std::string&>();
    const auto hash = text.find('#');
    return expect(hash == std::string::npos || hash + 1 == text.size(),
                  "a URI reference without a fragment", value);
}

Problem anchor(const Json& value) {
    const auto letter = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    };
    const auto good = [&](const std::string& text) {
        return !text.empty() && letter(text.front()) &&
               std::all_of(text.begin(), text.end(), [&](char c) {
                   return letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '.';
               });
    };
    return expect(value.is_string() && good(value.get_ref<const std::string&>()),
                  "a name of letters, digits, '_', '-' and '.' that starts with a letter", value);
}

Problem recursive_reference(const Json& value) {
    return expect(value == "#", "\"#\"", value);
}

Problem string_array_map(const Json& value) {
    return map_of(value, "an object of string arrays", string_array);
}

Problem boolean_map(const Json& value) {
    return map_of(value, "an object of booleans", boolean);
}

Problem schema_array(const Json& value) {
    return expect(value.is_array() && !value.empty(), "an array of at least one schema", value);
}

Problem schema_map(const Json& value) {
    return expect(value.is_object(), "an object of schemas", value);
}

Problem schema_or_array(const Json& value) {
    return value.is_array() ? schema_array(value) : std::nullopt;
}

Problem dependency(const Json& value) {
    return value.is_array() ? string_array(value) : std::nullopt;
}

Problem dependencies(const Json& value) {
    return map_of(value, "an object of schemas and string arrays", dependency);
}

// In the order of Shape.
constexpr std::array<Problem (*)(const Json&), 20> checks = {
    accept,
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
    identifier,
    string,
    anchor,
    recursive_reference,
    accept,
    schema_array,
    schema_map,
    schema_or_array,
    dependencies,
};
static_assert(checks.size() == static_cast<std::size_t>(Shape::dependencies) + 1);

}  // namespace

std::optional<ShapeProblem> check_shape(Shape shape, const Json& value) {
    return checks[static_cast<std::size_t>(shape)](value);
}

void for_each_subschema(Shape shape, const Json& value, const SubschemaVisitor& visit) {
    const bool container = shape == Shape::schema_array || shape == Shape::schema_map ||
                           shape == Shape::dependencies ||
                           (shape == Shape::schema_or_array && value.is_array());
    if (container) {
        for (const auto& [key, child] : value.items()) {
            if (shape == Shape::dependencies && child.is_array()) continue;
            visit(child, pointer_token(key));
        }
    } else if (shape == Shape::schema || shape == Shape::schema_or_array) {
        visit(value, {});
    }
}

std::string pointer_token(std::string_view token) {
    std::string out = "/";
    for (const char c : token) {
        if (c == '~') {
            out += "~0";
        } else if (c == '/') {
            out += "~1";
        } else {
            out += c;
        }
    }
    return out;
}

std::string pointer_token(std::size_t index) {
    return pointer_token(std::to_string(index));
}

}  // namespace toolhost::schema
