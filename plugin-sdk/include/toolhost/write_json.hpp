// Converts typed values to JSON.
#ifndef TOOLHOST_WRITE_JSON_HPP
#define TOOLHOST_WRITE_JSON_HPP

#include <cmath>
#include <string>
#include <type_traits>
#include <utility>

#include "toolhost/enum_names.hpp"
#include "toolhost/types.hpp"

namespace toolhost {

template <class T>
[[nodiscard]] nlohmann::json write_json(const T& value);

namespace detail {

// A struct: one key per member; an empty optional has no key.
template <class T>
nlohmann::json write_struct(const T& value) {
    nlohmann::json object = nlohmann::json::object();
    for_each_member(value, [&](std::string_view key, const auto& member) {
        const auto& content = plain(member);
        if constexpr (Optional<std::remove_cvref_t<decltype(content)>>) {
            if (!content) return;
        }
        object[std::string(key)] = write_json(content);
    });
    return object;
}

template <class T>
nlohmann::json write_list(const T& value) {
    nlohmann::json array = nlohmann::json::array();
    for (const auto& item : value) {
        // The element's own type, not decltype(item): vector<bool> returns proxies.
        array.push_back(write_json(static_cast<const typename T::value_type&>(item)));
    }
    return array;
}

template <class T>
nlohmann::json write_map(const T& value) {
    nlohmann::json object = nlohmann::json::object();
    for (const auto& [key, item] : value) object[key] = write_json(item);
    return object;
}

}  // namespace detail

template <class T>
nlohmann::json write_json(const T& value) {
    using namespace detail;
    if constexpr (MemberTraits<T>::is_field) {
        return write_json(value.get());
    } else if constexpr (CustomType<T>) {
        return Custom<T>::write(value);
    } else if constexpr (AnyJson<T>) {
        return value;
    } else if constexpr (Null<T>) {
        return nullptr;
    } else if constexpr (std::same_as<T, bool> || Integer<T>) {
        return nlohmann::json(value);
    } else if constexpr (std::floating_point<T>) {
        // JSON has no infinity or NaN.
        return std::isfinite(value) ? nlohmann::json(static_cast<double>(value)) : nullptr;
    } else if constexpr (std::same_as<T, std::filesystem::path>) {
        return nlohmann::json(value.string());
    } else if constexpr (std::convertible_to<const T&, std::string_view> && !is_literal<T>) {
        return nlohmann::json(std::string(std::string_view(value)));
    } else if constexpr (is_literal<T>) {
        return nlohmann::json(value.str());
    } else if constexpr (std::is_enum_v<T>) {
        const auto name = name_of(value);
        if (name) return nlohmann::json(std::string(*name));
        return nlohmann::json(static_cast<std::underlying_type_t<T>>(value));
    } else if constexpr (Optional<T>) {
        return value ? write_json(*value) : nlohmann::json(nullptr);
    } else if constexpr (Variant<T>) {
        return std::visit([](const auto& held) { return write_json(held); }, value);
    } else if constexpr (TupleLike<T>) {
        return std::apply(
            [](const auto&... part) {
                nlohmann::json array = nlohmann::json::array();
                (array.push_back(write_json(part)), ...);
                return array;
            },
            value);
    } else if constexpr (Map<T>) {
        return write_map(value);
    } else if constexpr (is_array<T> || Set<T> || Sequence<T>) {
        return write_list(value);
    } else if constexpr (Struct<T>) {
        return write_struct(value);
    } else {
        static_assert(always_false<T>, "this type has no JSON form; see toolhost::Custom");
    }
}

}  // namespace toolhost

#endif  // TOOLHOST_WRITE_JSON_HPP
