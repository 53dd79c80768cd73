// Applies a Program to a value. Without a reporter it stops at the first thing that is wrong and
// allocates nothing while all is right; with one it goes on and reports.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/schema/budget.hpp"
#include "host/schema/marks.hpp"
#include "host/schema/program.hpp"

namespace toolhost::schema {

// The way to the value at hand, a link per level, on the stack of those who descend.
struct Path {
    const Path* parent = nullptr;
    const std::string* key = nullptr;  // null: an item
    std::size_t index = 0;
};

// Every way a value can be wrong; explain.cpp has the sentences.
enum class Rule : std::uint8_t {
    false_schema,
    type,
    constant,
    enumeration,
    minimum,
    maximum,
    exclusive_minimum,
    exclusive_maximum,
    multiple_of,
    min_length,
    max_length,
    pattern,
    format,
    min_items,
    max_items,
    unique_items,
    min_contains,
    max_contains,
    min_properties,
    max_properties,
    required,
    dependent_required,
    additional_properties,
    property_names,
    unevaluated_properties,
    additional_items,
    unevaluated_items,
    any_of,
    one_of_none,
    one_of_many,
    negation,
    // The value was not judged:
    pattern_cost,
    depth,
    cost,
    stopped,
};

// What a sentence needs besides the node and the value.
struct Facts {
    const std::string* name = nullptr;  // the property concerned
    std::size_t first = 0, second = 0;  // counts or indexes
    const std::vector<const Node*>* branches = nullptr;
    const Pattern* pattern = nullptr;
    const char* keyword = nullptr;         // where the rule has more than one
    const std::string* trigger = nullptr;  // the property whose presence asks for `name`
};

class Evaluator;

class Reporter {
public:
    virtual ~Reporter() = default;
    // Whether to go on looking for more.
    virtual bool report(Evaluator& evaluator, Rule rule, const Node& node, const Json& value,
                        const Path& path, const Facts& facts) = 0;
};

class Evaluator {
public:
    Evaluator(const Program& program, Budget& budget, Reporter* reporter = nullptr)
        : program_(program), reporter_(reporter), main_reporter_(reporter), budget_(budget) {}

    bool run(const Json& value);

    // Applies one node with another reporter, as part of this run. For explanations.
    bool apply_with(Reporter* reporter, const Node& node, const Json& value, const Path& path);

    [[nodiscard]] bool halted() const noexcept { return halted_; }

    // Takes steps for work on this value; false: the run is halted.
    bool spend(std::uint64_t steps, const Node& node, const Json& value, const Path& path) {
        return budget_.take(steps) || halt_for_cost(node, value, path);
    }

private:
    // The resources that evaluation is in, innermost first: what dynamic references look through.
    struct Scope {
        const Scope* outer;
        std::uint32_t resource;
    };

    bool evaluate(const Node& node, const Json& value, const Path& path, Marks* marks) {
        return node.accepts_all || enter(node, value, path, marks);
    }
    bool enter(const Node& node, const Json& value, const Path& path, Marks* marks);
    bool apply(const Node& node, const Json& value, const Path& path, Marks* marks);
    bool apply_tracked(const Node& node, const Json& value, const Path& path, Marks* marks);

    // evaluate_scalar.cpp
    bool check_values(const Node& node, const Json& value, const Path& path);
    bool check_number(const Node& node, const Json& value, const Path& path);
    bool check_string(const Node& node, const Json& value, const std::string& text,
                      const Path& path);

    // evaluate_logic.cpp
    bool check_logic(const Node& node, const Json& value, const Path& path, Marks* marks);
    bool check_any_of(const Node& node, const Json& value, const Path& path, Marks* marks);
    bool check_one_of(const Node& node, const Json& value, const Path& path, Marks* marks);
    bool check_condition(const Logic& logic, const Json& value, const Path& path, Marks* marks);
    const Node* dynamic_target(const DynamicRef& ref);

    // evaluate_array.cpp
    bool check_array(const Node& node, const Json& value, const Path& path, Marks* marks);
    bool check_contains(const Node& node, const Json& value, const Path& path, Marks* marks);
    bool check_unevaluated_items(const Node& node, const Json& value, const Path& path,
                                 Marks& marks);

    // evaluate_object.cpp
    bool check_object(const Node& node, const Json& value, const Path& path, Marks* marks);
    bool check_members(const Node& node, const Json& value, const Path& path, Marks* marks);
    bool check_required(const Node& node, const Json& value, const Path& path);
    bool check_name(const Node& node, const Json& value, const std::string& name, const Path& path);
    bool check_dependents(const Node& node, const Json& value, const Path& path, Marks* marks);
    bool check_unevaluated_properties(const Node& node, const Json& value, const Path& path,
                                      Marks& marks);

    // Evaluates silently: for branches that may fail. Marks count only if it succeeds.
    bool matches(const Node& node, const Json& value, const Path& path, Marks* marks);
    bool search(const Pattern& pattern, const std::string& text, const char* keyword,
                const Node& node, const Json& value, const Path& path);

    // Reports. True: go on, to find more. Always false without a reporter.
    bool fail(Rule rule, const Node& node, const Json& value, const Path& path,
              const Facts& facts = {}) {
        return reporter_ != nullptr && reporter_->report(*this, rule, node, value, path, facts);
    }
    // Ends the run: nothing that is still said about the value means anything.
    bool halt(Rule rule, const Node& node, const Json& value, const Path& path,
              const Facts& facts = {});
    bool halt_for_cost(const Node& node, const Json& value, const Path& path) {
        return halt(budget_.stopped() ? Rule::stopped : Rule::cost, node, value, path);
    }

    const Program& program_;
    Reporter* reporter_;       // of the part at hand; null where it may fail silently
    Reporter* main_reporter_;  // of the run
    Budget& budget_;
    std::uint32_t depth_ = 0;
    bool halted_ = false;
    const Scope* scope_ = nullptr;
};

}  // namespace toolhost::schema
