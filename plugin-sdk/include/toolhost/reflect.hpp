// The members of a plain struct and their names, at compile time.
//
// The compiler provides the names: __PRETTY_FUNCTION__ contains the address of a member that is a
// template argument. The object whose members are named is declared but never defined; it is used
// in constant evaluation only, so nothing refers to it at link time.
//
// A struct qualifies if it is an aggregate without base classes, references, bit-fields and C
// arrays, is default-constructible and has at most 32 members.
#ifndef TOOLHOST_REFLECT_HPP
#define TOOLHOST_REFLECT_HPP

#include <array>
#include <cstddef>
#include <memory>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "toolhost/bind.hpp"
#include "toolhost/field.hpp"

namespace toolhost::detail {

template <class T>
concept Struct = std::is_class_v<T> && std::is_aggregate_v<T> && std::default_initializable<T>;

template <class T, std::size_t... I>
constexpr bool takes(std::index_sequence<I...>) {
    return requires {
        T{(static_cast<void>(I), Anything{})...};
    };
}

// Searched downwards: an aggregate also accepts fewer initializers than it has members.
template <class T, std::size_t N = max_members + 1>
constexpr std::size_t count_members() {
    if constexpr (takes<T>(std::make_index_sequence<N>())) {
        return N;
    } else {
        return count_members<T, N - 1>();
    }
}

template <class T>
inline constexpr std::size_t member_count = count_members<T>();

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wundefined-var-template"
#pragma clang diagnostic ignored "-Wundefined-internal"
#endif
// A link error with this name means that a member name was used outside of constant evaluation.
template <class T>
struct NeverDefined {
    T value;
    static const NeverDefined object;
};

// A pointer in a struct: clang accepts the address of a subobject only in this form.
template <class T>
struct MemberAddress {
    const T* address;
};
template <class T>
MemberAddress(const T*) -> MemberAddress<T>;

template <class T>
consteval auto member_addresses() {
    return std::apply([](auto&... member) { return std::tuple(std::addressof(member)...); },
                      tie_members<member_count<T>>(NeverDefined<T>::object.value));
}

template <class T, std::size_t I>
consteval auto member_address() {
    return MemberAddress{std::get<I>(member_addresses<T>())};
}
#if defined(__clang__)
#pragma clang diagnostic pop
#endif

template <auto Value>
consteval std::string_view spelled() {
    return __PRETTY_FUNCTION__;
}

constexpr bool is_identifier_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           static_cast<unsigned char>(c) >= 0x80;
}

// The number of characters after a member's name in spelled(), measured with a known member, so
// that no compiler's format is hard-coded.
struct SpellingTail {
    int known_name;
};
consteval std::size_t characters_after_name() {
    constexpr std::string_view text = spelled<member_address<SpellingTail, 0>()>();
    return text.size() - text.rfind("known_name") - std::string_view("known_name").size();
}

template <class T, std::size_t I>
consteval std::string_view spelled_member() {
    std::string_view text = spelled<member_address<T, I>()>();
    text.remove_suffix(characters_after_name());
    std::size_t start = text.size();
    while (start > 0 && is_identifier_char(text[start - 1])) --start;
    return text.substr(start);
}

// Copied, so that the library contains only the name and not the whole spelling.
template <class T, std::size_t I>
consteval auto copy_member_name() {
    std::array<char, spelled_member<T, I>().size()> name{};
    std::size_t i = 0;
    for (char c : spelled_member<T, I>()) name[i++] = c;
    return name;
}

template <class T, std::size_t I>
inline constexpr auto member_name_storage = copy_member_name<T, I>();

// The JSON key of T's member I: its name, unless the Field sets another.
template <class T, std::size_t I, class M>
constexpr std::string_view member_key() {
    if constexpr (!MemberTraits<M>::key.empty()) {
        return MemberTraits<M>::key;
    } else {
        constexpr auto& name = member_name_storage<T, I>;
        return {name.data(), name.size()};
    }
}

// Calls visit(key, member) for each member in the order of declaration.
template <class T, class Visit>
constexpr void for_each_member(T& object, Visit&& visit) {
    using Plain = std::remove_cv_t<T>;
    auto members = tie_members<member_count<Plain>>(object);
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        (visit(member_key<Plain, I, std::remove_cvref_t<decltype(std::get<I>(members))>>(),
               std::get<I>(members)),
         ...);
    }
    (std::make_index_sequence<member_count<Plain>>());
}

}  // namespace toolhost::detail

#endif  // TOOLHOST_REFLECT_HPP
