#include "host/policy/yaml_scalar.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>

namespace toolhost::policy {
namespace {

using Outcome = boost::system::result<Json, ScalarFault>;

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), text) != words.end();
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

std::size_t count_digits(std::string_view text) {
    return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_digit) -
                                    text.begin());
}

ScalarFault out_of_range(std::string_view text) {
    return {"the number " + std::string(text.substr(0, 40)) + " is out of range"};
}

// Converts all of `digits`, or returns nothing.
template <class Number>
Outcome read_integer(std::string_view digits, int base, std::string_view text) {
    Number number{};
    auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), number, base);
    if (fault == std::errc::result_out_of_range) return out_of_range(text);
    return Json(number);
}

// 0o17 and 0xff have no sign.
bool is_based(std::string_view text, std::string_view prefix, std::string_view digits) {
    return text.size() > 2 && text.starts_with(prefix) &&
           text.find_first_not_of(digits, 2) == std::string_view::npos;
}

// [-+]? ( \.[0-9]+ | [0-9]+(\.[0-9]*)? ) ([eE][-+]?[0-9]+)?
bool is_float(std::string_view unsigned_text) {
    auto rest = unsigned_text;
    const auto whole = count_digits(rest);
    rest.remove_prefix(whole);
    std::size_t fraction = 0;
    if (rest.starts_with('.')) {
        rest.remove_prefix(1);
        fraction = count_digits(rest);
        rest.remove_prefix(fraction);
    }
    if (whole + fraction == 0) return false;
    if (rest.empty()) return true;
    if (rest[0] != 'e' && rest[0] != 'E') return false;
    rest.remove_prefix(1);
    if (rest.starts_with('-') || rest.starts_with('+')) rest.remove_prefix(1);
    return !rest.empty() && count_digits(rest) == rest.size();
}

}  // namespace

Outcome read_plain_scalar(std::string_view text) {
    if (is_one_of(text, {"", "~", "null", "Null", "NULL"})) return Json();
    if (is_one_of(text, {"true", "True", "TRUE"})) return Json(true);
    if (is_one_of(text, {"false", "False", "FALSE"})) return Json(false);
    if (is_based(text, "0o", "01234567"))
        return read_integer<std::uint64_t>(text.substr(2), 8, text);
    if (is_based(text, "0x", "0123456789abcdefABCDEF"))
        return read_integer<std::uint64_t>(text.substr(2), 16, text);

    const bool negative = text[0] == '-';
    auto digits = negative || text[0] == '+' ? text.substr(1) : text;
    if (is_one_of(digits, {".inf", ".Inf", ".INF"}) || is_one_of(text, {".nan", ".NaN", ".NAN"}))
        return ScalarFault{std::string(text) + " is not a supported number"};
    if (!digits.empty() && count_digits(digits) == digits.size()) {
        if (negative) return read_integer<std::int64_t>(text, 10, text);
        return read_integer<std::uint64_t>(digits, 10, text);
    }
    if (!is_float(digits)) return Json(std::string(text));
    double number = 0;
    auto unplussed = negative ? text : digits;
    auto [end, fault] =
        std::from_chars(unplussed.data(), unplussed.data() + unplussed.size(), number);
    if (fault != std::errc()) return out_of_range(text);
    return Json(number);
}

}  // namespace toolhost::policy
