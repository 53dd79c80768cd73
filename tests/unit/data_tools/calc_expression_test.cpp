#include "calc/expression.hpp"

#include <doctest/doctest.h>

#include "calc/giac_text.hpp"

using namespace data_tools;
using namespace data_tools::calc;

namespace {

std::string written(const std::string& text, const Variables& variables = {}) {
    const auto tree = parse_expression(text, variables);
    if (!tree) return "error: " + tree.error();
    return *write_for_giac(**tree, true);
}

bool refused(const std::string& text, const std::string& because) {
    const std::string result = written(text);
    const bool ok = result.rfind("error: ", 0) == 0 && result.find(because) != std::string::npos;
    if (!ok) MESSAGE(text << " gave: " << result);
    return ok;
}

}  // namespace

TEST_CASE("precedence and associativity") {
    CHECK(written("1+2*3") == "1+2*3");
    CHECK(written("(1+2)*3") == "(1+2)*3");
    CHECK(written("1-2-3") == "1-2-3");
    CHECK(written("1-(2-3)") == "1-(2-3)");
    CHECK(written("8/4/2") == "8/4/2");
    CHECK(written("2^3^2") == "2^(3^2)");
    CHECK(written("2**3") == "2^3");
    CHECK(written("-2^2") == "(-2^2)");
    CHECK(written("2^-1") == "2^(-1)");
    CHECK(written("3!^2") == "factorial(3)^2");
    CHECK(written("+5") == "5");
}

TEST_CASE("products without a sign") {
    CHECK(written("2x") == "2*zqx");
    CHECK(written("2(3)") == "2*3");
    CHECK(written("(1+x)(1-x)") == "(1+zqx)*(1-zqx)");
    CHECK(written("2pi") == "2*pi");
    CHECK(refused("1 2", "unexpected '2' after '1'"));
    CHECK(refused("x y", "unexpected 'y'"));
}

TEST_CASE("numbers") {
    CHECK(written("007") == "7");
    CHECK(written("0") == "0");
    CHECK(written("0.1") == "(1/10^1)");
    CHECK(written(".5") == "(5/10^1)");
    CHECK(written("2.") == "2");
    CHECK(written("1.5e3") == "(15*10^2)");
    CHECK(written("2e-3") == "(2/10^3)");
    CHECK(written("0.0") == "0");
    CHECK(refused("1e10001", "exponent"));
    CHECK(refused("1e99999999999999", "exponent"));
    CHECK(refused(std::string(1001, '9'), "1000 digits"));
}

TEST_CASE("printed signs") {
    CHECK(written("2 \u00d7 3 \u00f7 4 \u2212 \u03c0") == "2*3/4-pi");
    CHECK(written("\u221e") == "(+infinity)");
}

TEST_CASE("only known words pass, and errors name the word, its place and suggestions") {
    for (const char* word :
         {"system", "read", "write", "fopen", "unarchive", "for", "while", "if", "purge", "sto",
          "eval", "execute", "caseval", "quote", "rand", "seq"}) {
        CHECK(refused(std::string(word) + "(1)", "unknown function '" + std::string(word) + "'"));
        CHECK(refused(word, "unknown name '" + std::string(word) + "'"));
    }
    CHECK(refused("1 + sine(3)", "column 5"));
    CHECK(refused("sine(3)", "Did you mean sin"));
    CHECK(refused("flor(2)", "floor"));
    CHECK(refused("sin", "write sin(...)"));
    CHECK(refused("x(3)", "'x' is not a function"));
    CHECK(refused("sin()", "sin takes 1 argument(s), not 0"));
    CHECK(refused("log(1,2,3)", "log takes 1 or 2 argument(s), not 3"));
    CHECK(refused("max()", "at least 1"));
}

TEST_CASE("no statement, string, list or assignment") {
    CHECK(refused("x=3", "assignments"));
    CHECK(refused("x:=3", "assignments"));
    CHECK(refused("1;2", "only one expression"));
    CHECK(refused("\"ls\"", "strings"));
    CHECK(refused("'x'", "strings"));
    CHECK(refused("[1,2]", "lists"));
    CHECK(refused("{1}", "lists"));
    CHECK(refused("1<2", "comparisons"));
    CHECK(refused("|x|", "abs(x)"));
    CHECK(refused("1,2", "unexpected ','"));
    CHECK(refused("1\\2", "unexpected '\\'"));
    CHECK(refused("#", "unexpected '#'"));
    CHECK(refused("\u00e9+1", "unexpected '\u00e9'"));
    CHECK(refused(std::string("1\x01", 2), "control character"));
}

TEST_CASE("syntax errors say what was expected") {
    CHECK(refused("", "empty"));
    CHECK(refused("   ", "empty"));
    CHECK(refused("1+", "found end of the expression after '+'"));
    CHECK(refused("(1+2", "expected ')' for the '(' at column 1"));
    CHECK(refused(")", "found ')'"));
    CHECK(refused("2*/3", "column 3"));
    CHECK(refused("sin(1", "expected ')'"));
}

TEST_CASE("length, nesting and size are limited") {
    CHECK(refused(std::string(4097, '1'), "longer than 4096"));
    const auto nested = [](int n) {
        return std::string(static_cast<std::size_t>(n), '(') + "1" +
               std::string(static_cast<std::size_t>(n), ')');
    };
    CHECK(written(nested(40)) == "1");
    CHECK(refused(nested(500), "nested"));
    CHECK(refused(std::string(2000, '-') + "1", "nested"));
    std::string calls;
    for (int k = 0; k < 100; ++k) calls += "abs(";
    CHECK(refused(calls, "nested"));
    // A long chain is not nested.
    std::string sum = "1";
    for (int k = 0; k < 700; ++k) sum += "+1";
    CHECK(written(sum).size() == sum.size());
    for (int k = 0; k < 700; ++k) sum += "+1";
    CHECK(refused(sum, "more than 1500 parts"));
    // Each level of mod repeats its arguments.
    std::string mods = "x";
    for (int k = 0; k < 30; ++k) mods = "mod(" + mods + ",3)";
    const auto tree = parse_expression(mods);
    REQUIRE(tree);
    CHECK_FALSE(write_for_giac(**tree, true));
}

TEST_CASE("variables") {
    CHECK(written("a^2", {{"a", "-3"}}) == "(-3)^2");
    CHECK(written("2*rate", {{"rate", "1+x"}}) == "2*(1+zqx)");
    CHECK(written("a+b", {{"a", "b*2"}, {"b", "5"}}) == "5*2+5");
    CHECK(written("e+i", {{"e", "1"}, {"i", "2"}}) ==
          "1+2");  // the caller's definition takes precedence
    CHECK(written("a", {{"a", "a"}}).find("defined by itself") != std::string::npos);
    CHECK(written("a", {{"a", "b"}, {"b", "a"}}).find("defined by itself") != std::string::npos);
    CHECK(written("a", {{"a", "1+"}}).find("in variable 'a': column 3") != std::string::npos);
    CHECK(written("a", {{"a", "system(1)"}}).find("system") != std::string::npos);
    CHECK(written("1", {{"sin", "1"}}).find("name of a function") != std::string::npos);
    CHECK(written("1", {{"a b", "1"}}).find("not a name") != std::string::npos);
    CHECK(written("1", {{"", "1"}}).find("not a name") != std::string::npos);
    CHECK(written("rat", {{"rate", "1"}}).find("Did you mean rate") != std::string::npos);
    Variables many;
    for (int k = 0; k < 101; ++k) many["v" + std::to_string(k)] = "1";
    CHECK(written("1", many).find("more than 100 variables") != std::string::npos);
}

TEST_CASE("variables cannot exceed the size limit") {
    Variables chain{{"v0", "1"}};
    for (int k = 1; k < 60; ++k) {
        const std::string before = "v" + std::to_string(k - 1);
        chain["v" + std::to_string(k)] = before + "+" + before;
    }
    CHECK(written("v59", chain).find("more than 1500 parts") != std::string::npos);
}

TEST_CASE("giac's answers get their names back") {
    CHECK(read_from_giac("2*zqx+zqq^zqz") == "2*x+q^z");
    CHECK(read_from_giac("exp(1)^5+exp(10)") == "e^5+exp(10)");
    CHECK(read_from_giac("zqalpha/zqzeta") == "alpha/zeta");
}
