#include "calc/cost.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "calc/range.hpp"
#include "calc/shape.hpp"

namespace data_tools::calc {
namespace {

constexpr double max_erf = 100;
// Beyond this giac's gamma function takes seconds; far below zero it overflows the stack.
constexpr double max_gamma = 10000;

struct Estimate {
    Range range = {};
    double digits = 0;     // of the exact value, numerator plus denominator
    bool whole = false;    // an integer
    bool plain = false;    // certainly a rational number, not an unevaluated expression
    bool inexact = false;  // a floating-point number: large ones cost nothing
    bool complex = false;  // may be a complex number
    double degree = 0;     // in the unknowns, if all powers were multiplied out
};

// Whether a function may return complex values for arguments in this range.
bool may_be_complex(const Node& call, const Range& first) {
    const std::string& name = call.text;
    if (name == "sqrt" || name == "root" || name.rfind("ln", 0) == 0 || name.rfind("log", 0) == 0) {
        return first.lo < 0;
    }
    if (name == "acosh") return first.lo < 1;
    if (name == "asin" || name == "acos" || name == "atanh" || name == "arcsin" ||
        name == "arccos") {
        return first.most() > 1;
    }
    return false;
}

bool is_always_real(const std::string& name) {
    return name == "abs" || name == "re" || name == "im" || name == "arg";
}

struct Refused {
    std::string what;
};

double digits_of_factorial(double n) {
    return n < 2 ? 1 : std::lgamma(n + 1) / std::log(10.0);
}

// Rounded to seven digits for messages.
std::string shown(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.7g", value);
    return text;
}

// For slowly growing functions of real arguments.
Range small_range(const Node& call, const std::vector<Estimate>& args) {
    const std::string& name = call.text;
    const Range x = args[0].range;
    const auto within = [](double most) { return Range{-most, most}; };
    const auto logarithm = [](Range r) {
        return r.lo > 0 ? widened(std::log(r.lo), std::log(r.hi), 1) : Range{};
    };
    if (name.rfind("ln", 0) == 0 || name.rfind("log", 0) == 0) {
        Range base{1, 1};
        if (name == "log2") base = {0.69, 0.70};
        if (name == "log10") base = {2.30, 2.31};
        if (args.size() == 2) base = logarithm(args[1].range);
        return quotient(logarithm(x), base);
    }
    if (name == "sqrt" && x.lo >= 0) return {0, std::max(1.0, x.hi)};
    if (name == "degrees") return within(58 * x.most());
    if (name == "atanh") return {};
    // arcs, arguments and parts; roots, whose values are at most as far from 0 as x or 1
    return within(std::max(x.most(), 1.0) + 4);
}

class Estimator {
public:
    Estimator(const Traits& traits, const CostRules& rules) : traits_(traits), rules_(rules) {}

    Estimate of(const Node& node) const {
        Estimate e = estimate(node);
        if (e.inexact) e.digits = 0;
        if (e.degree > rules_.max_degree) {
            throw Refused{"too large to evaluate: a power of " + shown(e.degree) +
                          " of the unknowns; the limit of this mode is " +
                          shown(rules_.max_degree)};
        }
        if (e.digits > max_exact_digits) {
            throw Refused{"too large to evaluate: the exact value would have about " +
                          shown(e.digits) + " digits; the limit is " + shown(max_exact_digits)};
        }
        return e;
    }

private:
    Estimate estimate(const Node& node) const {
        switch (node.kind) {
            case Kind::integer:
            case Kind::decimal:
                return literal(node);
            case Kind::constant: {
                const double v = node.constant->value;
                if (std::isnan(v)) return {.range = {-1, 1}, .complex = true};
                return {.range = widened(v, v, 1)};
            }
            case Kind::symbol:
                // Any range is valid for unknowns that stay symbolic, but not for x-x+10^9.
                return {.range = {-1, 1}, .degree = 1};
            case Kind::negate: {
                Estimate e = of(*node.args[0]);
                e.range = negated(e.range);
                return e;
            }
            case Kind::factorial:
                return factorial(of(*node.args[0]), "factorial");
            case Kind::power:
                return power(of(*node.args[0]), of(*node.args[1]));
            case Kind::call:
                return call(node);
            case Kind::list:
                return list(node);
            default:
                return arithmetic(node.kind, of(*node.args[0]), of(*node.args[1]));
        }
    }

    Estimate literal(const Node& node) const {
        const double v = std::strtod(node.text.c_str(), nullptr);
        const bool whole = node.kind == Kind::integer;
        double digits = static_cast<double>(node.text.size());
        const std::size_t e = node.text.find_first_of("eE");
        if (e != std::string::npos) digits += std::abs(std::stoi(node.text.substr(e + 1)));
        if (whole && v <= 1) digits = 0;  // powers of 0 and 1 stay small
        return {.range = widened(v, v, 0),
                .digits = digits,
                .whole = whole,
                .plain = true,
                .inexact = !whole && !traits_.rational && !rules_.fractions};
    }

    // Two digits more than the largest entry, because powers of a matrix of ones grow too.
    Estimate list(const Node& node) const {
        Estimate e;
        for (const NodePtr& arg : node.args) {
            const Estimate entry = of(*arg);
            e.digits = std::max(e.digits, entry.digits);
            e.degree = std::max(e.degree, entry.degree);
            e.complex = e.complex || entry.complex;
        }
        e.digits += 2;
        return e;
    }

    static Estimate arithmetic(Kind kind, const Estimate& a, const Estimate& b) {
        Estimate e{.digits = a.digits + b.digits,
                   .whole = a.whole && b.whole,
                   .plain = a.plain && b.plain,
                   .inexact = a.inexact || b.inexact,
                   .complex = a.complex || b.complex,
                   .degree = a.degree + b.degree};
        if (kind == Kind::add || kind == Kind::subtract || kind == Kind::equation) {
            e.degree = std::max(a.degree, b.degree);
            if (e.whole) e.digits = std::max(a.digits, b.digits) + 1;
            e.range = sum(a.range, kind == Kind::add ? b.range : negated(b.range));
        } else if (kind == Kind::multiply) {
            e.range = product(a.range, b.range);
        } else if (kind == Kind::divide) {
            e.range = quotient(a.range, b.range);
            e.whole = false;
        } else {
            e.range = {-b.range.most(), b.range.most()};
        }
        return e;
    }

    static Estimate power(const Estimate& base, const Estimate& exponent) {
        Estimate e{
            .range = raised(base.range, exponent.range),
            .whole = base.whole && exponent.whole && exponent.range.lo >= 0,
            .plain = base.plain && exponent.whole,
            .inexact = base.inexact || exponent.inexact,
            .complex = base.complex || exponent.complex || !(base.range.lo >= 0 || exponent.whole)};
        const double times = exponent.range.most();
        // An exponent with unknowns or irrational parts stays symbolic; for the rest giac's own
        // limit, set in engine.cpp, applies.
        const bool counts = base.digits > 0 && (exponent.plain || std::isfinite(times));
        e.digits = counts ? base.digits * std::max(1.0, times) : base.digits;
        e.degree = std::isfinite(times) ? base.degree * std::max(1.0, times) : base.degree;
        e.degree = std::max(e.degree, exponent.degree);
        return e;
    }

    static Estimate factorial(const Estimate& n, const char* what) {
        if (n.complex) throw Refused{std::string(what) + " of a complex number is not supported"};
        const double most = n.range.most();
        const bool exact = n.plain && !n.inexact;
        if (exact ? digits_of_factorial(most) > max_exact_digits : most > max_gamma) {
            throw Refused{
                "too large to evaluate: " + std::string(what) + " of " +
                (std::isfinite(most) ? shown(most) : "an unbounded value") + "; the limit is " +
                (exact ? "a result of " + shown(max_exact_digits) + " digits" : shown(max_gamma))};
        }
        Estimate e{.whole = n.whole, .plain = n.plain, .inexact = n.inexact, .degree = n.degree};
        if (n.range.hi >= 0 && std::isfinite(n.range.hi)) {
            e.digits = digits_of_factorial(n.range.hi);
            const double value = std::tgamma(n.range.hi + 1);
            e.range = {n.range.point() ? value * (1 - 1e-12) : -value, value * (1 + 1e-12)};
        }
        return e;
    }

    Estimate call(const Node& node) const {
        std::vector<Estimate> args;
        for (const NodePtr& arg : node.args) args.push_back(of(*arg));
        Estimate e = args[0];
        for (std::size_t k = 1; k < args.size(); ++k) {
            e = arithmetic(Kind::multiply, e, args[k]);
        }
        const double first = args[0].range.most();
        e.complex =
            (e.complex || may_be_complex(node, args[0].range)) && !is_always_real(node.text);
        e.range = {};
        switch (node.function->growth) {
            case Growth::unit:
                // giac sums a series for erf whose length grows with the argument.
                if (node.text.rfind("erf", 0) == 0 && std::isfinite(first) && first > max_erf) {
                    throw Refused{node.text + " of a number above " + shown(max_erf) +
                                  ": erf is 1 there, and erfc 0, to thousands of digits"};
                }
                e.range = {-1, 1};
                break;
            case Growth::small:
                if (node.function->rational) e.range = {-first - 1, first + 1};
                if (!node.function->rational) e.range = small_range(node, args);
                break;
            case Growth::grows:
                e.range = {-std::exp(first), std::exp(first)};
                break;
            case Growth::pole:
                break;
            case Growth::factorial:
                return factorial(args[0], node.function->name.data());
            case Growth::choose: {
                if (e.complex) throw Refused{node.text + " does not accept complex numbers"};
                if (!e.whole && std::max(first, args[1].range.most()) > max_gamma) {
                    throw Refused{"too large to evaluate: " + node.text + " of more than " +
                                  shown(max_gamma)};
                }
                const double k = args[1].range.most();
                e.digits = args[0].plain && args[1].plain ? k * std::log10(first + 1) : e.digits;
                e.range = {};
                break;
            }
            case Growth::scale:
                e.digits += 2 * args[1].range.most();
                break;
            case Growth::largest: {
                if (!node.function->rational && e.inexact) {
                    throw Refused{std::string(node.function->name) + " accepts whole numbers only"};
                }
                double most = 1;
                for (const Estimate& a : args) most *= std::max(1.0, a.range.most());
                e.range = {-most, most};
                break;
            }
            case Growth::determinant:
                e.digits = (e.digits + 2) * max_matrix_side;
                e.degree *= max_matrix_side;
                break;
        }
        if (node.function->rational) {
            // floor(1e300 * pi) is exact again, even for an inexact argument.
            e.digits = std::max(e.digits, e.inexact ? std::log10(first + 1) : 0);
            e.inexact = false;
        } else {
            const Growth g = node.function->growth;
            const bool rational = g == Growth::choose || g == Growth::largest;
            e.plain = e.plain && rational;
            e.whole = e.whole && rational;
        }
        return e;
    }

    const Traits& traits_;
    const CostRules& rules_;
};

}  // namespace

Outcome<Traits> check_cost(const Node& root, const CostRules& rules) {
    const Traits traits = traits_of(root);
    try {
        (void)Estimator(traits, rules).of(root);
    } catch (const Refused& e) {
        return Failure{e.what};
    }
    return traits;
}

}  // namespace data_tools::calc
