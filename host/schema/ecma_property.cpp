#include "host/schema/ecma_property.hpp"

#include <algorithm>
#include <utility>

namespace toolhost::schema {
namespace {

// Long names of general categories; the short ones are the same in both.
constexpr std::pair<std::string_view, std::string_view> kCategories[] = {
    {"Cased_Letter", "L&"},
    {"LC", "L&"},
    {"Close_Punctuation", "Pe"},
    {"Connector_Punctuation", "Pc"},
    {"Control", "Cc"},
    {"cntrl", "Cc"},
    {"Currency_Symbol", "Sc"},
    {"Dash_Punctuation", "Pd"},
    {"Decimal_Number", "Nd"},
    {"digit", "Nd"},
    {"Enclosing_Mark", "Me"},
    {"Final_Punctuation", "Pf"},
    {"Format", "Cf"},
    {"Initial_Punctuation", "Pi"},
    {"Letter", "L"},
    {"Letter_Number", "Nl"},
    {"Line_Separator", "Zl"},
    {"Lowercase_Letter", "Ll"},
    {"Mark", "M"},
    {"Combining_Mark", "M"},
    {"Math_Symbol", "Sm"},
    {"Modifier_Letter", "Lm"},
    {"Modifier_Symbol", "Sk"},
    {"Nonspacing_Mark", "Mn"},
    {"Number", "N"},
    {"Open_Punctuation", "Ps"},
    {"Other", "C"},
    {"Other_Letter", "Lo"},
    {"Other_Number", "No"},
    {"Other_Punctuation", "Po"},
    {"Other_Symbol", "So"},
    {"Paragraph_Separator", "Zp"},
    {"Private_Use", "Co"},
    {"Punctuation", "P"},
    {"punct", "P"},
    {"Separator", "Z"},
    {"Space_Separator", "Zs"},
    {"Spacing_Mark", "Mc"},
    {"Surrogate", "Cs"},
    {"Symbol", "S"},
    {"Titlecase_Letter", "Lt"},
    {"Unassigned", "Cn"},
    {"Uppercase_Letter", "Lu"},
};

bool is_name(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '_';
    });
}

std::string category(std::string_view name) {
    const auto* found = std::find_if(std::begin(kCategories), std::end(kCategories),
                                     [&](const auto& one) { return one.first == name; });
    return std::string(found == std::end(kCategories) ? name : found->second);
}

}  // namespace

std::optional<std::string> pcre_property(std::string_view ecma) {
    const auto equals = ecma.find('=');
    if (equals == std::string_view::npos) {
        if (!is_name(ecma)) return std::nullopt;
        return category(ecma);
    }
    const auto key = ecma.substr(0, equals);
    const auto value = ecma.substr(equals + 1);
    if (!is_name(value)) return std::nullopt;
    if (key == "General_Category" || key == "gc") return category(value);
    if (key == "Script" || key == "sc") return "sc:" + std::string(value);
    if (key == "Script_Extensions" || key == "scx") return "scx:" + std::string(value);
    return std::nullopt;
}

}  // namespace toolhost::schema
