// Applies a Program to a value. Without a reporter it stops at the first error, and allocates
// nothing for a valid value. With a reporter it reports all errors.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/schema/budget.hpp"
#include "host/schema/marks.hpp"
#include "host/schema/program.hpp"

namespace toolhost::schema {

// The path to the current value, one link per level, on the stack of the recursion.
struct Path {
    const Path* parent = nullptr;
    const std::string* key = nullptr;  // null for an item
    std::size_t index = 0;
};

// All ways in which a value can be invalid; explain.cpp has the messages.
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
    // The value was not fully checked:
    pattern_cost,
    depth,
    cost,
    stopped,
};

// What a message contains besides the node and the value.
struct Facts {
    const std::string* name = nullptr;  // the property concerned
    std::size_t first = 0, second = 0;  // counts or indexes
    const std::vector<const Node*>* branches = nullptr;
    const Pattern* pattern = nullptr;
    const char* keyword = nullptr;         // set if the rule belongs to several keywords
    const std::string* trigger = nullptr;  // the property whose presence requires `name`
};

class Evaluator;

class Reporter {
public:
    virtual ~Reporter() = default;
    // Returns whether to continue after this error.
    virtual bool report(Evaluator& evaluator, Rule rule, const Node& node, const Json& value,
                        const Path& path, const Facts& facts) = 0;
};

class Evaluator {
public:
    Evaluator(const Program& program, Budget& budget, Reporter* reporter = nullptr)
        : program_(program), reporter_(reporter), main_reporter_(reporter), budget_(budget) {}

    bool run(const Json& value);

    // Applies one node with another reporter as part of this run, to explain an error.
    bool apply_with(Reporter* reporter, const Node& node, const Json& value, const Path& path);

    [[nodiscard]] bool halted() const noexcept { return halted_; }

    // Takes steps for work on this value. Returns false if the run is halted.
    bool spend(std::uint64_t steps, const Node& node, const Json& value, const Path& path) {
        return budget_.take(steps) || halt_for_cost(node, value, path);
    }

private:
    // The resources that evaluation is in, innermost first: the search path of dynamic references.
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

    // Evaluates silently, for branches that may fail. Marks are kept only on success.
    bool matches(const Node& node, const Json& value, const Path& path, Marks* marks);
    bool search(const Pattern& pattern, const std::string& text, const char* keyword,
                const Node& node, const Json& value, const Path& path);

    // Reports an error. Returns whether to continue; always false without a reporter.
    bool fail(Rule rule, const Node& node, const Json& value, const Path& path,
              const Facts& facts = {}) {
        return reporter_ != nullptr && reporter_->report(*this, rule, node, value, path, facts);
    }
    // Ends the run: errors reported after this are meaningless.
    bool halt(Rule rule, const Node& node, const Json& value, const Path& path,
              const Facts& facts = {});
    bool halt_for_cost(const Node& node, const Json& value, const Path& path) {
        return halt(budget_.stopped() ? Rule::stopped : Rule::cost, node, value, path);
    }

    const Program& program_;
    Reporter* reporter_;       // of the current part; null where failure is silent
    Reporter* main_reporter_;  // of the run
    Budget& budget_;
    std::uint32_t depth_ = 0;
    bool halted_ = false;
    const Scope* scope_ = nullptr;
};

}  // namespace toolhost::schema
