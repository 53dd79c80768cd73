// Formats decimal numbers: rounded to significant digits, without unnecessary zeros.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace data_tools::calc {

// `number` has digits with an optional sign, point and exponent, as giac prints them. Rounds half
// to even. Uses plain notation unless `scientific` is set, or the plain form would be mostly zeros.
std::string format_decimal(std::string_view number, int precision, bool scientific);

// Formats every decimal number in a longer text; whole numbers are unchanged.
std::string format_decimals_in(std::string_view text, int precision, bool scientific);

// The number of digits with which giac must compute a result of `precision` digits: cancellation
// silently loses some, and below 15 giac computes in doubles, which overflow and lose more.
constexpr int digits_for(int precision) {
    constexpr int guard_digits = 15, least_digits = 30;
    return std::max(precision + guard_digits, least_digits);
}

}  // namespace data_tools::calc
