// The names of an enum's values.
//
// An enum class, or an enum with a fixed underlying type, needs nothing: values from -16 to 127 are
// found by name at compile time. For other enums, values or names, list them in a function beside
// the enum, which is found by argument-dependent lookup:
//
//     enum class Size { small, large };
//     constexpr auto tool_enum_names(Size) {
//         return toolhost::names({{Size::small, "S"}, {Size::large, "L"}});
//     }
#ifndef TOOLHOST_ENUM_NAMES_HPP
#define TOOLHOST_ENUM_NAMES_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include "toolhost/reflect.hpp"

namespace toolhost {

template <class E>
using EnumName = std::pair<E, std::string_view>;

// The list for tool_enum_names(), as an array.
template <class E, std::size_t N>
[[nodiscard]] constexpr std::array<EnumName<E>, N> names(const EnumName<E> (&list)[N]) {
    return std::to_array(list);
}

namespace detail {

template <class E>
concept ListsNames = requires(E value) {
    tool_enum_names(value).size();
};

// Only an enum with a fixed underlying type can hold all of its values; E{0} compiles only for it.
template <class E>
concept FixedEnum = std::is_enum_v<E> && requires {
    E{0};
};

// The enumerator with this value, or nothing. The compiler's spelling ends in "n::Size::small" if
// it exists and in "(n::Size)7" otherwise; gcc continues after a semicolon.
template <auto Value>
consteval std::string_view enumerator() {
    std::string_view text = __PRETTY_FUNCTION__;
    text = text.substr(0, std::min(text.rfind(']'), text.find(';')));
    std::size_t start = text.size();
    while (start > 0 && is_identifier_char(text[start - 1])) --start;
    text.remove_prefix(start);
    return text.empty() || (text[0] >= '0' && text[0] <= '9') ? std::string_view() : text;
}

inline constexpr int first_enum_value = -16;
inline constexpr int enum_values = 144;

// Whether E can hold the value: an enum over a char or an unsigned type cannot hold all values.
template <class E, int Value>
inline constexpr bool holds_value =
    std::in_range<std::conditional_t<std::is_same_v<std::underlying_type_t<E>, bool>, unsigned char,
                                     std::underlying_type_t<E>>>(Value) &&
    (!std::is_same_v<std::underlying_type_t<E>, bool> || Value < 2);

template <class E, int Value>
consteval std::string_view enumerator_at() {
    if constexpr (holds_value<E, Value>) {
        return enumerator<static_cast<E>(Value)>();
    } else {
        return {};
    }
}

template <class E>
consteval auto find_enum_names() {
    constexpr auto all = []<int... I>(std::integer_sequence<int, I...>) {
        return std::array{EnumName<E>(
            static_cast<E>(holds_value<E, first_enum_value + I> ? first_enum_value + I : 0),
            enumerator_at<E, first_enum_value + I>())...};
    }
    (std::make_integer_sequence<int, enum_values>());
    constexpr std::size_t count = [](const auto& list) {
        std::size_t n = 0;
        for (const auto& entry : list) n += entry.second.empty() ? 0 : 1;
        return n;
    }(all);
    std::array<EnumName<E>, count> found{};
    std::size_t n = 0;
    for (const auto& entry : all) {
        if (!entry.second.empty()) found[n++] = entry;
    }
    return found;
}

template <class E>
consteval auto names_of_enum() {
    if constexpr (ListsNames<E>) {
        return tool_enum_names(E{});
    } else {
        static_assert(FixedEnum<E>,
                      "an enum without an underlying type needs a tool_enum_names() beside it");
        constexpr auto found = find_enum_names<E>();
        // Also fails with clang for an enum inside a class template, whose enumerators it does not
        // instantiate.
        static_assert(found.size() > 0,
                      "no named value from -16 to 127 found: list them in tool_enum_names()");
        return found;
    }
}

template <class E>
inline constexpr auto enum_names = names_of_enum<E>();

template <class E>
constexpr std::optional<std::string_view> name_of(E value) {
    for (const auto& [known, name] : enum_names<E>) {
        if (known == value) return name;
    }
    return std::nullopt;
}

}  // namespace detail
}  // namespace toolhost

#endif  // TOOLHOST_ENUM_NAMES_HPP
