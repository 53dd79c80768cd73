// Interval arithmetic in doubles, rounded outwards; used by cost.cpp to estimate values.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace data_tools::calc {

inline constexpr double infinite = std::numeric_limits<double>::infinity();

// An interval of values. Rounded outwards, so that cancellation cannot make an exponent look small.
struct Range {
    double lo = -infinite;
    double hi = infinite;
    double most() const { return std::max(std::fabs(lo), std::fabs(hi)); }
    bool point() const { return lo == hi; }
};

inline Range widened(double lo, double hi, double operands) {
    if (!std::isfinite(lo) || !std::isfinite(hi)) return {};
    const bool exact = lo == std::floor(lo) && hi == std::floor(hi) && operands < 9e15 &&
                       std::max(std::fabs(lo), std::fabs(hi)) < 9e15;
    const double slop =
        exact ? 0 : 1e-15 * std::max(operands, std::max(std::fabs(lo), std::fabs(hi)));
    return {lo - slop, hi + slop};
}

inline Range corners(double a, double b, double c, double d) {
    if (std::isnan(a + b + c + d)) return {};
    return widened(std::min({a, b, c, d}), std::max({a, b, c, d}), 0);
}

inline Range sum(Range a, Range b) {
    return widened(a.lo + b.lo, a.hi + b.hi, std::max(a.most(), b.most()));
}
inline Range negated(Range a) {
    return {-a.hi, -a.lo};
}
inline Range product(Range a, Range b) {
    return corners(a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi);
}
inline Range quotient(Range a, Range b) {
    if (b.lo <= 0 && b.hi >= 0) return {};
    return corners(a.lo / b.lo, a.lo / b.hi, a.hi / b.lo, a.hi / b.hi);
}
inline Range raised(Range a, Range b) {
    if (a.lo > 0 || (a.point() && b.point() && b.lo == std::floor(b.lo))) {
        return corners(std::pow(a.lo, b.lo), std::pow(a.lo, b.hi), std::pow(a.hi, b.lo),
                       std::pow(a.hi, b.hi));
    }
    if (b.lo < 0) return {};
    const double most = std::max(1.0, std::pow(a.most(), b.hi));
    return {-most, most};
}

}  // namespace data_tools::calc
