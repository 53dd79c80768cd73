// How each keyword is compiled into a Node. Called by the table in keywords.cpp, after the shapes
// of the values were checked.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "host/schema/survey.hpp"

namespace toolhost::schema {

class Compiler;

// A Node under construction.
class NodeBuilder {
public:
    NodeBuilder(Compiler& compiler, Node& node, PlaceId place)
        : compiler_(compiler), node_(node), place_(place) {}

    // The node's group of rules, created at first use.
    NumberRules& number();
    StringRules& string();
    ArrayRules& array();
    ObjectRules& object();
    ValueRules& values();
    Logic& logic();

    // The node of a subschema that the survey has found.
    const Node* child(const nlohmann::json& schema);
    // The node of another place; compiles it first if necessary.
    const Node* node_at(PlaceId place);
    // Returns null and records an error if the pattern does not compile.
    const Pattern* pattern(const std::string& source, const std::string& suffix);
    std::optional<PlaceId> resolve(std::string_view keyword, const std::string& reference);
    // The index of a name that dynamic references use.
    std::uint32_t dynamic_name(const std::string& name);

    [[nodiscard]] Node& node() { return node_; }
    [[nodiscard]] const Resource& resource() const;
    [[nodiscard]] const Resource& resource_of(PlaceId place) const;
    [[nodiscard]] bool asserts_formats() const;

    // Completes what depends on several keywords.
    void finish();

    const Node* additional_items = nullptr;
    bool items_is_array = false;

private:
    Compiler& compiler_;
    Node& node_;
    PlaceId place_;
};

#define TOOLHOST_SCHEMA_KEYWORD(name) void compile_##name(NodeBuilder&, const nlohmann::json&)
// compile_applicators.cpp
TOOLHOST_SCHEMA_KEYWORD(ref);
TOOLHOST_SCHEMA_KEYWORD(dynamic_ref);
TOOLHOST_SCHEMA_KEYWORD(recursive_ref);
TOOLHOST_SCHEMA_KEYWORD(all_of);
TOOLHOST_SCHEMA_KEYWORD(any_of);
TOOLHOST_SCHEMA_KEYWORD(one_of);
TOOLHOST_SCHEMA_KEYWORD(not );
TOOLHOST_SCHEMA_KEYWORD(if);
TOOLHOST_SCHEMA_KEYWORD(then);
TOOLHOST_SCHEMA_KEYWORD(else);
TOOLHOST_SCHEMA_KEYWORD(properties);
TOOLHOST_SCHEMA_KEYWORD(pattern_properties);
TOOLHOST_SCHEMA_KEYWORD(additional_properties);
TOOLHOST_SCHEMA_KEYWORD(property_names);
TOOLHOST_SCHEMA_KEYWORD(dependent_schemas);
TOOLHOST_SCHEMA_KEYWORD(dependencies);
TOOLHOST_SCHEMA_KEYWORD(prefix_items);
TOOLHOST_SCHEMA_KEYWORD(items);
TOOLHOST_SCHEMA_KEYWORD(additional_items);
TOOLHOST_SCHEMA_KEYWORD(contains);
TOOLHOST_SCHEMA_KEYWORD(unevaluated_items);
TOOLHOST_SCHEMA_KEYWORD(unevaluated_properties);
// compile_assertions.cpp
TOOLHOST_SCHEMA_KEYWORD(type);
TOOLHOST_SCHEMA_KEYWORD(const);
TOOLHOST_SCHEMA_KEYWORD(enum);
TOOLHOST_SCHEMA_KEYWORD(minimum);
TOOLHOST_SCHEMA_KEYWORD(maximum);
TOOLHOST_SCHEMA_KEYWORD(exclusive_minimum);
TOOLHOST_SCHEMA_KEYWORD(exclusive_maximum);
TOOLHOST_SCHEMA_KEYWORD(multiple_of);
TOOLHOST_SCHEMA_KEYWORD(min_length);
TOOLHOST_SCHEMA_KEYWORD(max_length);
TOOLHOST_SCHEMA_KEYWORD(pattern);
TOOLHOST_SCHEMA_KEYWORD(format);
TOOLHOST_SCHEMA_KEYWORD(min_items);
TOOLHOST_SCHEMA_KEYWORD(max_items);
TOOLHOST_SCHEMA_KEYWORD(unique_items);
TOOLHOST_SCHEMA_KEYWORD(min_contains);
TOOLHOST_SCHEMA_KEYWORD(max_contains);
TOOLHOST_SCHEMA_KEYWORD(min_properties);
TOOLHOST_SCHEMA_KEYWORD(max_properties);
TOOLHOST_SCHEMA_KEYWORD(required);
TOOLHOST_SCHEMA_KEYWORD(dependent_required);
#undef TOOLHOST_SCHEMA_KEYWORD

}  // namespace toolhost::schema
