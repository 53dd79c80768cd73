#include "host/schema/schema.hpp"

#include <algorithm>
#include <stdexcept>

#include "host/schema/compile.hpp"
#include "host/schema/depth.hpp"
#include "host/schema/evaluate.hpp"
#include "host/schema/explain.hpp"
#include "host/schema/shape.hpp"

namespace toolhost::schema {
namespace {

// How often nodes may be applied in one validation: enough for any honest schema, and a bounded
// time for one that multiplies its branches.
std::uint64_t step_limit(std::size_t value_size) {
    constexpr std::uint64_t base = 1'000'000;
    constexpr std::uint64_t per_value = 64;
    return base + per_value * value_size;
}

Issue too_deep() {
    const std::string limit = std::to_string(max_value_depth);
    return {"",
            "depth",
            "the value: must not be nested deeper than " + limit + " levels, but is",
            {{"pointer", ""}, {"keyword", "depth"}, {"expected", max_value_depth}}};
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

bool Schema::valid(const Json& value) const {
    const auto size = measure(value, max_value_depth);
    return size && Evaluator(*program_, step_limit(*size)).run(value);
}

std::vector<Issue> Schema::validate(const Json& value, std::size_t max_issues) const {
    const auto size = measure(value, max_value_depth);
    if (!size) return {too_deep()};
    Evaluator fast(*program_, step_limit(*size));
    if (fast.run(value)) return {};
    Explainer explainer(*program_, std::max<std::size_t>(max_issues, 1));
    Evaluator thorough(*program_, 4 * step_limit(*size), &explainer);
    thorough.run(value);
    auto issues = explainer.take_issues();
    // The value is known to be wrong; that looking for more had to end is no issue of its own.
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
