#include "host/schema/explain.hpp"

#include <algorithm>

#include "host/base/utf8.hpp"
#include "host/schema/describe.hpp"
#include "host/schema/shape.hpp"

namespace toolhost::schema {
namespace {

constexpr std::size_t kExplainedBranches = 8;
constexpr std::size_t kListedBranches = 4;
// For nested anyOf, each level evaluates the lower ones again.
constexpr std::size_t kMaxNesting = 3;
constexpr std::size_t kPointerBytes = 200;
// The cost of writing a message, and of comparing a name with a similar one.
constexpr std::uint64_t kSentenceSteps = 500;
constexpr std::uint64_t kStepsPerName = 20;

std::size_t depth_of(const Path& path) {
    std::size_t depth = 0;
    for (const Path* at = &path; at->parent != nullptr; at = at->parent) ++depth;
    return depth;
}

std::size_t path_bytes(const Path& path) {
    std::size_t bytes = 0;
    for (const Path* at = &path; at->parent != nullptr; at = at->parent) {
        bytes += at->key != nullptr ? at->key->size() : 1;
    }
    return bytes;
}

// The number of names that the message compares with a misspelled one.
std::size_t names_compared(Rule rule, const Node& node) {
    std::size_t names = 0;
    if (rule == Rule::enumeration) names = node.values->allowed->values().size();
    const bool of_properties = rule == Rule::required || rule == Rule::additional_properties ||
                               rule == Rule::unevaluated_properties;
    if (of_properties) names = node.object->properties.size();
    return std::min(names, kMaxComparedNames);
}

// The place as the message names it; empty for the whole value.
std::string place_text(const std::string& pointer) {
    if (pointer.empty()) return "";
    if (pointer.size() <= kPointerBytes) return pointer;
    return std::string(fitting_characters(pointer, kPointerBytes)) + "…";
}

}  // namespace

std::string pointer_text(const Path& path) {
    std::vector<const Path*> links;
    for (const Path* at = &path; at->parent != nullptr; at = at->parent) links.push_back(at);
    std::string out;
    for (auto link = links.rbegin(); link != links.rend(); ++link) {
        const Path& at = **link;
        out += at.key != nullptr ? pointer_token(*at.key) : pointer_token(at.index);
    }
    return out;
}

bool Explainer::report(Evaluator& evaluator, Rule rule, const Node& node, const Json& value,
                       const Path& path, const Facts& facts) {
    if (full()) return false;
    // An error that ends the run is always reported.
    if (rule < Rule::pattern_cost) {
        const std::uint64_t steps = kSentenceSteps + kStepsPerName * names_compared(rule, node) +
                                    path_bytes(path) / Budget::kBytesPerStep;
        if (!evaluator.spend(steps, node, value, path)) return false;
    }
    const bool branches = rule == Rule::any_of || rule == Rule::one_of_none;
    if (branches && nesting_ < kMaxNesting) {
        return explain_branches(evaluator, rule, node, value, path, facts);
    }
    add(rule, node, value, path, facts, write_sentence(rule, node, value, facts));
    return !full();
}

void Explainer::add(Rule rule, const Node& node, const Json& value, const Path& path,
                    const Facts& facts, Sentence sentence) {
    Issue issue;
    issue.pointer = pointer_text(path);
    issue.keyword = facts.keyword != nullptr ? facts.keyword : std::string(rule_keyword(rule));
    const auto place = place_text(issue.pointer);
    issue.message = place + (place.empty() ? "" : ": ") + sentence.must + sentence.but;
    const std::string suffix = rule == Rule::false_schema || rule >= Rule::depth
                                   ? std::string()
                                   : pointer_token(issue.keyword);
    issue.details = {{"pointer", issue.pointer},
                     {"keyword", issue.keyword},
                     {"schemaPointer", location_text(program_, node.location) + suffix},
                     {"expected", sentence.expected},
                     {"actual", short_json(value)},
                     {"type", type_name(value)}};
    issue.details.update(sentence.extra);
    found_.push_back({rule, &node, depth_of(path), std::move(sentence), std::move(issue)});
}

bool Explainer::is_other_kind(std::size_t depth) const {
    return std::any_of(found_.begin(), found_.end(), [&](const Found& one) {
        const bool by_value = one.rule == Rule::constant || one.rule == Rule::enumeration;
        const bool by_type = one.rule == Rule::type || one.rule == Rule::false_schema;
        return (by_type && one.depth == depth) || (by_value && one.depth <= depth + 1);
    });
}

// Describes a value that would fit: the types, if only they differ; the errors of the one branch
// that was evidently meant; otherwise a short description of each branch.
bool Explainer::explain_branches(Evaluator& evaluator, Rule rule, const Node& node,
                                 const Json& value, const Path& path, const Facts& facts) {
    const std::size_t depth = depth_of(path);
    const auto& branches = *facts.branches;
    std::vector<Explainer> tried;
    for (std::size_t i = 0; i < std::min(branches.size(), kExplainedBranches); ++i) {
        tried.emplace_back(program_, max_issues_ - found_.size(), nesting_ + 1);
        evaluator.apply_with(&tried.back(), *branches[i], value, path);
        if (evaluator.halted()) return false;
    }
    Sentence sentence = write_sentence(rule, node, value, facts);
    const bool all_tried = tried.size() == branches.size();
    const bool only_types =
        all_tried && std::all_of(tried.begin(), tried.end(), [&](const Explainer& one) {
            return one.found_.size() == 1 && one.found_[0].rule == Rule::type &&
                   one.found_[0].depth == depth;
        });
    const auto missing = [&](const Explainer& one) {
        return one.found_.empty() || one.is_other_kind(depth);
    };
    if (only_types) {
        TypeSet types = 0;
        for (const Explainer& one : tried) types |= one.found_[0].node->types;
        sentence.must = "must be " + type_phrase(types);
        sentence.expected = type_phrase(types);
    } else if (all_tried && std::count_if(tried.begin(), tried.end(), missing) ==
                                static_cast<std::ptrdiff_t>(tried.size()) - 1) {
        auto& meant = *std::find_if_not(tried.begin(), tried.end(), missing);
        for (Found& one : meant.found_) {
            if (!full()) found_.push_back(std::move(one));
        }
        return !full();
    } else {
        sentence.expected = Json::array();
        for (std::size_t i = 0; i < tried.size() && !tried[i].found_.empty(); ++i) {
            const Found& first = tried[i].found_.front();
            const std::string where =
                first.depth == depth ? std::string() : place_text(first.issue.pointer) + ": ";
            sentence.expected.push_back(where + first.sentence.must);
            if (i >= kListedBranches) continue;
            sentence.must += (i == 0 ? ": (" : "; (") + std::to_string(i + 1) + ") " + where +
                             first.sentence.must;
        }
    }
    add(rule, node, value, path, facts, std::move(sentence));
    return !full();
}

std::vector<Issue> Explainer::take_issues() {
    std::vector<Issue> issues;
    issues.reserve(found_.size());
    for (Found& one : found_) issues.push_back(std::move(one.issue));
    found_.clear();
    return issues;
}

}  // namespace toolhost::schema
