// JSON numbers, compared by their mathematical value: nlohmann::json compares an int64 and a double
// as doubles, so it considers 9007199254740993 and 9007199254740992.0 equal.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>

namespace toolhost::schema {

struct Number {
    enum class Kind : std::uint8_t {
        integer,  // fits int64
        natural,  // above int64
        real,
    };
    Kind kind = Kind::integer;
    union {
        std::int64_t integer = 0;
        std::uint64_t natural;
        double real;
    };

    // `value` must be a number.
    static Number from(const nlohmann::json& value) noexcept;

    [[nodiscard]] long double wide() const noexcept;
};

// It represents 64-bit integers and doubles exactly, so one comparison serves all mixed pairs.
static_assert(std::numeric_limits<long double>::digits >= 64);

[[nodiscard]] std::partial_ordering compare_mixed(const Number& a, const Number& b) noexcept;

[[nodiscard]] inline std::partial_ordering compare(const Number& a, const Number& b) noexcept {
    if (a.kind == Number::Kind::integer && b.kind == Number::Kind::integer) {
        return a.integer <=> b.integer;
    }
    return compare_mixed(a, b);
}

// Whether value / step is an integer, calculated with the decimals as written. step > 0.
[[nodiscard]] bool is_multiple(const Number& value, const Number& step) noexcept;

[[nodiscard]] bool is_integral(double value) noexcept;

}  // namespace toolhost::schema
