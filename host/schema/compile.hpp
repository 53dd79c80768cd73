// Compiles a surveyed document to a Program: takes places from a queue and compiles each into one
// Node, until every referenced place has its node.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "host/schema/program.hpp"
#include "host/schema/survey.hpp"

namespace toolhost::schema {

class Compiler {
public:
    explicit Compiler(const CompileOptions& options);

    boost::system::result<std::shared_ptr<const Program>, CompileError> run(const Json& document);

private:
    friend class NodeBuilder;

    Node* node_at(PlaceId place);
    void compile_queued();
    void compile_place(PlaceId place);
    void collect_dynamic_anchors();

    const CompileOptions& options_;
    std::shared_ptr<Program> program_;
    Survey survey_;
    std::vector<Node*> nodes_;  // by place; null if not needed yet
    std::vector<PlaceId> queue_;
    std::vector<bool> entered_;  // by resource: it has nodes
    std::unordered_map<std::string, std::uint32_t> dynamic_names_;
    std::unordered_map<std::string, const Pattern*> patterns_;
    std::size_t pattern_bytes_ = 0;  // of all compiled patterns
};

}  // namespace toolhost::schema
