// Mode matrix: expressions over matrices and vectors.
#include "calc/giac_text.hpp"
#include "calc/modes.hpp"
#include "calc/shape.hpp"

namespace data_tools::calc {
namespace {

using Why = Refusal::Why;

constexpr int eigenvalue_digits = 10;  // correct digits of giac's numeric eigenvalues

// Rewrites A*x = b, with a single unknown x, as solve(A, b).
NodePtr as_call(const NodePtr& root) {
    if (root->kind != Kind::equation) return root;
    const Node& left = *root->args[0];
    const bool product = left.kind == Kind::multiply && left.args[1]->kind == Kind::symbol &&
                         left.args[0]->kind != Kind::symbol;
    if (!product) return root;  // shape_of() reports the correct form
    Node call{.kind = Kind::call,
              .text = "solve",
              .args = {left.args[0], root->args[1]},
              .function = find_function("solve", 2, Language::matrices)};
    return std::make_shared<const Node>(std::move(call));
}

// Writes the cells by rows: [[1, 2], [3, 4]]; a column as [1, 2].
std::string written(const std::vector<std::vector<std::string>>& rows, bool column) {
    std::vector<std::string> lines;
    for (const auto& row : rows) {
        const std::string cells = joined(row, ", ");
        lines.push_back(column ? cells : "[" + cells + "]");
    }
    return "[" + joined(lines, ", ") + "]";
}

Answer matrix_answer(const Work& work, const EngineValue& value) {
    Answer answer;
    std::vector<std::vector<std::string>> about;
    bool differs = false;
    for (const EngineValue& row : value.items) {
        answer.rows.emplace_back();
        about.emplace_back();
        for (const EngineValue& cell : row.items) {
            const Shown shown = work.show(cell);
            answer.rows.back().push_back(shown.result);
            about.back().push_back(shown.numeric.empty() ? shown.result : shown.numeric);
            differs = differs || !shown.numeric.empty();
        }
    }
    const bool column = !answer.rows.empty() && answer.rows[0].size() == 1;
    answer.kind = "matrix";
    answer.result = written(answer.rows, column);
    check_length(answer.result);
    if (differs) answer.numeric = written(about, column);
    return answer;
}

Answer eigenvalues(Work& work, const Node& call, const EngineValue& value, int count) {
    if (value.items.size() != static_cast<std::size_t>(count)) {
        refuse(Why::no_value, "the eigenvalues have no closed form");
    }
    Answer answer;
    std::vector<std::string> about;
    const std::string unknown = giac_name("lambda");
    const std::string polynomial =
        "pcar(" + *write_for_giac(*call.args[0], true) + "," + unknown + ")";
    bool differs = false, closed = true;
    for (EngineValue root : value.items) {
        const bool rough = root.inexact && !refine_root(work, polynomial, unknown, root);
        closed = closed && !root.inexact && root.exact.find("rootof(") == std::string::npos;
        const Shown shown = work.show(root, rough ? eigenvalue_digits : max_precision);
        answer.values.push_back(shown.result);
        about.push_back(shown.numeric.empty() ? shown.result : shown.numeric);
        differs = differs || !shown.numeric.empty();
    }
    answer.kind = "values";
    answer.result = joined(answer.values, ", ");
    if (differs) answer.numeric = joined(about, ", ");
    if (!closed) {
        answer.notes.emplace_back("decimal numbers, because the exact roots have no short form");
    }
    return answer;
}

}  // namespace

Answer matrix(Work& work) {
    const NodePtr root = as_call(work.read(Language::matrices));
    const auto shape = shape_of(*root);
    if (!shape) refuse(Why::bad_expression, shape.error());
    const Term term = work.bounded(root);
    const EngineAnswer got = work.ask(term.text, {.lists = true});
    if (got.stopped) {
        const bool singular = got.stop.message.find("invertible") != std::string::npos;
        refuse(Why::no_value, singular ? "the matrix is singular: its determinant is 0, so it has "
                                         "no inverse; use mode solve to find the solutions, if any"
                                       : got.stop.message);
    }
    if (shape->kind == Shape::Kind::values) return eigenvalues(work, *root, got.value, shape->rows);
    if (shape->kind == Shape::Kind::matrix) return matrix_answer(work, got.value);
    const Shown shown = work.show(got.value);
    Answer answer;
    answer.result = shown.result;
    answer.numeric = shown.numeric;
    answer.kind = shown.kind;
    return answer;
}

}  // namespace data_tools::calc
