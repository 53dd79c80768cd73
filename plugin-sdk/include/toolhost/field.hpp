// Field<T, "description", rules...>: a member of a parameter struct with its description.
//
// A Field is used like the T it holds. For class types it derives from T, so `in.text.size()` and
// `for (auto& x : in.items)` work; a number converts to its type. get() returns the plain T where a
// template would otherwise deduce the Field.
//
// A Field with a member initializer has a default and is optional:
//     Field<int, "days ahead"> days = 3;
//     Field<std::vector<std::string>, "tags"> tags = toolhost::empty;
// (`= {}` is indistinguishable from no initializer, so use `= toolhost::empty`.)
#ifndef TOOLHOST_FIELD_HPP
#define TOOLHOST_FIELD_HPP

#include <concepts>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <type_traits>
#include <utility>

#include "toolhost/rules.hpp"

namespace toolhost {

// An empty, zero or false default of a Field.
struct Empty {};
inline constexpr Empty empty{};

namespace detail {

// Converts to any type, in unevaluated code only; reflect.hpp counts members with it.
struct Anything {
    template <class T>
    operator T() const noexcept;
};

// nlohmann::json is a member instead of a base: its constructors accept any type that looks like a
// container, and would wrap a derived json into an array instead of copying it.
template <class T>
concept Derivable = std::is_class_v<T> && !std::is_final_v<T> && !std::same_as<T, nlohmann::json>;

template <class T>
class FieldBox {
public:
    constexpr FieldBox() = default;
    template <class U>
    constexpr explicit FieldBox(std::in_place_t, U&& value)
        : value_(static_cast<T>(std::forward<U>(value))) {}

    constexpr operator T&() noexcept { return value_; }
    constexpr operator const T&() const noexcept { return value_; }
    [[nodiscard]] constexpr T& get() noexcept { return value_; }
    [[nodiscard]] constexpr const T& get() const noexcept { return value_; }

private:
    T value_{};
};

template <Derivable T>
class FieldBox<T> : public T {
public:
    constexpr FieldBox() : T() {}
    template <class U>
    constexpr explicit FieldBox(std::in_place_t, U&& value)
        : T(static_cast<T>(std::forward<U>(value))) {}

    [[nodiscard]] constexpr T& get() noexcept { return *this; }
    [[nodiscard]] constexpr const T& get() const noexcept { return *this; }
};

// What may initialize a Field<T>: types that convert to T, but no 2.5 for an int and no text for a
// bool.
template <class U, class T>
concept Initializes =
    std::convertible_to<U, T> && !std::same_as<std::remove_cvref_t<U>, Anything> &&
    !std::same_as<std::remove_cvref_t<U>, Empty> &&
    !(std::integral<T> && std::floating_point<std::remove_cvref_t<U>>)&&!(
        std::same_as<T, bool> && !std::same_as<std::remove_cvref_t<U>, bool>);

// The element type of a container that a braced list can fill; otherwise an unnameable type.
template <class T>
struct ListItem {
    struct None {
        None() = delete;
    };
    using Type = None;
};
template <class T>
requires std::constructible_from<T, std::initializer_list<typename T::value_type>> &&
    requires(T& container) {
    container.begin();
}
struct ListItem<T> {
    using Type = typename T::value_type;
};

}  // namespace detail

template <class T, FixedString Doc = "", class... Rules>
class Field : public detail::FieldBox<T> {
    using Box = detail::FieldBox<T>;

public:
    constexpr Field() = default;

    template <class U = T>
    requires detail::Initializes<U, T> &&
        (!std::same_as<std::remove_cvref_t<U>, Field>)constexpr Field(U&& value)
        : Box(std::in_place, std::forward<U>(value)), has_default_(true) {}

    constexpr Field(std::initializer_list<typename detail::ListItem<T>::Type> items) requires
        std::constructible_from<T, decltype(items)> : Box(std::in_place, T(items)),
                                                      has_default_(true) {}

    constexpr Field(Empty) : has_default_(true) {}

    // In a default-constructed parameter struct: whether the member has an initializer.
    [[nodiscard]] constexpr bool has_default() const noexcept { return has_default_; }

private:
    bool has_default_ = false;
};

namespace detail {

// Traits of a member for schema and conversion, whether it is a Field or a bare T.
template <class M>
struct MemberTraits {
    using Value = M;
    static constexpr bool is_field = false;
    static constexpr std::string_view doc{};
    static constexpr std::string_view key{};
    static void apply_rules(nlohmann::json&) {}
};

template <class T, FixedString Doc, class... Rules>
struct MemberTraits<Field<T, Doc, Rules...>> {
    using Value = T;
    static constexpr bool is_field = true;
    static constexpr std::string_view doc = Doc.view();
    static constexpr std::string_view key = renamed_key<Rules...>();
    static void apply_rules(nlohmann::json& schema) { (Rules::apply(schema), ...); }
};

// The plain value of a member.
template <class M>
constexpr auto& plain(M& member) {
    if constexpr (MemberTraits<std::remove_cv_t<M>>::is_field) {
        return member.get();
    } else {
        return member;
    }
}

}  // namespace detail
}  // namespace toolhost

#endif  // TOOLHOST_FIELD_HPP
