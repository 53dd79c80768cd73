#include "calc/decimal.hpp"

#include <doctest/doctest.h>

using data_tools::calc::format_decimal;

TEST_CASE("rounds to significant digits, half to even") {
    CHECK(format_decimal("3.14159265358979", 5, false) == "3.1416");
    CHECK(format_decimal("0.300000000000", 10, false) == "0.3");
    CHECK(format_decimal("2.5", 1, false) == "2");
    CHECK(format_decimal("3.5", 1, false) == "4");
    CHECK(format_decimal("2.5000001", 1, false) == "3");
    CHECK(format_decimal("999.96", 4, false) == "1000");
    CHECK(format_decimal("-0.000126", 2, false) == "-0.00013");
    CHECK(format_decimal("123456", 3, false) == "123000");
}

TEST_CASE("zero has no sign and no exponent") {
    CHECK(format_decimal("0", 5, false) == "0");
    CHECK(format_decimal("-0.000", 5, false) == "0");
    CHECK(format_decimal("0.0e-50", 5, false) == "0");
    CHECK(format_decimal("0", 5, true) == "0e+0");
}

TEST_CASE("reads giac's exponents") {
    CHECK(format_decimal("0.19700711140170469939e435", 4, false) == "1.97e+434");
    CHECK(format_decimal("0.5e-434", 4, false) == "5e-435");
    CHECK(format_decimal("1.5e+3", 4, false) == "1500");
    CHECK(format_decimal("12", 4, true) == "1.2e+1");
    CHECK(format_decimal("0.00012", 4, true) == "1.2e-4");
}

TEST_CASE("plain notation while it is readable") {
    CHECK(format_decimal("1234567890123456", 10, false) == "1234567890000000");
    CHECK(format_decimal("1e16", 10, false) == "1e+16");
    CHECK(format_decimal("0.000000123", 10, false) == "0.000000123");
    CHECK(format_decimal("0.0000000123", 10, false) == "1.23e-8");
}
