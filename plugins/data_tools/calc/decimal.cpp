#include "calc/decimal.hpp"

#include <algorithm>
#include <charconv>

namespace data_tools::calc {
namespace {

constexpr int most_idle_zeros = 6;

// 0.d1d2d3… * 10^point, without leading or trailing zeros; no digits means zero.
struct Decimal {
    bool negative = false;
    std::string digits;
    long point = 0;
};

Decimal read(std::string_view text) {
    Decimal d;
    if (!text.empty() && (text[0] == '-' || text[0] == '+')) {
        d.negative = text[0] == '-';
        text.remove_prefix(1);
    }
    const std::size_t e = text.find_first_of("eE");
    long exponent = 0;
    if (e != std::string_view::npos) {
        std::string_view digits = text.substr(e + 1);
        if (!digits.empty() && digits[0] == '+') digits.remove_prefix(1);
        std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
        text = text.substr(0, e);
    }
    const std::size_t dot = std::min(text.find('.'), text.size());
    d.digits = std::string(text.substr(0, dot));
    if (dot < text.size()) d.digits += text.substr(dot + 1);
    d.point = exponent + static_cast<long>(dot);
    const std::size_t lead = std::min(d.digits.find_first_not_of('0'), d.digits.size());
    d.digits.erase(0, lead);
    d.point -= static_cast<long>(lead);
    return d;
}

void trim(Decimal& d) {
    d.digits.erase(d.digits.find_last_not_of('0') + 1);
    if (d.digits.empty()) d = {};
}

void round_to(Decimal& d, std::size_t precision) {
    if (d.digits.size() <= precision) return;
    const char next = d.digits[precision];
    const bool beyond = d.digits.find_first_not_of('0', precision + 1) != std::string::npos;
    const bool odd = (d.digits[precision - 1] - '0') % 2 == 1;
    d.digits.erase(precision);
    if (next < '5' || (next == '5' && !beyond && !odd)) return;
    std::size_t k = precision;
    while (k > 0 && d.digits[k - 1] == '9') d.digits[--k] = '0';
    if (k > 0) {
        ++d.digits[k - 1];
    } else {
        d.digits.insert(0, 1, '1');
        ++d.point;
    }
}

std::string in_scientific(const Decimal& d) {
    std::string out = d.digits.substr(0, 1);
    if (d.digits.size() > 1) out += "." + d.digits.substr(1);
    const long exponent = d.digits.empty() ? 0 : d.point - 1;
    return (out.empty() ? "0" : out) + "e" + (exponent < 0 ? "-" : "+") +
           std::to_string(exponent < 0 ? -exponent : exponent);
}

std::string in_plain(const Decimal& d) {
    if (d.digits.empty()) return "0";
    const long size = static_cast<long>(d.digits.size());
    if (d.point <= 0) return "0." + std::string(static_cast<std::size_t>(-d.point), '0') + d.digits;
    if (d.point >= size)
        return d.digits + std::string(static_cast<std::size_t>(d.point - size), '0');
    const auto whole = static_cast<std::size_t>(d.point);
    return d.digits.substr(0, whole) + "." + d.digits.substr(whole);
}

}  // namespace

std::string format_decimal(std::string_view number, int precision, bool scientific) {
    Decimal d = read(number);
    trim(d);
    round_to(d, static_cast<std::size_t>(std::max(1, precision)));
    trim(d);
    const long size = static_cast<long>(d.digits.size());
    const bool far =
        d.point > std::max<long>(precision, size) + most_idle_zeros || d.point < -most_idle_zeros;
    return (d.negative ? "-" : "") + (scientific || far ? in_scientific(d) : in_plain(d));
}

std::string format_decimals_in(std::string_view text, int precision, bool scientific) {
    constexpr std::string_view digits = "0123456789";
    const auto is_digit = [&](std::size_t at) {
        return at < text.size() && digits.find(text[at]) != std::string_view::npos;
    };
    const auto is_word = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    };
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at;
        if (is_word(text[at])) {  // x1, log10: the digits belong to the name
            while (end < text.size() && (is_word(text[end]) || is_digit(end))) ++end;
            out += text.substr(at, end - at);
            at = end;
            continue;
        }
        if (!is_digit(at)) {
            out += text[at++];
            continue;
        }
        while (is_digit(end) || (end < text.size() && text[end] == '.')) ++end;
        if (end < text.size() && text[end] == 'e') {
            const std::size_t sign =
                end + 1 < text.size() && (text[end + 1] == '-' || text[end + 1] == '+');
            if (is_digit(end + 1 + sign)) end += 1 + sign;
            while (is_digit(end)) ++end;
        }
        const std::string_view number = text.substr(at, end - at);
        const bool whole = number.find_first_of(".e") == std::string_view::npos;
        out += whole ? std::string(number) : format_decimal(number, precision, scientific);
        at = end;
    }
    return out;
}

}  // namespace data_tools::calc
