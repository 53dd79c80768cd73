// Mode solve: one equation or several, exactly if giac can, otherwise numerically.
#include <algorithm>
#include <cstdlib>

#include "calc/giac_text.hpp"
#include "calc/modes.hpp"

namespace data_tools::calc {
namespace {

using Why = Refusal::Why;

constexpr std::size_t max_unknowns = 10;
constexpr int root_digits = 12;  // correct digits of giac's numeric roots
constexpr double small_residual = 1e-6;

constexpr const char* numeric_note =
    "found numerically: no exact form was found, and more solutions may exist";
constexpr const char* periodic_note = "only the solutions of one period are listed";

// Polynomials and their quotients: giac finds all of their roots, including complex ones.
bool is_rational(const Node& node, const std::vector<std::string>& unknowns) {
    const bool free = std::none_of(unknowns.begin(), unknowns.end(),
                                   [&](const std::string& u) { return mentions(node, u); });
    if (free) return true;
    if (node.kind == Kind::call || node.kind == Kind::factorial || node.kind == Kind::modulo) {
        return false;
    }
    if (node.kind == Kind::power) {
        const Node& exponent = *node.args[1];
        const Node& digits = exponent.kind == Kind::negate ? *exponent.args[0] : exponent;
        if (digits.kind != Kind::integer) return false;
    }
    return std::all_of(node.args.begin(), node.args.end(),
                       [&](const NodePtr& arg) { return is_rational(*arg, unknowns); });
}

bool is_periodic(const Node& node, const std::vector<std::string>& unknowns) {
    static const std::vector<std::string> names = {"sin", "cos", "tan", "sec", "csc", "cot"};
    if (node.kind == Kind::call &&
        std::find(names.begin(), names.end(), node.text) != names.end()) {
        for (const std::string& u : unknowns) {
            if (mentions(node, u)) return true;
        }
    }
    return std::any_of(node.args.begin(), node.args.end(),
                       [&](const NodePtr& arg) { return is_periodic(*arg, unknowns); });
}

std::vector<std::string> choose_unknowns(const Question& question, const Node& equations) {
    const auto found = unknowns_of(equations);
    auto chosen = named_unknowns(question);
    if (found.empty()) {
        refuse(Why::bad_expression, "the equation has no unknown to solve for, such as x");
    }
    for (const std::string& name : chosen) {
        if (std::find(found.begin(), found.end(), name) == found.end()) {
            refuse(Why::bad_expression,
                   "'" + name + "' is not in the equation; its unknowns are " + joined(found, ", "),
                   "/wrt");
        }
    }
    if (chosen.empty() && equations.args.size() > 1) chosen = found;
    if (chosen.empty()) chosen = {one_unknown(question, equations)};
    if (chosen.size() > max_unknowns || equations.args.size() > max_unknowns) {
        refuse(Why::bad_expression,
               "at most " + std::to_string(max_unknowns) + " equations and unknowns");
    }
    return chosen;
}

// Whether the text of a value still contains this name.
bool has_name(const std::string& text, const std::string& name) {
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
        const std::size_t end = at + name.size();
        if (end == text.size() ||
            (std::isalnum(static_cast<unsigned char>(text[end])) == 0 && text[end] != '_')) {
            return true;
        }
    }
    return false;
}

class Solver {
public:
    Solver(Work& work, const Term& term)
        : work_(work),
          equations_(term),
          unknowns_(choose_unknowns(work.question(), *term.root)),
          rational_(is_rational(*term.root, unknowns_)) {
        for (const std::string& u : unknowns_) names_.push_back(giac_name(u));
    }

    Answer run() {
        answer_.wrt = joined(unknowns_, ", ");
        const bool one = equations_.root->args.size() == 1 && unknowns_.size() == 1;
        one ? solve_one() : solve_system();
        finish();
        return std::move(answer_);
    }

private:
    // Reads the solutions from giac's list. A failure is different from no solutions.
    bool find(const std::string& command, const std::string& what, const std::string& of) {
        const EngineAnswer got = work_.ask(command + "(" + what + "," + of + ")", {.lists = true});
        if (got.stopped) {
            why_ = got.stop.message;
            return false;
        }
        if (got.value.kind == ValueKind::undefined) return false;
        found_ = got.value.kind == ValueKind::list ? got.value.items : std::vector{got.value};
        return true;
    }

    void solve_one() {
        const Node& equation = *equations_.root->args[0];
        const auto side = [&](std::size_t k) {
            return "(" + *write_for_giac(*equation.args[k], true) + ")";
        };
        const std::string text = side(0) + "=" + side(1);
        f_ = side(0) + "-" + side(1);
        bool known = find(rational_ ? "csolve" : "solve", text, names_[0]);
        // A real equation may have only complex solutions: exp(x) = -2.
        if (!rational_ && found_.empty()) known = find("csolve", text, names_[0]) || known;
        keep_numbers();
        if (!rational_ && found_.empty() && find("fsolve", text, names_[0])) {
            known = true;
            for (EngineValue& value : found_) value.inexact = true;
            keep_numbers();
        }
        if (!known) {
            refuse(Why::no_value, "no solution was found, neither exactly nor numerically (" +
                                      why_ + "); a solution may still exist");
        }
        for (const EngineValue& value : found_) add({value});
    }

    // Refines numeric solutions to all their digits; drops poles that were taken for solutions.
    void keep_numbers() {
        std::vector<EngineValue> kept;
        for (EngineValue& value : found_) {
            if (value.kind == ValueKind::infinite || value.kind == ValueKind::undefined) continue;
            const bool number = value.inexact && !value.real.empty();
            if (number && !refine_root(work_, f_, names_[0], value)) {
                if (!rational_ && residual(value) > small_residual) continue;
                rough_ = true;
            }
            numeric_ = numeric_ || number;
            kept.push_back(std::move(value));
        }
        found_ = std::move(kept);
    }

    double residual(const EngineValue& value) {
        const std::string at = value.imaginary.empty()
                                   ? value.real
                                   : "(" + value.real + ")+(" + value.imaginary + ")*i";
        const EngineAnswer got = work_.ask(
            "evalf(abs(subst(" + f_ + "," + names_[0] + "=" + at + ")))", {.simplify = false});
        if (got.stopped || got.value.real.empty()) return 1;
        return std::strtod(got.value.real.c_str(), nullptr);
    }

    void solve_system() {
        const std::string of = "[" + joined(names_, ",") + "]";
        rough_ = true;
        bool known = find("csolve", equations_.text, of);
        if (!rational_ && found_.empty()) known = find("solve", equations_.text, of) || known;
        if (!rational_ && found_.empty()) numeric_system(of);
        if (!known || (found_.empty() && !rational_)) {
            refuse(Why::no_value, "no solution was found" +
                                      (why_.empty() ? "" : " (" + why_ + ")") +
                                      "; a solution may still exist");
        }
        for (const EngineValue& row : found_) {
            if (row.kind != ValueKind::list || row.items.size() != unknowns_.size()) {
                refuse(Why::no_value, "no solution with a closed form was found");
            }
            for (const EngineValue& value : row.items) numeric_ = numeric_ || value.inexact;
            add(row.items);
        }
    }

    void numeric_system(const std::string& of) {
        std::string start;
        for (std::size_t k = 0; k < names_.size(); ++k) start += k == 0 ? "[1" : ",1";
        if (find("fsolve", equations_.text, of + "," + start + "]") && !found_.empty()) {
            EngineValue row;
            row.kind = ValueKind::list;
            row.items = found_;
            for (EngineValue& value : row.items) {
                value.inexact = true;
                if (value.real.empty()) return found_.clear();
            }
            found_ = {row};
        }
    }

    void add(const std::vector<EngineValue>& values) {
        std::map<std::string, std::string> solution;
        std::vector<std::string> exact, about;
        bool differs = false;
        for (std::size_t k = 0; k < values.size(); ++k) {
            const EngineValue& value = values[k];
            const bool rough = value.inexact && rough_;
            const Shown shown = work_.show(value, rough ? root_digits : max_precision);
            closed_ = closed_ && value.exact.find("rootof(") == std::string::npos;
            for (const std::string& name : names_) free_ = free_ || has_name(value.exact, name);
            solution[unknowns_[k]] = shown.result;
            // A condition such as x>0 already names the unknown.
            const bool condition = shown.result.find_first_of("<>") != std::string::npos;
            exact.push_back(condition ? shown.result : unknowns_[k] + " = " + shown.result);
            about.push_back(unknowns_[k] + " = " +
                            (shown.numeric.empty() ? shown.result : shown.numeric));
            differs = differs || !shown.numeric.empty();
        }
        const auto seen = std::find(answer_.solutions.begin(), answer_.solutions.end(), solution);
        if (seen != answer_.solutions.end()) return;
        answer_.solutions.push_back(solution);
        exact_.push_back(joined(exact, ", "));
        about_.push_back(joined(about, ", "));
        differs_ = differs_ || differs;
    }

    void finish() {
        const bool several = unknowns_.size() > 1 && exact_.size() > 1;
        const auto all = [&](std::vector<std::string> parts) {
            for (std::string& part : parts) {
                if (several) part = "(" + part + ")";
            }
            return joined(parts, " or ");
        };
        answer_.result = all(exact_);
        if (differs_) answer_.numeric = all(about_);
        answer_.kind = "solutions";
        if (exact_.empty()) {
            answer_.kind = "no_solution";
            answer_.result = "no solution";
        } else if (free_) {
            answer_.kind = "infinitely_many";
            const bool every =
                unknowns_.size() == 1 && exact_[0] == unknowns_[0] + " = " + unknowns_[0];
            if (every) answer_.result = "every " + unknowns_[0] + " is a solution";
            answer_.notes.emplace_back(
                "infinitely many solutions: an unknown given by itself or by a condition is free");
        }
        const bool one = unknowns_.size() == 1 && rational_;  // then all roots are found
        if (numeric_ && !one) answer_.notes.emplace_back(numeric_note);
        if (!closed_ || (numeric_ && one)) {
            answer_.notes.emplace_back(
                "decimal numbers, because the exact roots have no short form");
        }
        if (!exact_.empty() && !numeric_ && is_periodic(*equations_.root, unknowns_)) {
            answer_.notes.emplace_back(periodic_note);
        }
    }

    Work& work_;
    const Term& equations_;
    std::vector<std::string> unknowns_;
    std::vector<std::string> names_;  // the unknowns' names in giac's language
    bool rational_;
    std::string f_;  // of a single equation: left minus right
    std::string why_;
    std::vector<EngineValue> found_;
    std::vector<std::string> exact_, about_;
    bool numeric_ = false, rough_ = false, closed_ = true, free_ = false, differs_ = false;
    Answer answer_;
};

}  // namespace

Answer solve(Work& work) {
    const Term term = work.expression(Language::equations);
    return Solver(work, term).run();
}

}  // namespace data_tools::calc
