#include "host/schema/types.hpp"

#include "host/schema/number.hpp"

namespace toolhost::schema {
namespace {

using Type = nlohmann::json::value_t;

constexpr TypeSet kIntegers = type_bit(Type::number_integer) | type_bit(Type::number_unsigned);

struct TypeRow {
    std::string_view name, phrase;
    TypeSet types;
};

// `number` before `integer`: the phrase for a set names the wider type and skips the narrower.
constexpr TypeRow kTypeTable[] = {
    {"object", "an object", type_bit(Type::object)},
    {"array", "an array", type_bit(Type::array)},
    {"string", "a string", type_bit(Type::string)},
    {"number", "a number", kIntegers | kIntegralRealBit | type_bit(Type::number_float)},
    {"integer", "an integer", kIntegers | kIntegralRealBit},
    {"boolean", "a boolean", type_bit(Type::boolean)},
    {"null", "null", type_bit(Type::null)},
};

}  // namespace

TypeSet find_type(std::string_view name) {
    for (const TypeRow& row : kTypeTable) {
        if (row.name == name) return row.types;
    }
    return 0;
}

TypeSet type_bits(const nlohmann::json& value) {
    TypeSet bits = type_bit(value.type());
    if (value.is_number_float() && is_integral(value.get<double>())) bits |= kIntegralRealBit;
    return bits;
}

std::string type_phrase(TypeSet types) {
    std::string phrase;
    for (const TypeRow& row : kTypeTable) {
        if ((types & row.types) != row.types) continue;
        types = static_cast<TypeSet>(types & ~row.types);
        if (!phrase.empty()) phrase += " or ";
        phrase += row.phrase;
    }
    return phrase;
}

std::string_view type_name(const nlohmann::json& value) {
    if (value.is_number())
        return (type_bits(value) & find_type("integer")) != 0 ? "integer" : "number";
    return value.type_name();
}

}  // namespace toolhost::schema
