// Collects issues with messages that a model can act on.
#pragma once

#include <vector>

#include "host/schema/evaluate.hpp"
#include "host/schema/sentences.hpp"

namespace toolhost::schema {

class Explainer final : public Reporter {
public:
    Explainer(const Program& program, std::size_t max_issues, std::size_t nesting = 0)
        : program_(program), max_issues_(max_issues), nesting_(nesting) {}

    bool report(Evaluator& evaluator, Rule rule, const Node& node, const Json& value,
                const Path& path, const Facts& facts) override;

    [[nodiscard]] std::vector<Issue> take_issues();

private:
    struct Found {
        Rule rule;
        const Node* node;
        std::size_t depth;  // of the value concerned
        Sentence sentence;
        Issue issue;
    };

    void add(Rule rule, const Node& node, const Json& value, const Path& path, const Facts& facts,
             Sentence sentence);
    bool explain_branches(Evaluator& evaluator, Rule rule, const Node& node, const Json& value,
                          const Path& path, const Facts& facts);
    [[nodiscard]] bool full() const { return found_.size() >= max_issues_; }
    // Whether the branch is meant for something else: another type, another constant.
    [[nodiscard]] bool is_other_kind(std::size_t depth) const;

    const Program& program_;
    std::size_t max_issues_;
    std::size_t nesting_;  // of explanations in explanations
    std::vector<Found> found_;
};

// JSON Pointer of the value at the end of the path.
[[nodiscard]] std::string pointer_text(const Path& path);

}  // namespace toolhost::schema
