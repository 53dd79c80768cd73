#include "host/schema/collapse.hpp"

namespace toolhost::schema {
namespace {

bool is_only_a_reference(const Node& node) {
    if (node.logic == nullptr || node.logic->ref == nullptr) return false;
    const Logic& logic = *node.logic;
    return node.types == kEveryType && node.values == nullptr && node.number == nullptr &&
           node.string == nullptr && node.array == nullptr && node.object == nullptr &&
           logic.dynamic_refs.empty() && logic.all_of.empty() && logic.any_of.empty() &&
           logic.one_of.empty() && logic.negated == nullptr && logic.condition == nullptr;
}

// Shortens the chain that it follows, so that a long chain is followed only once.
void skip(const Node*& node) {
    const Node* target = node;
    while (target != nullptr && is_only_a_reference(*target)) target = target->logic->ref;
    while (node != target) {
        const Node*& next = node->logic->ref;
        node = next;
        next = target;
    }
}

void skip_all(std::vector<const Node*>& nodes) {
    for (const Node*& node : nodes) skip(node);
}

}  // namespace

void collapse_references(Program& program) {
    // Passing through a resource can change the target of a dynamic reference.
    if (!program.dynamic_names.empty()) return;
    skip(program.root);
    for (Logic& logic : program.logics) {
        for (auto* list : {&logic.all_of, &logic.any_of, &logic.one_of}) skip_all(*list);
        for (auto* node : {&logic.ref, &logic.negated, &logic.condition, &logic.consequence,
                           &logic.alternative}) {
            skip(*node);
        }
        for (DynamicRef& ref : logic.dynamic_refs) skip(ref.initial);
    }
    for (ArrayRules& rules : program.arrays) {
        skip_all(rules.prefix);
        for (auto* node : {&rules.rest, &rules.contains, &rules.unevaluated}) skip(*node);
    }
    for (ObjectRules& rules : program.objects) {
        for (PropertyRule& property : rules.properties) skip(property.node);
        for (PatternRule& pattern : rules.patterns) skip(pattern.node);
        for (DependentRule& dependent : rules.dependents) skip(dependent.node);
        for (auto* node : {&rules.additional, &rules.names, &rules.unevaluated}) skip(*node);
    }
}

}  // namespace toolhost::schema
