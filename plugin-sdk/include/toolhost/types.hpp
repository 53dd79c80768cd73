// Concepts for the C++ types that have a JSON form; schema.hpp, read_json.hpp and write_json.hpp
// each have one branch per concept.
#ifndef TOOLHOST_TYPES_HPP
#define TOOLHOST_TYPES_HPP

#include <array>
#include <concepts>
#include <cstddef>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

#include "toolhost/literal.hpp"
#include "toolhost/reflect.hpp"

namespace toolhost {

// Specialize this for a type that matches none of the concepts below:
//     template <> struct toolhost::Custom<Date> {
//         static nlohmann::json schema();
//         static Date read(const nlohmann::json&);   // throws std::exception with the reason
//         static nlohmann::json write(const Date&);
//     };
template <class T>
struct Custom;

namespace detail {

template <class T>
concept CustomType = requires {
    Custom<T>::schema();
};

template <class T>
concept AnyJson = std::same_as<T, nlohmann::json>;

template <class T>
concept Null = std::same_as<T, std::nullptr_t> || std::same_as<T, std::monostate>;

// Characters are excluded: a char in a parameter struct may mean a number or a text.
template <class T>
concept Integer = std::integral<T> && !std::same_as<T, bool> && !std::same_as<T, char> &&
                  !std::same_as<T, wchar_t> && !std::same_as<T, char8_t> &&
                  !std::same_as<T, char16_t> && !std::same_as<T, char32_t>;

template <class T>
concept Text = std::same_as<T, std::string> || std::same_as<T, std::filesystem::path>;

template <class T, template <class...> class Template>
inline constexpr bool is_a = false;
template <template <class...> class Template, class... Args>
inline constexpr bool is_a<Template<Args...>, Template> = true;

template <class T>
concept Optional = is_a<T, std::optional>;

template <class T>
concept Variant = is_a<T, std::variant>;

template <class T>
concept TupleLike = is_a<T, std::tuple> || is_a<T, std::pair>;

template <class T>
inline constexpr bool is_literal = false;
template <FixedString... Names>
inline constexpr bool is_literal<Literal<Names...>> = true;

template <class T>
inline constexpr bool is_array = false;
template <class T, std::size_t N>
inline constexpr bool is_array<std::array<T, N>> = true;

template <class T>
concept Map = requires {
    typename T::key_type;
    typename T::mapped_type;
}
&&std::same_as<typename T::key_type, std::string>;

template <class T>
concept Set = requires {
    typename T::key_type;
}
&&std::same_as<typename T::key_type, typename T::value_type>;

template <class T>
concept Sequence = !Text<T> && !AnyJson<T> && requires(T & list, typename T::value_type item) {
    list.push_back(std::move(item));
    list.begin();
};

template <class T>
inline constexpr bool always_false = false;

}  // namespace detail
}  // namespace toolhost

#endif  // TOOLHOST_TYPES_HPP
