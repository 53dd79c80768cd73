// References and composition: schemas that apply to the value itself.
#include "host/schema/evaluate.hpp"

namespace toolhost::schema {

// The outermost resource on the path that has the anchor, or else the initial target.
const Node* Evaluator::dynamic_target(const DynamicRef& ref) {
    const Node* target = ref.initial;
    if (ref.name == kNoDynamicName) return target;
    // The loop below takes as many steps as the path is long. Exhaustion is noticed when the target
    // is entered.
    (void)budget_.take(depth_ / kElementsPerStep);
    for (const Scope* scope = scope_; scope != nullptr; scope = scope->outer) {
        const auto found =
            program_.dynamic_anchors.find(Program::anchor_key(scope->resource, ref.name));
        if (found != program_.dynamic_anchors.end()) target = found->second;
    }
    return target;
}

bool Evaluator::check_logic(const Node& node, const Json& value, const Path& path, Marks* marks) {
    const Logic& logic = *node.logic;
    bool good = true;
    const auto must = [&](const Node& other) {
        good = evaluate(other, value, path, marks) && good;
        return good || reporter_ != nullptr;
    };
    if (logic.ref != nullptr && !must(*logic.ref)) return false;
    for (const DynamicRef& ref : logic.dynamic_refs) {
        if (!must(*dynamic_target(ref))) return false;
    }
    for (const Node* one : logic.all_of) {
        if (!must(*one)) return false;
    }
    if (!logic.any_of.empty() && !check_any_of(node, value, path, marks)) {
        if (reporter_ == nullptr) return false;
        good = false;
    }
    if (!logic.one_of.empty() && !check_one_of(node, value, path, marks)) {
        if (reporter_ == nullptr) return false;
        good = false;
    }
    if (logic.negated != nullptr && matches(*logic.negated, value, path, nullptr)) {
        if (!fail(Rule::negation, node, value, path)) return false;
        good = false;
    }
    return (logic.condition == nullptr || check_condition(logic, value, path, marks)) && good;
}

bool Evaluator::check_any_of(const Node& node, const Json& value, const Path& path, Marks* marks) {
    bool any = false;
    for (const Node* branch : node.logic->any_of) {
        any = matches(*branch, value, path, marks) || any;
        if (any && marks == nullptr) return true;  // otherwise later branches may mark more
    }
    if (!any) fail(Rule::any_of, node, value, path, {.branches = &node.logic->any_of});
    return any;
}

bool Evaluator::check_one_of(const Node& node, const Json& value, const Path& path, Marks* marks) {
    const auto& branches = node.logic->one_of;
    Facts facts{.branches = &branches};
    std::size_t fitting = 0;
    for (std::size_t i = 0; i < branches.size() && fitting < 2; ++i) {
        if (!matches(*branches[i], value, path, marks)) continue;
        (fitting == 0 ? facts.first : facts.second) = i;
        ++fitting;
    }
    if (fitting == 1) return true;
    fail(fitting == 0 ? Rule::one_of_none : Rule::one_of_many, node, value, path, facts);
    return false;
}

bool Evaluator::check_condition(const Logic& logic, const Json& value, const Path& path,
                                Marks* marks) {
    const bool holds = matches(*logic.condition, value, path, marks);
    const Node* next = holds ? logic.consequence : logic.alternative;
    return next == nullptr || evaluate(*next, value, path, marks);
}

}  // namespace toolhost::schema
