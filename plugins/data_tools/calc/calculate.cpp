#include "calc/calculate.hpp"

#include <algorithm>
#include <array>

#include "calc/evaluate.hpp"
#include "calc/modes.hpp"

namespace data_tools::calc {
namespace {

// The fields of a mode beside the common ones, and its function.
struct ModeRow {
    Mode mode;
    std::string_view name;
    bool wrt, point, order;
    Answer (*answer)(Work&);
};

constexpr auto modes = std::to_array<ModeRow>({
    {Mode::evaluate, "evaluate", false, false, false, nullptr},
    {Mode::solve, "solve", true, false, false, solve},
    {Mode::derive, "derive", true, false, true, derive},
    {Mode::integrate, "integrate", true, true, false, integrate},
    {Mode::limit, "limit", true, true, false, limit},
    {Mode::series, "series", true, true, true, series},
    {Mode::matrix, "matrix", false, false, false, matrix},
});

void check_field(const ModeRow& row, bool given, bool ModeRow::*takes, const std::string& field) {
    if (!given || row.*takes) return;
    std::vector<std::string> others;
    for (const ModeRow& other : modes) {
        if (other.*takes) others.emplace_back(other.name);
    }
    refuse(Refusal::Why::bad_expression,
           "mode " + std::string(row.name) + " does not use `" + field + "`; it applies to " +
               joined(others, ", "),
           "/" + field);
}

void check_fields(const ModeRow& row, const Question& question) {
    check_field(row, question.wrt.has_value(), &ModeRow::wrt, "wrt");
    check_field(row, question.point.has_value(), &ModeRow::point, "point");
    check_field(row, question.order.has_value(), &ModeRow::order, "order");
    if (question.order && (*question.order < 1 || *question.order > max_order)) {
        refuse(Refusal::Why::bad_expression,
               "the order must be a whole number from 1 to " + std::to_string(max_order), "/order");
    }
}

}  // namespace

Mode mode_of(std::string_view name) {
    const auto row =
        std::find_if(modes.begin(), modes.end(), [&](const ModeRow& m) { return m.name == name; });
    return row == modes.end() ? Mode::evaluate : row->mode;
}

std::variant<Answer, Refusal> calculate(const Question& question) {
    const ModeRow& row = modes[static_cast<std::size_t>(question.mode)];
    try {
        check_fields(row, question);
        if (row.answer == nullptr) return evaluate(question);
        Work work(question);
        return row.answer(work);
    } catch (const Refusal& refusal) {
        return refusal;
    }
}

}  // namespace data_tools::calc
