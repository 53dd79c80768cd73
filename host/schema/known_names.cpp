#include "host/schema/known_names.hpp"

#include "host/schema/describe.hpp"

namespace toolhost::schema {

std::set<std::string_view> known_names(const Node& start) {
    constexpr std::size_t kMaxNodes = 64;  // enough for a hint
    constexpr std::size_t kMaxNames = kMaxComparedNames;
    std::set<std::string_view> names;
    std::vector<const Node*> nodes{&start};
    const auto add = [&](const Node* node) {
        if (node != nullptr && nodes.size() < kMaxNodes) nodes.push_back(node);
    };
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const Node& node = *nodes[i];
        if (node.object != nullptr) {
            for (const PropertyRule& rule : node.object->properties) {
                if (names.size() == kMaxNames) break;
                const bool allowed = rule.node != nullptr && rule.node->types != 0;
                if (allowed) names.insert(rule.name);
            }
            for (const DependentRule& rule : node.object->dependents) add(rule.node);
        }
        if (node.logic == nullptr) continue;
        add(node.logic->ref);
        for (const DynamicRef& ref : node.logic->dynamic_refs) add(ref.initial);
        for (const auto* list : {&node.logic->all_of, &node.logic->any_of, &node.logic->one_of}) {
            for (const Node* one : *list) add(one);
        }
        add(node.logic->consequence);
        add(node.logic->alternative);
    }
    return names;
}

}  // namespace toolhost::schema
