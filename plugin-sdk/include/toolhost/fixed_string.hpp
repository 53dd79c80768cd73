// Text and numbers as template arguments: Field<int, "days ahead", Min<1>, Max<10>>.
#ifndef TOOLHOST_FIXED_STRING_HPP
#define TOOLHOST_FIXED_STRING_HPP

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string_view>

namespace toolhost {

// A string literal as a template argument. The members are public, because only such ("structural")
// types may be template arguments.
template <std::size_t N>
struct FixedString {
    char chars[N]{};

    constexpr FixedString(const char (&text)[N]) { std::copy_n(text, N, chars); }

    [[nodiscard]] constexpr std::string_view view() const { return {chars, N - 1}; }
};

// A number as a template argument, written as in JSON: Min<1>, Max<0.5>. One type for all numbers,
// because clang 14 does not accept floating-point template arguments.
struct Number {
    enum class Kind : unsigned char { integer, natural, real };

    long long integer = 0;
    unsigned long long natural = 0;
    double real = 0;
    Kind kind = Kind::integer;

    template <std::signed_integral I>
    constexpr Number(I value) : integer(value) {}
    template <std::unsigned_integral U>
    constexpr Number(U value) : natural(value), kind(Kind::natural) {}
    template <std::floating_point F>
    constexpr Number(F value) : real(value), kind(Kind::real) {}

    [[nodiscard]] nlohmann::json json() const {
        if (kind == Kind::integer) return nlohmann::json(integer);
        if (kind == Kind::natural) return nlohmann::json(natural);
        return nlohmann::json(real);
    }
};

}  // namespace toolhost

#endif  // TOOLHOST_FIXED_STRING_HPP
