#include "host/schema/schema.hpp"

#include <algorithm>
#include <stdexcept>

#include "host/schema/budget.hpp"
#include "host/schema/compile.hpp"
#include "host/schema/depth.hpp"
#include "host/schema/evaluate.hpp"
#include "host/schema/explain.hpp"
#include "host/schema/shape.hpp"

namespace toolhost::schema {
namespace {

Issue too_deep() {
    const std::string limit = std::to_string(kMaxValueDepth);
    return {"",
            "depth",
            "must not be nested deeper than " + limit + " levels, but is",
            {{"pointer", ""}, {"keyword", "depth"}, {"expected", kMaxValueDepth}}};
}

Issue not_judged() {
    return {"",
            kStoppedKeyword,
            "could not be checked before the call ended",
            {{"pointer", ""}, {"keyword", kStoppedKeyword}}};
}

}  // namespace

void throw_exception_from_error(const CompileError& error, const boost::source_location&) {
    throw std::invalid_argument(error.pointer + ": " + error.message);
}

Schema::Result Schema::compile(const Json& document, const CompileOptions& options) {
    auto program = Compiler(options).run(document);
    if (!program) return program.error();
    return Schema(std::move(*program));
}

bool Schema::valid(const Json& value, const EvaluationLimits* limits) const {
    const auto size = measure(value, kMaxValueDepth);
    if (!size) return false;
    Budget budget(step_limit(*size), limits);
    return Evaluator(*program_, budget).run(value);
}

std::vector<Issue> Schema::validate(const Json& value, std::size_t max_issues,
                                    const EvaluationLimits* limits) const {
    const auto size = measure(value, kMaxValueDepth);
    if (!size) return {too_deep()};
    Budget budget(step_limit(*size), limits);
    Evaluator fast(*program_, budget);
    if (fast.run(value)) return {};
    if (budget.stopped()) return {not_judged()};
    Explainer explainer(*program_, std::max<std::size_t>(max_issues, 1));
    Budget explaining(4 * step_limit(*size), limits);
    Evaluator thorough(*program_, explaining, &explainer);
    thorough.run(value);
    auto issues = explainer.take_issues();
    // The value is known to be invalid; a search that ended early is not a separate issue.
    if (thorough.halted() && !fast.halted() && issues.size() > 1) issues.pop_back();
    return issues;
}

Dialect Schema::dialect() const noexcept {
    return program_->dialect;
}

std::string location_text(const std::vector<Location>& locations, std::uint32_t location) {
    std::vector<const std::string*> tokens;
    while (locations[location].parent != location) {
        tokens.push_back(&locations[location].token);
        location = locations[location].parent;
    }
    const std::string& uri = locations[location].token;
    std::string out = uri.empty() ? uri : uri + "#";
    for (auto token = tokens.rbegin(); token != tokens.rend(); ++token) out += **token;
    return out;
}

std::string location_text(const Program& program, std::uint32_t location) {
    return location_text(program.locations, location);
}

}  // namespace toolhost::schema
