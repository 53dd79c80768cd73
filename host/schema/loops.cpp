#include "host/schema/loops.hpp"

#include <algorithm>
#include <unordered_map>

namespace toolhost::schema {
namespace {

// The nodes that a node applies to its own value.
std::vector<const Node*> applied_in_place(const Node& node) {
    std::vector<const Node*> targets;
    const auto add = [&](const Node* target) {
        if (target != nullptr) targets.push_back(target);
    };
    if (const Logic* logic = node.logic) {
        add(logic->ref);
        for (const DynamicRef& ref : logic->dynamic_refs) {
            if (ref.name == kNoDynamicName) add(ref.initial);
        }
        for (const auto* list : {&logic->all_of, &logic->any_of, &logic->one_of}) {
            for (const Node* one : *list) add(one);
        }
        add(logic->negated);
        add(logic->condition);
        if (logic->condition != nullptr) {
            add(logic->consequence);
            add(logic->alternative);
        }
    }
    if (node.object != nullptr) {
        for (const DependentRule& rule : node.object->dependents) add(rule.node);
    }
    return targets;
}

enum class State : char { untouched, open, done };

}  // namespace

// Depth-first with an explicit stack: a chain of references may be as long as the document.
std::optional<std::uint32_t> find_loop(const Program& program) {
    struct Frame {
        const Node* node;
        std::vector<const Node*> targets;
    };
    std::unordered_map<const Node*, State> states;
    std::vector<Frame> stack;
    for (const Node& start : program.nodes) {
        if (states[&start] != State::untouched) continue;
        states[&start] = State::open;
        stack.push_back({&start, applied_in_place(start)});
        while (!stack.empty()) {
            Frame& top = stack.back();
            if (top.targets.empty()) {
                states[top.node] = State::done;
                stack.pop_back();
                continue;
            }
            const Node* next = top.targets.back();
            top.targets.pop_back();
            State& state = states[next];
            if (state == State::open) return next->location;
            if (state == State::done) continue;
            state = State::open;
            stack.push_back({next, applied_in_place(*next)});
        }
    }
    return std::nullopt;
}

}  // namespace toolhost::schema
