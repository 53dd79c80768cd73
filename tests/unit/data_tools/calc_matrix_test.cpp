#include <doctest/doctest.h>

#include "calc/calculate.hpp"
#include "calc/shape.hpp"

using namespace data_tools::calc;

namespace {

Answer answered(const std::string& expression) {
    const auto outcome = calculate({.expression = expression, .mode = Mode::matrix});
    REQUIRE_MESSAGE(std::holds_alternative<Answer>(outcome), expression);
    return std::get<Answer>(outcome);
}

std::string result(const std::string& expression, const Variables& variables = {}) {
    const auto outcome =
        calculate({.expression = expression, .mode = Mode::matrix, .variables = variables});
    if (const auto* refusal = std::get_if<Refusal>(&outcome)) return "! " + refusal->message;
    return std::get<Answer>(outcome).result;
}

bool says(const std::string& expression, const std::string& words) {
    const std::string text = result(expression);
    const bool ok = text.rfind("! ", 0) == 0 && text.find(words) != std::string::npos;
    if (!ok) MESSAGE(expression << " gave: " << text);
    return ok;
}

// A square matrix with the same entry everywhere.
std::string filled(int side, const std::string& entry) {
    std::string row, all;
    for (int k = 0; k < side; ++k) row += (k == 0 ? "[" : ",") + entry;
    for (int k = 0; k < side; ++k) all += (k == 0 ? "[" : ",") + row + "]";
    return all + "]";
}

}  // namespace

TEST_CASE("matrices: arithmetic") {
    CHECK(result("[[1,2],[3,4]]*[[5,6],[7,8]]") == "[[19, 22], [43, 50]]");
    CHECK(result("[[1,2],[3,4]]+[[5,6],[7,8]]") == "[[6, 8], [10, 12]]");
    CHECK(result("[[5,6],[7,8]]-[[1,2],[3,4]]") == "[[4, 4], [4, 4]]");
    CHECK(result("-2*[[1,2],[3,4]]/4") == "[[-1/2, -1], [-3/2, -2]]");
    CHECK(result("[[1,2],[3,4]]^3") == "[[37, 54], [81, 118]]");
    CHECK(result("[[1,2],[3,4]]**-1") == "[[-2, 1], [3/2, -1/2]]");
    CHECK(result("[[1,2],[3,4]]*[5,6]") == "[17, 39]");
    CHECK(result("[[0.1,0.2],[0.3,0.4]]*2") == "[[0.2, 0.4], [0.6, 0.8]]");
    CHECK(result("A*B - B*A", {{"A", "[[1,2],[3,4]]"}, {"B", "[[0,1],[1,0]]"}}) ==
          "[[-1, -3], [3, 1]]");
    const Answer half = answered("[[1,2],[3,4]]/2");
    CHECK(half.kind == "matrix");
    CHECK(half.rows == std::vector<std::vector<std::string>>{{"1/2", "1"}, {"3/2", "2"}});
    CHECK(half.numeric == "[[0.5, 1], [1.5, 2]]");
}

TEST_CASE("matrices: functions") {
    CHECK(result("det([[1,2],[3,4]])") == "-2");
    CHECK(result("determinant([[a,b],[c,d]])") == "a*d-b*c");
    CHECK(result("inverse([[1,2],[3,4]])") == "[[-2, 1], [3/2, -1/2]]");
    CHECK(result("inv([[2]])") == "[1/2]");
    CHECK(result("transpose([[1,2,3],[4,5,6]])") == "[[1, 4], [2, 5], [3, 6]]");
    CHECK(result("transpose([1,2,3])") == "[[1, 2, 3]]");
    CHECK(result("trace([[1,2],[3,4]])") == "5");
    CHECK(result("rank([[1,2],[2,4]])") == "1");
    CHECK(result("rref([[1,2],[3,5]])") == "[[1, 0], [0, 1]]");
    CHECK(result("norm([3,4])") == "5");
    CHECK(result("dot([1,2,3],[4,5,6])") == "32");
    CHECK(result("cross([1,0,0],[0,1,0])") == "[0, 0, 1]");
    CHECK(result("2*identity(2)") == "[[2, 0], [0, 2]]");
    CHECK(result("det([[1,2],[3,4]])^2 + sqrt(4)") == "6");
}

TEST_CASE("matrices: eigenvalues and equations") {
    CHECK(result("eigenvalues([[2,0],[0,2]])") == "2, 2");
    CHECK(result("eigenvalues([[0,-1],[1,0]])") == "-i, i");
    const Answer roots = answered("eigenvals([[1,2],[3,4]])");
    CHECK(roots.kind == "values");
    CHECK(roots.values == std::vector<std::string>{"(sqrt(33)+5)/2", "(-sqrt(33)+5)/2"});
    CHECK(roots.numeric == "5.372281323, -0.3722813233");
    const auto digits =
        calculate({.expression = "eigenvalues([[1,2,3,4],[4,5,6,9],[7,8,10,3],[1,1,2,7]])",
                   .mode = Mode::matrix,
                   .precision = 30});
    CHECK(std::get<Answer>(digits).values[0] == "0.721987450250107274740515211301");
    CHECK(result("solve([[1,2],[3,4]], [5,6])") == "[-4, 9/2]");
    CHECK(result("[[1,2],[3,4]]*x = [5,6]") == "[-4, 9/2]");
    CHECK(says("solve([[1,2],[2,4]], [5,6])", "singular"));
    CHECK(says("inverse([[1,2],[2,4]])", "singular"));
    CHECK(says("[[1,2],[3,4]] = [5,6]", "A*x = b"));
}

TEST_CASE("matrices: mismatched dimensions are reported") {
    CHECK(says("[[1,2],[3,4]]+[[1,2,3]]", "a 2x2 matrix and a 1x3 matrix"));
    CHECK(says("[[1,2],[3,4]]-[1,2]", "a 2x2 matrix and a vector of 2"));
    CHECK(says("[[1,2],[3,4]]+1", "a 2x2 matrix and a number"));
    CHECK(says("[[1,2],[3,4]]*[1,2,3]", "2 columns do not match 3 rows"));
    CHECK(says("[1,2]*[3,4]", "dot(a, b)"));
    CHECK(says("1/[[1,2],[3,4]]", "inverse(A)"));
    CHECK(says("[[1,2],[3]]", "as many entries"));
    CHECK(says("[1,[2]]", "a matrix entry must be a number"));
    CHECK(says("[[1,2,3]]^2", "square"));
    CHECK(says("[[1,2],[3,4]]^(1/2)", "whole number"));
    CHECK(says("[[1,2],[3,4]]^x", "whole number"));
    CHECK(says("2^[[1,2],[3,4]]", "exponent"));
    CHECK(says("[[1]]!", "matrices"));
    CHECK(says("[[1]]%2", "matrices"));
    CHECK(says("sin([[1]])", "sin requires numbers"));
    CHECK(says("det(3)", "det requires a matrix"));
    CHECK(says("det([[1,2,3]])", "a square matrix"));
    CHECK(says("cross([1,2],[3,4])", "two vectors of 3"));
    CHECK(says("dot([1,2],[3,4,5])", "equal length"));
    CHECK(says("solve([[1,2],[3,4]], [1,2,3])", "do not match"));
    CHECK(says("identity(0)", "from 1 to 16"));
    CHECK(says("identity(10^9)", "from 1 to 16"));
    CHECK(says("eigenvalues([[1,2],[3,4]])+1", "call it alone"));
    CHECK(says("[]", "column 2"));
    CHECK(says("dett([[1]])", "Did you mean det"));
}

TEST_CASE("matrices: sizes are limited") {
    CHECK(result("det(" + filled(16, "1") + ")") == "0");
    CHECK(says(filled(17, "1"), "16 rows and columns, not 17"));
    CHECK(says("det(" + filled(7, "x") + ")", "up to 6x6"));
    CHECK(says("[[1,1],[1,0]]^1001", "at most 1000"));
    CHECK(says("[[a,b],[c,d]]^101", "power of 101"));
    CHECK(says("[[1,1],[1,0]]^10000000", "at most 1000"));
    CHECK(says("det([[" + std::string(900, '9') + "]])", "too large"));
    // Each call is checked in linear time, however deep.
    std::string deep = "[[1]]";
    for (int k = 0; k < 40; ++k) deep = "inverse(" + deep + ")";
    CHECK(says(deep, "too large"));
}
