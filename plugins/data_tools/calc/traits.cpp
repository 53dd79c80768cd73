#include <algorithm>
#include <cmath>

#include "calc/cost.hpp"

namespace data_tools::calc {
namespace {

constexpr int small_power = 64;

bool small_whole(const Node& node) {
    const Node& n = node.kind == Kind::negate ? *node.args[0] : node;
    return n.kind == Kind::integer && n.text.size() <= 2 && std::stoi(n.text) <= small_power;
}

void gather(const Node& node, Traits& traits) {
    for (const NodePtr& arg : node.args) gather(*arg, traits);
    switch (node.kind) {
        case Kind::decimal:
            traits.decimal = true;
            break;
        case Kind::symbol:
            traits.symbolic = true;
            break;
        case Kind::constant:
            traits.rational = false;
            traits.infinite = traits.infinite || std::isinf(node.constant->value);
            break;
        case Kind::factorial:
            traits.rational = false;
            break;
        case Kind::power:
            if (!small_whole(*node.args[1])) traits.rational = false;
            break;
        case Kind::call:
            if (!node.function->rational) traits.rational = false;
            break;
        default:
            break;
    }
}

// The largest power that a simplification could multiply out.
int largest_power(const Node& node) {
    int most = 0;
    for (const NodePtr& arg : node.args) most = std::max(most, largest_power(*arg));
    if (node.kind == Kind::power && node.args[0]->size > 1) {
        const Node& exponent = *node.args[1];
        most = std::max(most, small_whole(exponent) && exponent.kind == Kind::integer
                                  ? std::stoi(exponent.text)
                                  : small_power);
    }
    return most;
}

}  // namespace

Traits traits_of(const Node& root) {
    Traits traits;
    gather(root, traits);
    traits.symbolic_power = largest_power(root);
    return traits;
}

}  // namespace data_tools::calc
