// Writes decimal numbers for people: rounded to significant digits, without idle zeros.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace data_tools::calc {

// `number` is digits with an optional sign, point and exponent, as giac prints them. Rounds half to
// even. Plain notation unless `scientific`, or the number is so large or small that the plain form
// would be mostly zeros.
std::string format_decimal(std::string_view number, int precision, bool scientific);

// Every decimal number in a longer text, as format_decimal() writes it; whole numbers stay.
std::string format_decimals_in(std::string_view text, int precision, bool scientific);

// With how many digits giac is to compute a result of `precision` digits: some are lost by
// cancellation without the result showing it, and below 15 it computes in doubles, which overflow
// and lose more.
constexpr int digits_for(int precision) {
    constexpr int guard_digits = 15, least_digits = 30;
    return std::max(precision + guard_digits, least_digits);
}

}  // namespace data_tools::calc
