// Converts JSON to typed values. Throws BadValue for a mismatch, with the JSON Pointer, the rule
// and the type found, so that a model can repair its call.
#ifndef TOOLHOST_READ_JSON_HPP
#define TOOLHOST_READ_JSON_HPP

#include <cmath>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include "toolhost/bad_value.hpp"
#include "toolhost/defaults.hpp"
#include "toolhost/enum_names.hpp"
#include "toolhost/types.hpp"

namespace toolhost {

// strict refuses keys without a member and requires members without a default; lenient does
// neither.
enum class Reading { strict, lenient };

namespace detail {

template <class T>
void read(const nlohmann::json& json, T& out, const Path& path, Reading reading);

template <class T>
void read_integer(const nlohmann::json& json, T& out, const Path& path) {
    constexpr auto low = std::numeric_limits<T>::min();
    constexpr auto high = std::numeric_limits<T>::max();
    bool fits = false;
    if (json.is_number_unsigned()) {
        const auto value = json.get<nlohmann::json::number_unsigned_t>();
        fits = std::in_range<T>(value);
        if (fits) out = static_cast<T>(value);
    } else if (json.is_number_integer()) {
        const auto value = json.get<nlohmann::json::number_integer_t>();
        fits = std::in_range<T>(value);
        if (fits) out = static_cast<T>(value);
    } else if (json.is_number_float()) {
        // JSON Schema considers 3.0 an integer. The limit is one above the largest value, because a
        // double represents it exactly.
        const double value = json.get<double>();
        const double past = std::ldexp(1.0, std::numeric_limits<T>::digits);
        fits = std::trunc(value) == value && value < past && value >= static_cast<double>(low);
        if (fits) out = static_cast<T>(value);
    }
    if (!fits) {
        path.refuse("an integer from " + std::to_string(low) + " to " + std::to_string(high), json);
    }
}

template <class T>
void read_enum(const nlohmann::json& json, T& out, const Path& path) {
    std::string expected = "one of";
    const std::string* text = json.get_ptr<const std::string*>();
    for (const auto& [value, name] : enum_names<T>) {
        if (text && *text == name) {
            out = value;
            return;
        }
        expected.append(expected == "one of" ? " '" : ", '").append(name).append("'");
    }
    path.refuse(expected, json);
}

template <class T>
void read_literal(const nlohmann::json& json, T& out, const Path& path) {
    std::string expected = "one of";
    const std::string* text = json.get_ptr<const std::string*>();
    for (std::string_view name : T::names) {
        if (text && *text == name) {
            out = T(name);
            return;
        }
        expected.append(expected == "one of" ? " '" : ", '").append(name).append("'");
    }
    path.refuse(expected, json);
}

// The first alternative that matches, in the order of the variant.
template <std::size_t I = 0, class T>
void read_variant(const nlohmann::json& json, T& out, const Path& path, Reading reading,
                  std::string reasons = {}) {
    if constexpr (I == std::variant_size_v<T>) {
        throw BadValue(path.pointer(), "matches no alternative: " + reasons);
    } else {
        try {
            std::variant_alternative_t<I, T> held{};
            read(json, held, path, reading);
            out.template emplace<I>(std::move(held));
            return;
        } catch (const BadValue& bad) {
            reasons.append(reasons.empty() ? "" : "; or ").append(bad.what());
        }
        read_variant<I + 1>(json, out, path, reading, std::move(reasons));
    }
}

template <class T>
void read_tuple(const nlohmann::json& json, T& out, const Path& path, Reading reading) {
    constexpr std::size_t size = std::tuple_size_v<T>;
    if (!json.is_array() || json.size() != size) {
        path.refuse("an array of " + std::to_string(size) + " items", json);
    }
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        (read(json[I], std::get<I>(out), Path(path, I), reading), ...);
    }
    (std::make_index_sequence<size>());
}

template <class T>
void read_list(const nlohmann::json& json, T& out, const Path& path, Reading reading) {
    if (!json.is_array()) path.refuse("an array", json);
    out.clear();
    std::size_t index = 0;
    for (const auto& item : json) {
        typename T::value_type value{};
        read(item, value, Path(path, index++), reading);
        if constexpr (Set<T>) {
            out.insert(std::move(value));
        } else {
            out.push_back(std::move(value));
        }
    }
}

template <class T>
void read_map(const nlohmann::json& json, T& out, const Path& path, Reading reading) {
    if (!json.is_object()) path.refuse("an object", json);
    out.clear();
    for (const auto& [key, item] : json.items()) {
        typename T::mapped_type value{};
        read(item, value, Path(path, key), reading);
        out.insert_or_assign(key, std::move(value));
    }
}

template <class T>
void read_struct(const nlohmann::json& json, T& out, const Path& path, Reading reading) {
    if (!json.is_object()) path.refuse("an object", json);
    std::size_t known = 0;
    for_each_member(out, [&](std::string_view key, auto& member) {
        const auto found = json.find(key);
        if (found != json.end()) {
            ++known;
            read(*found, plain(member), Path(path, key), reading);
        } else if (reading == Reading::strict && !may_be_absent(out, member)) {
            throw BadValue(Path(path, key).pointer(), "is required");
        }
    });
    if (reading == Reading::lenient || known == json.size()) return;
    for (const auto& entry : json.items()) {
        const std::string& key = entry.key();
        bool expected = false;
        for_each_member(out, [&](std::string_view name, auto&) { expected |= name == key; });
        if (!expected) throw BadValue(Path(path, key).pointer(), "is not a field of this tool");
    }
}

template <class T>
void read(const nlohmann::json& json, T& out, const Path& path, Reading reading) {
    if constexpr (MemberTraits<T>::is_field) {
        read(json, out.get(), path, reading);
    } else if constexpr (CustomType<T>) {
        try {
            out = Custom<T>::read(json);
        } catch (const BadValue&) {
            throw;
        } catch (const std::exception& reason) {
            throw BadValue(path.pointer(), reason.what());
        }
    } else if constexpr (AnyJson<T>) {
        out = json;
    } else if constexpr (Null<T>) {
        if (!json.is_null()) path.refuse("null", json);
    } else if constexpr (std::same_as<T, bool>) {
        if (!json.is_boolean()) path.refuse("a boolean", json);
        out = json.get<bool>();
    } else if constexpr (Integer<T>) {
        read_integer(json, out, path);
    } else if constexpr (std::floating_point<T>) {
        if (!json.is_number()) path.refuse("a number", json);
        out = static_cast<T>(json.get<double>());
    } else if constexpr (Text<T>) {
        if (!json.is_string()) path.refuse("a string", json);
        out = json.get_ref<const std::string&>();
    } else if constexpr (is_literal<T>) {
        read_literal(json, out, path);
    } else if constexpr (std::is_enum_v<T>) {
        read_enum(json, out, path);
    } else if constexpr (Optional<T>) {
        if (json.is_null()) {
            out.reset();
        } else {
            read(json, out.emplace(), path, reading);
        }
    } else if constexpr (Variant<T>) {
        read_variant(json, out, path, reading);
    } else if constexpr (TupleLike<T> || is_array<T>) {
        read_tuple(json, out, path, reading);
    } else if constexpr (Map<T>) {
        read_map(json, out, path, reading);
    } else if constexpr (Set<T> || Sequence<T>) {
        read_list(json, out, path, reading);
    } else if constexpr (Struct<T>) {
        read_struct(json, out, path, reading);
    } else {
        static_assert(always_false<T>, "this type has no JSON form; see toolhost::Custom");
    }
}

}  // namespace detail

// Throws BadValue. Missing members keep their value in T{}.
template <class T>
[[nodiscard]] T read_json(const nlohmann::json& json, Reading reading = Reading::strict) {
    T out{};
    detail::read(json, out, detail::Path(), reading);
    return out;
}

}  // namespace toolhost

#endif  // TOOLHOST_READ_JSON_HPP
