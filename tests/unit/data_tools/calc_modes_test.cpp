// Modes solve, derive, integrate, limit and series, compared with known results.
#include <doctest/doctest.h>
#include <chrono>

#include "calc/calculate.hpp"

using namespace data_tools::calc;

namespace {

std::string asked(const Question& question) {
    const auto outcome = calculate(question);
    if (const auto* refusal = std::get_if<Refusal>(&outcome)) {
        return "! " + refusal->field + " " + refusal->message;
    }
    return std::get<Answer>(outcome).result;
}

Answer answered(const Question& question) {
    const auto outcome = calculate(question);
    REQUIRE(std::holds_alternative<Answer>(outcome));
    return std::get<Answer>(outcome);
}

std::string solved(const std::string& expression) {
    return asked({.expression = expression, .mode = Mode::solve});
}
std::string derived(const std::string& expression, int order = 1) {
    return asked({.expression = expression, .mode = Mode::derive, .order = order});
}
std::string integral(const std::string& expression) {
    return asked({.expression = expression, .mode = Mode::integrate});
}
std::string integral(const std::string& expression, const std::string& bounds) {
    return asked({.expression = expression, .mode = Mode::integrate, .point = bounds});
}
std::string limit_at(const std::string& expression, const std::string& point) {
    return asked({.expression = expression, .mode = Mode::limit, .point = point});
}
std::string series_of(const std::string& expression, const std::string& point, int order) {
    return asked({.expression = expression, .mode = Mode::series, .point = point, .order = order});
}

bool says(const std::string& text, const std::string& field, const std::string& words) {
    const bool ok = text.rfind("! " + field, 0) == 0 && text.find(words) != std::string::npos;
    if (!ok) MESSAGE(text);
    return ok;
}

bool notes(const Answer& answer, const std::string& words) {
    for (const std::string& note : answer.notes) {
        if (note.find(words) != std::string::npos) return true;
    }
    return false;
}

}  // namespace

TEST_CASE("solve: one equation, exactly") {
    CHECK(solved("x^2 = 4") == "x = -2 or x = 2");
    CHECK(solved("x**2 + 2*x + 1") == "x = -1");
    CHECK(solved("Eq(x**2, 4)") == "x = -2 or x = 2");
    CHECK(solved("x^2 == 4") == "x = -2 or x = 2");
    CHECK(solved("x^2 + 1") == "x = i or x = -i");
    CHECK(solved("exp(x) = -2") == "x = ln(2)+i*pi");
    CHECK(solved("2^x = 8") == "x = 3");
    CHECK(solved("abs(x-1) = 2") == "x = -1 or x = 3");
    CHECK(solved("a*x^2 + b*x + c") ==
          "x = 1/2*(-b+sqrt(b^2-4*a*c))/a or x = 1/2*(-b-sqrt(b^2-4*a*c))/a");
    CHECK(asked({.expression = "a*x = b", .mode = Mode::solve, .wrt = "a"}) == "a = b/x");
    CHECK(asked({.expression = "k*x = 6", .mode = Mode::solve, .variables = {{"k", "3"}}}) ==
          "x = 2");
    const Answer roots = answered({.expression = "y^2 = 2", .mode = Mode::solve});
    CHECK(roots.kind == "solutions");
    CHECK(roots.wrt == "y");
    CHECK(roots.solutions.size() == 2);
    CHECK(roots.numeric.find("1.414213562") != std::string::npos);
    CHECK(notes(answered({.expression = "sin(x) = 1/2", .mode = Mode::solve}), "one period"));
}

TEST_CASE("solve: decimals have as many correct digits as requested") {
    // No radicals: giac itself has 13 correct digits, the others come from Newton's method.
    const Answer quintic = answered(
        {.expression = "x^5 - x - 1", .mode = Mode::solve, .precision = 30, .force_numeric = true});
    REQUIRE(quintic.solutions.size() == 5);
    CHECK(quintic.solutions[0].at("x") == "1.16730397826141868425604589985");
    CHECK(notes(quintic, "no short form"));
    const Answer cosine =
        answered({.expression = "cos(x) = x", .mode = Mode::solve, .precision = 30});
    CHECK(cosine.result == "x = 0.739085133215160641655312087674");
    CHECK(notes(cosine, "found numerically"));
    CHECK(solved("0.5*x^2 = 1") == "x = -1.414213562 or x = 1.414213562");
    CHECK(asked({.expression = "x/3 = 1/9", .mode = Mode::solve, .scientific = true}) ==
          "x = 3.333333333e-1");
    // One real root and two complex ones, without rounding errors.
    CHECK(solved("x^3 - 2*x - 5").find("x = 2.094551482") != std::string::npos);
    CHECK(solved("x^3 - 2*x - 5").find("e-") == std::string::npos);
    // A pole that giac reports as a solution is not one.
    CHECK(solved("x! = 24").find("x = 4") != std::string::npos);
    CHECK(solved("x! = 24").find("-3") == std::string::npos);
}

TEST_CASE("solve: systems") {
    CHECK(solved("[x + y = 3, x - y = 1]") == "x = 2, y = 1");
    CHECK(solved("x + y = 3, x - y = 1") == "x = 2, y = 1");
    CHECK(solved("x1 + x2 = 3, x1 - x2 = 1") == "x1 = 2, x2 = 1");
    CHECK(solved("x^2 + y^2 = 25, x + y = 7") == "(x = 3, y = 4) or (x = 4, y = 3)");
    CHECK(solved("exp(x) + y = 2, x - y = 1") == "x = 0.7920599684, y = -0.2079400316");
    CHECK(asked({.expression = "x + y = a, x - y = 1", .mode = Mode::solve, .wrt = "x, y"}) ==
          "x = 1/2*a+1/2, y = 1/2*a-1/2");
}

TEST_CASE("solve: no solutions and infinitely many") {
    CHECK(solved("x = x + 1") == "no solution");
    CHECK(solved("1/x = 0") == "no solution");
    CHECK(solved("x + y = 3, x + y = 4") == "no solution");
    CHECK(answered({.expression = "x = x + 1", .mode = Mode::solve}).kind == "no_solution");
    CHECK(answered({.expression = "x = x + 1", .mode = Mode::solve}).solutions.empty());
    CHECK(solved("x = x") == "every x is a solution");
    CHECK(answered({.expression = "x = x", .mode = Mode::solve}).kind == "infinitely_many");
    const Answer line = answered({.expression = "x + y = 3, 2x + 2y = 6", .mode = Mode::solve});
    CHECK(line.kind == "infinitely_many");
    CHECK(line.result == "x = -y+3, y = y");
    CHECK(says(solved("floor(x) = 3"), "/expression", "a solution may still exist"));
}

TEST_CASE("derive") {
    CHECK(derived("x^3 + 2*x") == "3*x^2+2");
    CHECK(derived("sin(x)", 2) == "-sin(x)");
    CHECK(derived("5") == "0");
    CHECK(derived("0.5*pi*x^2") == "3.141592654*x");
    CHECK(asked({.expression = "x^2*y", .mode = Mode::derive, .wrt = "y"}) == "x^2");
    CHECK(asked({.expression = "a*t^2", .mode = Mode::derive, .variables = {{"a", "3"}}}) == "6*t");
    CHECK(says(derived("1/0"), "/expression", "undefined"));
    CHECK(says(derived("a*b"), "/wrt", "several unknowns (a, b)"));
}

TEST_CASE("integrate") {
    CHECK(integral("x^2") == "x^3/3");
    CHECK(integral("1/(x^2+1)") == "atan(x)");
    CHECK(integral("0.1*x") == "0.05*x^2");
    CHECK(integral("x^2", "0, 3") == "9");
    CHECK(integral("x^2", "[0, b]") == "b^3/3");
    CHECK(integral("exp(-x^2)", "-inf, inf") == "sqrt(pi)");
    CHECK(integral("max(x, 0)", "min(0,-1), 1").rfind("!", 0) != 0);
    CHECK(integral("1/x", "0, 1") == "+infinity");
    CHECK(asked({.expression = "1/(x^2+1)",
                 .mode = Mode::integrate,
                 .precision = 30,
                 .force_numeric = true,
                 .point = "0, 1"}) == "0.78539816339744830961566084582");
    CHECK(integral("x^x", "0, 1") == "0.7834305107");
    CHECK(notes(answered({.expression = "x^x", .mode = Mode::integrate, .point = "0, 1"}),
                "numerically"));
    // The closed form contains complex numbers, the value does not.
    for (const int precision : {10, 30}) {
        const auto fresnel = answered({.expression = "sin(x^2)",
                                       .mode = Mode::integrate,
                                       .precision = precision,
                                       .point = "0, 1"});
        CHECK(fresnel.kind == "real");
        CHECK(fresnel.numeric == std::string("0.310268301723381101808152423165")
                                     .substr(0, static_cast<std::size_t>(precision) + 2));
    }
    CHECK(integral("1 + i*x", "0, 2") == "2+2*i");
    CHECK(says(integral("x^x"), "/expression", "no antiderivative"));
    // The areas are infinite, so the integral is undefined although they cancel.
    CHECK(says(integral("1/x", "-1, 1"), "/expression", "diverges"));
    CHECK(says(integral("tan(x)", "0, pi"), "/expression", "diverges"));
    CHECK(says(integral("x", "3"), "/point", "two bounds"));
    CHECK(says(integral("x", "1, 2, 3"), "/point", "two bounds"));
    CHECK(says(integral("x", "x, 3"), "/point", "'x'"));
    CHECK(says(integral("x", "0, 1+"), "/point", "end of the expression"));
}

TEST_CASE("limit") {
    CHECK(asked({.expression = "sin(x)/x", .mode = Mode::limit}) == "1");
    CHECK(limit_at("(1+1/x)^x", "oo") == "e");
    CHECK(limit_at("exp(x)", "-inf") == "0");
    CHECK(limit_at("1/x", "0+") == "+infinity");
    CHECK(limit_at("1/x", "0-") == "-infinity");
    CHECK(limit_at("floor(x)", "2-") == "1");
    CHECK(limit_at("floor(x)", "2+") == "2");
    CHECK(limit_at("x^2", "a") == "a^2");
    CHECK(limit_at("1/x^2", "0") == "+infinity");
    CHECK(says(limit_at("1/x", "0"), "/expression", "\"0+\" or \"0-\""));
    CHECK(says(limit_at("abs(x)/x", "0"), "/expression", "-1,1"));
    CHECK(says(limit_at("sin(x)", "inf"), "/expression", "oscillates"));
    CHECK(says(limit_at("x", "x"), "/point", "'x'"));
    CHECK(says(limit_at("x", "system(1)"), "/point", "'system'"));
}

TEST_CASE("series") {
    CHECK(asked({.expression = "sin(x)", .mode = Mode::series}) == "x-1/6*x^3+O(x^5)");
    CHECK(series_of("exp(x)", "1", 3) == "e+e*(x-1)+e/2*(x-1)^2+O((x-1)^3)");
    CHECK(series_of("1/sin(x)", "0", 5) == "1/x+1/6*x+7/360*x^3+O(x^5)");
    CHECK(series_of("x^2 + 1", "0", 5) == "1+x^2");
    CHECK(series_of("x^7", "0", 3) == "O(x^7)");
    CHECK(series_of("1/(1+x)", "inf", 3) == "1/x-(1/x)^2+(1/x)^3+O((1/x)^4)");
    CHECK(
        asked(
            {.expression = "sqrt(1+x)", .mode = Mode::series, .force_numeric = true, .order = 3}) ==
        "1+0.5*x-0.125*x^2+O(x^3)");
    CHECK(says(series_of("abs(x)", "0", 3), "/expression", "no series"));
    CHECK(says(series_of("exp(1/x)", "0", 3), "/expression", "no series"));
    CHECK(says(series_of("x", "0", 1), "/order", "at least 2"));
}

TEST_CASE("a field that a mode does not accept is named with the mode") {
    CHECK(says(asked({.expression = "1", .wrt = "x"}), "/wrt", "mode evaluate does not use `wrt`"));
    CHECK(says(asked({.expression = "x", .mode = Mode::solve, .point = "1"}), "/point",
               "mode solve does not use `point`; it applies to integrate, limit, series"));
    CHECK(says(asked({.expression = "x", .mode = Mode::limit, .order = 2}), "/order",
               "mode limit does not use `order`"));
    CHECK(says(asked({.expression = "[1]", .mode = Mode::matrix, .wrt = "x"}), "/wrt", "matrix"));
    CHECK(says(asked({.expression = "x", .mode = Mode::derive, .point = "1"}), "/point", "derive"));
}

TEST_CASE("unknowns are checked") {
    const auto wrt = [](const std::string& name) {
        return asked(
            {.expression = "x^2 = 4", .mode = Mode::solve, .variables = {{"k", "1"}}, .wrt = name});
    };
    CHECK(says(wrt("e"), "/wrt", "constants"));
    CHECK(says(wrt("sin"), "/wrt", "'sin' is not a valid unknown"));
    CHECK(says(wrt("3"), "/wrt", "'3'"));
    CHECK(says(wrt(","), "/wrt", "has no unknown"));
    CHECK(says(wrt("k"), "/wrt", "has a value"));
    CHECK(says(wrt("y"), "/wrt", "its unknowns are x"));
    CHECK(says(asked({.expression = "x*y", .mode = Mode::derive, .wrt = "x, y"}), "/wrt", "one"));
    CHECK(says(solved("2 = 2"), "/expression", "no unknown"));
    CHECK(says(solved("a*b = 2"), "/wrt", "several unknowns"));
    CHECK(says(solved("x = 3 = 4"), "/expression", "two sides"));
    CHECK(says(solved("[x = 3"), "/expression", "expected ']'"));
    CHECK(says(solved("Eq(x)"), "/expression", "Eq needs two sides"));
}

TEST_CASE("expressions with too large results are refused before giac evaluates them") {
    const auto start = std::chrono::steady_clock::now();
    CHECK(says(series_of("ln(1+x)", "0", 1000000), "/order", "from 1 to 100"));
    CHECK(says(derived("x", 101), "/order", "from 1 to 100"));
    CHECK(says(derived("x", 0), "/order", "from 1 to 100"));
    CHECK(says(solved("x^200 = 1"), "/expression", "power of 200"));
    CHECK(says(integral("(x+1)^5000"), "/expression", "power of 5000"));
    CHECK(says(integral("((x^9)^9)^9"), "/expression", "power of 729"));
    CHECK(says(derived("x^floor(10^9+1/2)"), "/expression", "too large"));
    CHECK(says(solved("9^9^9^9 = x"), "/expression", "too large"));
    std::string sum = "x", system = "x1 = 1", deep = "x";
    for (int k = 0; k < 250; ++k) sum += "+x";
    for (int k = 2; k < 12; ++k) system += ", x" + std::to_string(k) + " = 1";
    for (int k = 0; k < 200; ++k) deep = "(" + deep + ")";
    CHECK(says(integral(sum), "/expression", "400 parts"));
    CHECK(says(solved(system), "/expression", "at most 10 equations"));
    CHECK(says(solved(deep), "/expression", "nested"));
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(2));
}

TEST_CASE("no command of giac can be called in any mode") {
    for (const Mode mode :
         {Mode::solve, Mode::derive, Mode::integrate, Mode::limit, Mode::series, Mode::matrix}) {
        for (const char* text : {"read(x)", "system(x)", "plot(x)", "f(x):=1", "x;y", "\"x\"",
                                 "csolve(x,x)", "run(x)", "fsolve(x)", "x>1", "{x}"}) {
            CHECK(says(asked({.expression = text, .mode = mode}), "/expression", "column"));
        }
    }
}

TEST_CASE("a computation that is cancelled stops soon") {
    const auto start = std::chrono::steady_clock::now();
    const auto outcome = calculate(
        {.expression = "exp(sin(tan(x)))", .mode = Mode::series, .order = 100, .cancelled = [] {
             return true;
         }});
    REQUIRE(std::holds_alternative<Refusal>(outcome));
    CHECK(std::get<Refusal>(outcome).why == Refusal::Why::cancelled);
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(2));
}
