#include "calc/present.hpp"

#include "calc/decimal.hpp"

namespace data_tools::calc {

const char* name_of(ValueKind kind) {
    switch (kind) {
        case ValueKind::integer:
            return "integer";
        case ValueKind::rational:
            return "rational";
        case ValueKind::real:
            return "real";
        case ValueKind::complex:
            return "complex";
        case ValueKind::infinite:
            return "infinite";
        default:
            return "symbolic";
    }
}

bool has_infinite_number(const EngineValue& value) {
    const std::string both = value.real + value.imaginary;
    return both.find("inf") != std::string::npos || both.find("nan") != std::string::npos;
}

std::string decimal_text(const EngineValue& value, int precision, bool scientific) {
    const auto format = [&](const std::string& number) {
        return format_decimal(number, precision, scientific);
    };
    if (value.real.empty()) return "";
    const std::string real = format(value.real);
    if (value.imaginary.empty()) return real;
    std::string imaginary = format(value.imaginary);
    const std::string nothing = format("0");
    if (imaginary == nothing) return real;
    const bool negative = imaginary[0] == '-';
    if (negative) imaginary.erase(0, 1);
    const std::string tail = (imaginary == "1" ? "" : imaginary + "*") + "i";
    if (real == nothing) return (negative ? "-" : "") + tail;
    return real + (negative ? "-" : "+") + tail;
}

}  // namespace data_tools::calc
