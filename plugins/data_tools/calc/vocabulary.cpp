#include "calc/vocabulary.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <set>
#include <span>

namespace data_tools::calc {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

using enum Growth;

// A new function is a new row. Check first that giac's function of that name cannot access the
// system and takes limited time for limited numbers (isprime and ifactor do not).
constexpr auto functions = std::to_array<Function>({
    {"sqrt", 1, 1, "sqrt($1)", small, false},
    {"cbrt", 1, 1, "surd($1,3)", small, false},
    {"root", 2, 2, "($1)^(1/($2))", small, false},
    {"exp", 1, 1, "exp($1)", grows, false},
    {"ln", 1, 1, "ln($1)", small, false},
    {"log", 1, 1, "ln($1)", small, false},
    {"log", 2, 2, "logb($1,$2)", small, false},
    {"log10", 1, 1, "log10($1)", small, false},
    {"log2", 1, 1, "logb($1,2)", small, false},
    {"sin", 1, 1, "sin($1)", unit, false},
    {"cos", 1, 1, "cos($1)", unit, false},
    {"tan", 1, 1, "tan($1)", pole, false},
    {"sec", 1, 1, "sec($1)", pole, false},
    {"csc", 1, 1, "csc($1)", pole, false},
    {"cot", 1, 1, "cot($1)", pole, false},
    {"asin", 1, 1, "asin($1)", small, false},
    {"acos", 1, 1, "acos($1)", small, false},
    {"atan", 1, 1, "atan($1)", small, false},
    {"arcsin", 1, 1, "asin($1)", small, false},
    {"arccos", 1, 1, "acos($1)", small, false},
    {"arctan", 1, 1, "atan($1)", small, false},
    {"atan2", 2, 2, "atan2($1,$2)", small, false},
    {"sinh", 1, 1, "sinh($1)", grows, false},
    {"cosh", 1, 1, "cosh($1)", grows, false},
    {"tanh", 1, 1, "tanh($1)", unit, false},
    {"asinh", 1, 1, "asinh($1)", small, false},
    {"acosh", 1, 1, "acosh($1)", small, false},
    {"atanh", 1, 1, "atanh($1)", small, false},
    {"abs", 1, 1, "abs($1)", small, true},
    {"sign", 1, 1, "sign($1)", unit, true},
    {"floor", 1, 1, "floor($1)", small, true},
    {"ceil", 1, 1, "ceil($1)", small, true},
    {"ceiling", 1, 1, "ceil($1)", small, true},
    {"trunc", 1, 1, "(sign($1)*floor(abs($1)))", small, true},
    {"round", 1, 1, "round($1)", small, true},
    // giac's round(x, n) uses doubles; this stays exact.
    {"round", 2, 2, "(round(($1)*10^($2))/10^($2))", scale, true},
    {"mod", 2, 2, "(($1)-($2)*floor(($1)/($2)))", largest, true},
    {"min", 1, 0, "min($*)", largest, true},
    {"max", 1, 0, "max($*)", largest, true},
    {"gcd", 2, 0, "gcd($*)", largest, false},
    {"lcm", 2, 0, "lcm($*)", largest, false},
    {"re", 1, 1, "re($1)", small, false},
    {"im", 1, 1, "im($1)", small, false},
    {"conj", 1, 1, "conj($1)", small, false},
    {"arg", 1, 1, "arg($1)", small, false},
    {"factorial", 1, 1, "factorial($1)", factorial, false},
    {"gamma", 1, 1, "Gamma($1)", factorial, false},
    {"binomial", 2, 2, "comb($1,$2)", choose, false},
    {"comb", 2, 2, "comb($1,$2)", choose, false},
    {"perm", 2, 2, "perm($1,$2)", choose, false},
    {"erf", 1, 1, "erf($1)", unit, false},
    {"erfc", 1, 1, "erfc($1)", unit, false},
    {"degrees", 1, 1, "(($1)*180/pi)", small, false},
    {"radians", 1, 1, "(($1)*pi/180)", small, false},
});

// Known in mode matrix only. giac gets every matrix as a list of rows, a vector as a column.
constexpr auto matrix_functions = std::to_array<Function>({
    {"det", 1, 1, "det($1)", determinant, false, Shaping::square_number},
    {"determinant", 1, 1, "det($1)", determinant, false, Shaping::square_number},
    {"inverse", 1, 1, "inv($1)", determinant, false, Shaping::square_same},
    {"inv", 1, 1, "inv($1)", determinant, false, Shaping::square_same},
    {"transpose", 1, 1, "tran($1)", determinant, false, Shaping::transposed},
    {"trace", 1, 1, "trace($1)", determinant, false, Shaping::square_number},
    {"rank", 1, 1, "rank($1)", determinant, false, Shaping::any_number},
    {"norm", 1, 1, "sqrt(trace(trn($1)*($1)))", determinant, false, Shaping::any_number},
    {"rref", 1, 1, "rref($1)", determinant, false, Shaping::any_same},
    {"dot", 2, 2, "trace(tran($1)*($2))", determinant, false, Shaping::dot},
    {"cross", 2, 2, "tran([cross(col($1,0),col($2,0))])", determinant, false, Shaping::cross},
    {"solve", 2, 2, "(inv($1)*($2))", determinant, false, Shaping::equations},
    {"identity", 1, 1, "identity($1)", determinant, false, Shaping::identity},
    {"eigenvalues", 1, 1, "[eigenvals($1)]", determinant, false, Shaping::eigenvalues},
    {"eigenvals", 1, 1, "[eigenvals($1)]", determinant, false, Shaping::eigenvalues},
});

constexpr auto constants = std::to_array<Constant>({
    {"pi", "pi", 3.14159265358979},
    {"Pi", "pi", 3.14159265358979},
    {"PI", "pi", 3.14159265358979},
    {"e", "exp(1)", 2.71828182845905},
    {"E", "exp(1)", 2.71828182845905},
    {"i", "i", std::numeric_limits<double>::quiet_NaN()},
    {"I", "i", std::numeric_limits<double>::quiet_NaN()},
    {"inf", "(+infinity)", infinite},
    {"infinity", "(+infinity)", infinite},
    {"oo", "(+infinity)", infinite},
    {"golden_ratio", "((1+sqrt(5))/2)", 1.61803398874989},
    {"euler_gamma", "euler_gamma", 0.577215664901533},
});

constexpr auto greek = std::to_array<std::string_view>(
    {"alpha", "beta",  "gamma",   "delta", "epsilon", "zeta", "eta",     "theta",
     "iota",  "kappa", "lambda",  "mu",    "nu",      "xi",   "omicron", "rho",
     "sigma", "tau",   "upsilon", "phi",   "chi",     "psi",  "omega"});

bool fits(const Function& f, int arguments) {
    return arguments >= f.least && (f.most == 0 || arguments <= f.most);
}

// The function tables of a language; the second may be empty.
std::array<std::span<const Function>, 2> tables(Language language) {
    if (language == Language::matrices) return {functions, matrix_functions};
    return {functions, {}};
}

std::vector<std::string> words_of(Language language) {
    std::set<std::string> all;
    for (const auto& table : tables(language)) {
        for (const Function& f : table) all.emplace(f.name);
    }
    for (const Constant& c : constants) {
        if (c.name.size() > 1) all.emplace(c.name);
    }
    for (const std::string_view name : greek) all.emplace(name);
    return {all.begin(), all.end()};
}

}  // namespace

const Function* find_function(std::string_view name, int arguments, Language language) {
    for (const auto& table : tables(language)) {
        for (const Function& f : table) {
            if (f.name == name && fits(f, arguments)) return &f;
        }
    }
    return nullptr;
}

bool is_function(std::string_view name, Language language) {
    for (const auto& table : tables(language)) {
        for (const Function& f : table) {
            if (f.name == name) return true;
        }
    }
    return false;
}

std::string argument_counts(std::string_view name) {
    std::string out;
    for (const auto& table : tables(Language::matrices)) {
        for (const Function& f : table) {
            if (f.name != name) continue;
            if (f.most == 0) return "at least " + std::to_string(f.least);
            if (!out.empty()) out += " or ";
            out += std::to_string(f.least);
        }
    }
    return out;
}

const Constant* find_constant(std::string_view name) {
    for (const Constant& c : constants) {
        if (c.name == name) return &c;
    }
    return nullptr;
}

bool is_symbol(std::string_view name) {
    if (name.empty()) return false;
    const bool letter = std::isalpha(static_cast<unsigned char>(name[0])) != 0;
    const std::string_view number = name.substr(1);
    if (letter && number.size() <= 3 &&
        number.find_first_not_of("0123456789") == std::string_view::npos) {
        return true;
    }
    return std::find(greek.begin(), greek.end(), name) != greek.end();
}

const std::vector<std::string>& known_words(Language language) {
    static const std::vector<std::string> arithmetic = words_of(Language::arithmetic);
    static const std::vector<std::string> matrices = words_of(Language::matrices);
    return language == Language::matrices ? matrices : arithmetic;
}

}  // namespace data_tools::calc
