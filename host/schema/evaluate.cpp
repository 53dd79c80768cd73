#include "host/schema/evaluate.hpp"

namespace toolhost::schema {
namespace {

// Maximum depth of nodes that apply nodes. A value at the depth limit leaves four applications for
// each of its levels. The frames take about 1 MB of stack in total.
constexpr std::uint32_t kMaxDepth = 2048;

}  // namespace

bool Evaluator::run(const Json& value) {
    const Path root;
    const bool good = evaluate(*program_.root, value, root, nullptr);
    return good && !halted_;
}

bool Evaluator::apply_with(Reporter* reporter, const Node& node, const Json& value,
                           const Path& path) {
    Reporter* const outer = reporter_;
    reporter_ = reporter;
    const bool good = evaluate(node, value, path, nullptr);
    reporter_ = outer;
    return good;
}

bool Evaluator::halt(Rule rule, const Node& node, const Json& value, const Path& path,
                     const Facts& facts) {
    if (!halted_) {
        halted_ = true;
        budget_.use_up();
        if (main_reporter_ != nullptr) {
            main_reporter_->report(*this, rule, node, value, path, facts);
        }
    }
    return false;
}

bool Evaluator::enter(const Node& node, const Json& value, const Path& path, Marks* marks) {
    if (!spend(1, node, value, path)) return false;
    if (depth_ == kMaxDepth) return halt(Rule::depth, node, value, path);
    ++depth_;
    const Scope* const outer = scope_;
    const Scope inner{outer, node.resource};
    if (!program_.dynamic_names.empty() && (outer == nullptr || outer->resource != node.resource)) {
        scope_ = &inner;
    }
    const bool good =
        node.tracks ? apply_tracked(node, value, path, marks) : apply(node, value, path, marks);
    scope_ = outer;
    --depth_;
    return good;
}

bool Evaluator::apply(const Node& node, const Json& value, const Path& path, Marks* marks) {
    const auto type = static_cast<unsigned>(value.type());
    if ((node.types >> type & 1U) == 0 && (node.types & type_bits(value)) == 0) {
        // A wrong type makes all other checks irrelevant.
        fail(node.types == 0 ? Rule::false_schema : Rule::type, node, value, path);
        return false;
    }
    bool good = node.values == nullptr || check_values(node, value, path);
    if (!good && reporter_ == nullptr) return false;
    switch (value.type()) {
        case Json::value_t::object:
            if (node.object != nullptr) good &= check_object(node, value, path, marks);
            break;
        case Json::value_t::array:
            if (node.array != nullptr) good &= check_array(node, value, path, marks);
            break;
        case Json::value_t::string:
            if (node.string != nullptr) {
                good &= check_string(node, value, *value.get_ptr<const std::string*>(), path);
            }
            break;
        case Json::value_t::number_integer:
        case Json::value_t::number_unsigned:
        case Json::value_t::number_float:
            if (node.number != nullptr) good &= check_number(node, value, path);
            break;
        default:
            break;
    }
    if (!good && reporter_ == nullptr) return false;
    return (node.logic == nullptr || check_logic(node, value, path, marks)) && good;
}

// The unevaluated keywords apply to what all other keywords of the node left unevaluated.
bool Evaluator::apply_tracked(const Node& node, const Json& value, const Path& path, Marks* marks) {
    Marks own;
    // For an invalid value, errors about unevaluated parts would only be noise.
    if (!apply(node, value, path, &own)) return false;
    if (value.is_object() && node.object != nullptr && node.object->unevaluated != nullptr &&
        !check_unevaluated_properties(node, value, path, own)) {
        return false;
    }
    if (value.is_array() && node.array != nullptr && node.array->unevaluated != nullptr &&
        !check_unevaluated_items(node, value, path, own)) {
        return false;
    }
    if (marks != nullptr) marks->merge(own);
    return true;
}

bool Evaluator::matches(const Node& node, const Json& value, const Path& path, Marks* marks) {
    Reporter* const outer = reporter_;
    reporter_ = nullptr;
    bool good = false;
    if (marks == nullptr) {
        good = evaluate(node, value, path, nullptr);
    } else {
        Marks own;
        good = evaluate(node, value, path, &own);
        if (good) marks->merge(own);
    }
    reporter_ = outer;
    return good;
}

}  // namespace toolhost::schema
