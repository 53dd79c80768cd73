#include "host/schema/number.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace toolhost::schema {

Number Number::from(const nlohmann::json& value) noexcept {
    using nlohmann::json;
    Number number;
    if (const auto* natural = value.get_ptr<const json::number_unsigned_t*>()) {
        if (*natural <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
            number.integer = static_cast<std::int64_t>(*natural);
        } else {
            number.kind = Kind::natural;
            number.natural = *natural;
        }
    } else if (const auto* integer = value.get_ptr<const json::number_integer_t*>()) {
        number.integer = *integer;
    } else if (const auto* real = value.get_ptr<const json::number_float_t*>()) {
        number.kind = Kind::real;
        number.real = *real;
    }
    return number;
}

long double Number::wide() const noexcept {
    switch (kind) {
        case Kind::integer:
            return static_cast<long double>(integer);
        case Kind::natural:
            return static_cast<long double>(natural);
        case Kind::real:
            break;
    }
    return static_cast<long double>(real);
}

std::partial_ordering compare_mixed(const Number& a, const Number& b) noexcept {
    return a.wide() <=> b.wide();
}

bool is_integral(double value) noexcept {
    return std::isfinite(value) && std::trunc(value) == value;
}

namespace {

__extension__ typedef unsigned __int128 Wide;

// digits * 10^exponent
struct Decimal {
    std::uint64_t digits = 0;
    int exponent = 0;
};

// The shortest decimal that reads back as this double, which is the number as written: 0.0075 is a
// multiple of 0.0001 in decimal, but not in binary.
Decimal to_decimal(double value) noexcept {
    std::array<char, 32> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), std::fabs(value),
                                   std::chars_format::scientific)
                         .ptr;
    Decimal out;
    const char* at = text.data();
    int fraction = 0;
    for (bool behind_point = false; at != end && *at != 'e'; ++at) {
        if (*at == '.') {
            behind_point = true;
            continue;
        }
        out.digits = out.digits * 10 + static_cast<std::uint64_t>(*at - '0');
        fraction += behind_point ? 1 : 0;
    }
    if (at != end) ++at;
    if (at != end && *at == '+') ++at;
    std::from_chars(at, end, out.exponent);
    out.exponent -= fraction;
    return out;
}

Decimal to_decimal(const Number& number) noexcept {
    switch (number.kind) {
        case Number::Kind::integer:
            // Negated as unsigned: the lowest integer has no positive counterpart.
            return {number.integer < 0
                        ? std::uint64_t{0} - static_cast<std::uint64_t>(number.integer)
                        : static_cast<std::uint64_t>(number.integer),
                    0};
        case Number::Kind::natural:
            return {number.natural, 0};
        case Number::Kind::real:
            break;
    }
    return to_decimal(number.real);
}

std::uint64_t power_of_ten_modulo(int exponent, std::uint64_t modulus) noexcept {
    Wide result = 1 % modulus;
    for (Wide base = 10 % modulus; exponent > 0; exponent /= 2) {
        if (exponent % 2 == 1) result = result * base % modulus;
        base = base * base % modulus;
    }
    return static_cast<std::uint64_t>(result);
}

}  // namespace

bool is_multiple(const Number& value, const Number& step) noexcept {
    using Kind = Number::Kind;
    if (value.kind == Kind::integer && step.kind == Kind::integer) {
        return value.integer % step.integer == 0;  // step > 0: no overflow
    }
    if (value.kind == Kind::real && !std::isfinite(value.real)) return false;
    const Decimal a = to_decimal(value);
    const Decimal b = to_decimal(step);
    if (a.digits == 0 || b.digits == 0) return a.digits == 0;
    const int shift = a.exponent - b.exponent;
    if (shift >= 0) {
        const Wide scale = power_of_ten_modulo(shift, b.digits);
        return scale * (a.digits % b.digits) % b.digits == 0;
    }
    Wide divisor = b.digits;
    for (int i = shift; i < 0; ++i) {
        divisor *= 10;
        if (divisor > a.digits) return false;
    }
    return a.digits % divisor == 0;
}

}  // namespace toolhost::schema
