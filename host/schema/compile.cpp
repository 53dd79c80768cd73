#include "host/schema/compile.hpp"

#include <algorithm>

#include "host/schema/collapse.hpp"
#include "host/schema/compile_keywords.hpp"
#include "host/schema/describe.hpp"
#include "host/schema/keywords.hpp"
#include "host/schema/loops.hpp"

namespace toolhost::schema {

Compiler::Compiler(const CompileOptions& options)
    : options_(options),
      program_(std::make_shared<Program>()),
      survey_(options, program_->locations) {}

boost::system::result<std::shared_ptr<const Program>, CompileError> Compiler::run(
    const Json& document) {
    DialectProfile fallback;
    fallback.dialect = options_.default_dialect;
    if (!survey_.add_document(document, "", fallback)) return *survey_.error();
    program_->dialect = survey_.resource_of(0).profile.dialect;
    // Compiles the whole document, so that a mistake in an unused definition is found too. Of other
    // documents only the referenced parts are compiled.
    for (auto place = static_cast<PlaceId>(survey_.place_count()); place-- > 0;) node_at(place);
    compile_queued();
    collect_dynamic_anchors();
    if (survey_.error()) return *survey_.error();
    program_->root = nodes_[0];
    if (const auto loop = find_loop(*program_)) {
        return CompileError{location_text(*program_, *loop),
                            "refers to itself without descending into the value"};
    }
    collapse_references(*program_);
    return std::shared_ptr<const Program>(std::move(program_));
}

Node* Compiler::node_at(PlaceId place) {
    if (place >= nodes_.size()) nodes_.resize(survey_.place_count());
    if (nodes_[place] == nullptr) {
        Node& node = program_->nodes.emplace_back();
        node.resource = survey_.place(place).resource;
        node.location = place;
        nodes_[place] = &node;
        queue_.push_back(place);
        if (node.resource >= entered_.size()) entered_.resize(survey_.resources().size());
        if (!entered_[node.resource]) {
            entered_[node.resource] = true;
            for (const auto& anchor : survey_.resource_of(place).dynamic_anchors) {
                node_at(anchor.second);
            }
        }
    }
    return nodes_[place];
}

void Compiler::compile_queued() {
    while (!queue_.empty() && !survey_.error()) {
        const PlaceId place = queue_.back();
        queue_.pop_back();
        compile_place(place);
    }
}

void Compiler::compile_place(PlaceId place) {
    Node& node = *nodes_[place];
    const Json& schema = *survey_.place(place).schema;
    if (schema.is_boolean()) {
        node.accepts_all = schema.get<bool>();
        if (!node.accepts_all) node.types = 0;
        return;
    }
    const DialectProfile profile = survey_.resource_of(place).profile;
    NodeBuilder builder(*this, node, place);
    // Up to draft 7, `$ref` disables all keywords beside it.
    const bool only_ref = profile.dialect == Dialect::draft7 && schema.contains("$ref");
    for (const auto& [name, value] : schema.get_ref<const Json::object_t&>()) {
        if (only_ref && name != "$ref") continue;
        const Keyword* keyword = find_keyword(name, profile);
        if (keyword != nullptr && keyword->compile != nullptr) keyword->compile(builder, value);
        if (survey_.error()) return;
    }
    builder.finish();
}

// The target of a dynamic reference is known only during evaluation, so every resource that
// evaluation can enter has the nodes of its anchors (see node_at). This assigns their index.
void Compiler::collect_dynamic_anchors() {
    if (program_->dynamic_names.empty()) return;
    for (std::uint32_t resource = 0; resource < entered_.size(); ++resource) {
        if (!entered_[resource]) continue;
        for (const auto& [name, place] : survey_.resources()[resource].dynamic_anchors) {
            const auto used = dynamic_names_.find(name);
            if (used == dynamic_names_.end() || place >= nodes_.size()) continue;
            if (const Node* node = nodes_[place]) {
                program_->dynamic_anchors.emplace(Program::anchor_key(resource, used->second),
                                                  node);
            }
        }
    }
}

namespace {

template <typename Rules>
Rules& made(Rules*& rules, std::deque<Rules>& all) {
    if (rules == nullptr) rules = &all.emplace_back();
    return *rules;
}

}  // namespace

NumberRules& NodeBuilder::number() {
    return made(node_.number, compiler_.program_->numbers);
}
StringRules& NodeBuilder::string() {
    return made(node_.string, compiler_.program_->strings);
}
ArrayRules& NodeBuilder::array() {
    return made(node_.array, compiler_.program_->arrays);
}
ObjectRules& NodeBuilder::object() {
    return made(node_.object, compiler_.program_->objects);
}
ValueRules& NodeBuilder::values() {
    return made(node_.values, compiler_.program_->values);
}
Logic& NodeBuilder::logic() {
    return made(node_.logic, compiler_.program_->logics);
}

const Node* NodeBuilder::child(const Json& schema) {
    return compiler_.node_at(compiler_.survey_.find_place(schema).value());
}

const Node* NodeBuilder::node_at(PlaceId place) {
    return compiler_.node_at(place);
}

std::optional<PlaceId> NodeBuilder::resolve(std::string_view keyword,
                                            const std::string& reference) {
    return compiler_.survey_.resolve(place_, keyword, reference);
}

const Resource& NodeBuilder::resource() const {
    return compiler_.survey_.resource_of(place_);
}

const Resource& NodeBuilder::resource_of(PlaceId place) const {
    return compiler_.survey_.resource_of(place);
}

bool NodeBuilder::asserts_formats() const {
    return compiler_.options_.assert_formats || resource().profile.assert_formats;
}

std::uint32_t NodeBuilder::dynamic_name(const std::string& name) {
    auto& names = compiler_.program_->dynamic_names;
    const auto next = static_cast<std::uint32_t>(names.size());
    const auto [at, added] = compiler_.dynamic_names_.emplace(name, next);
    if (added) names.push_back(name);
    return at->second;
}

const Pattern* NodeBuilder::pattern(const std::string& source, const std::string& suffix) {
    const auto known = compiler_.patterns_.find(source);
    if (known != compiler_.patterns_.end()) return known->second;
    if (source.size() > compiler_.options_.max_pattern_bytes) {
        compiler_.survey_.fail(place_, suffix,
                               "is a pattern longer than the limit of " +
                                   std::to_string(compiler_.options_.max_pattern_bytes) + " bytes");
        return nullptr;
    }
    auto compiled = Pattern::compile(source);
    if (!compiled) {
        compiler_.survey_.fail(place_, suffix,
                               "must be a regular expression (ECMA-262), but " + quote(source) +
                                   " has " + compiled.error().message);
        return nullptr;
    }
    compiler_.pattern_bytes_ += compiled->compiled_bytes();
    if (compiler_.pattern_bytes_ > compiler_.options_.max_compiled_pattern_bytes) {
        compiler_.survey_.fail(place_, suffix,
                               "exceeds the memory limit for compiled patterns of " +
                                   std::to_string(compiler_.options_.max_compiled_pattern_bytes) +
                                   " bytes");
        return nullptr;
    }
    const Pattern* pattern = &compiler_.program_->patterns.emplace_back(std::move(*compiled));
    compiler_.patterns_.emplace(source, pattern);
    return pattern;
}

void NodeBuilder::finish() {
    if (items_is_array) {
        array().rest = additional_items;
        array().rest_keyword = "additionalItems";
    }
    if (ObjectRules* rules = node_.object) {
        auto& all = rules->properties;
        std::stable_sort(all.begin(), all.end(),
                         [](const auto& a, const auto& b) { return a.name < b.name; });
        std::vector<PropertyRule> merged;
        merged.reserve(all.size());
        for (PropertyRule& one : all) {
            if (merged.empty() || merged.back().name != one.name) {
                merged.push_back(std::move(one));
            } else {
                if (one.node != nullptr) merged.back().node = one.node;
                merged.back().required = merged.back().required || one.required;
            }
        }
        all = std::move(merged);
    }
    node_.accepts_all = node_.types == kEveryType && node_.values == nullptr &&
                        node_.number == nullptr && node_.string == nullptr &&
                        node_.array == nullptr && node_.object == nullptr && node_.logic == nullptr;
}

}  // namespace toolhost::schema
