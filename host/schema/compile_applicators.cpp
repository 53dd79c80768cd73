// Keywords that apply other schemas: to the value itself, its members or its items.
#include "host/schema/compile_keywords.hpp"
#include "host/schema/shape.hpp"
#include "host/schema/uri.hpp"

namespace toolhost::schema {
namespace {

void add_children(NodeBuilder& builder, const Json& schemas, std::vector<const Node*>& nodes) {
    for (const Json& schema : schemas) nodes.push_back(builder.child(schema));
}

}  // namespace

void compile_ref(NodeBuilder& builder, const Json& value) {
    if (const auto place = builder.resolve("$ref", value.get_ref<const std::string&>())) {
        builder.logic().ref = builder.node_at(*place);
    }
}

// Dynamic only if it initially leads to a $dynamicAnchor of the same name; otherwise a plain
// `$ref`.
void compile_dynamic_ref(NodeBuilder& builder, const Json& value) {
    const auto& reference = value.get_ref<const std::string&>();
    const auto place = builder.resolve("$dynamicRef", reference);
    if (!place) return;
    DynamicRef ref{kNoDynamicName, builder.node_at(*place), "$dynamicRef"};
    const std::string name = percent_decode(split_fragment(reference).fragment);
    const auto& anchors = builder.resource_of(*place).dynamic_anchors;
    const auto anchor = anchors.find(name);
    if (anchor != anchors.end() && anchor->second == *place) ref.name = builder.dynamic_name(name);
    builder.logic().dynamic_refs.push_back(ref);
}

void compile_recursive_ref(NodeBuilder& builder, const Json&) {
    const PlaceId root = builder.resource().root;
    DynamicRef ref{kNoDynamicName, builder.node_at(root), "$recursiveRef"};
    if (builder.resource().dynamic_anchors.contains("")) ref.name = builder.dynamic_name("");
    builder.logic().dynamic_refs.push_back(ref);
}

void compile_all_of(NodeBuilder& builder, const Json& value) {
    add_children(builder, value, builder.logic().all_of);
}
void compile_any_of(NodeBuilder& builder, const Json& value) {
    add_children(builder, value, builder.logic().any_of);
}
void compile_one_of(NodeBuilder& builder, const Json& value) {
    add_children(builder, value, builder.logic().one_of);
}
void compile_not(NodeBuilder& builder, const Json& value) {
    builder.logic().negated = builder.child(value);
}
void compile_if(NodeBuilder& builder, const Json& value) {
    builder.logic().condition = builder.child(value);
}
void compile_then(NodeBuilder& builder, const Json& value) {
    builder.logic().consequence = builder.child(value);
}
void compile_else(NodeBuilder& builder, const Json& value) {
    builder.logic().alternative = builder.child(value);
}

void compile_properties(NodeBuilder& builder, const Json& value) {
    for (const auto& [name, schema] : value.items()) {
        builder.object().properties.push_back({name, builder.child(schema), false});
    }
}

void compile_pattern_properties(NodeBuilder& builder, const Json& value) {
    for (const auto& [source, schema] : value.items()) {
        const Pattern* pattern =
            builder.pattern(source, "/patternProperties" + pointer_token(source));
        builder.object().patterns.push_back({pattern, builder.child(schema)});
    }
}

void compile_additional_properties(NodeBuilder& builder, const Json& value) {
    builder.object().additional = builder.child(value);
}
void compile_property_names(NodeBuilder& builder, const Json& value) {
    builder.object().names = builder.child(value);
}

void compile_dependent_schemas(NodeBuilder& builder, const Json& value) {
    for (const auto& [name, schema] : value.items()) {
        builder.object().dependents.push_back(
            {name, {}, builder.child(schema), "dependentSchemas"});
    }
}

void compile_dependencies(NodeBuilder& builder, const Json& value) {
    for (const auto& [name, one] : value.items()) {
        DependentRule rule{name, {}, nullptr, "dependencies"};
        if (one.is_array()) {
            rule.required = one.get<std::vector<std::string>>();
        } else {
            rule.node = builder.child(one);
        }
        builder.object().dependents.push_back(std::move(rule));
    }
}

void compile_prefix_items(NodeBuilder& builder, const Json& value) {
    add_children(builder, value, builder.array().prefix);
}

void compile_items(NodeBuilder& builder, const Json& value) {
    if (value.is_array()) {
        builder.items_is_array = true;
        add_children(builder, value, builder.array().prefix);
    } else {
        builder.array().rest = builder.child(value);
    }
}

void compile_additional_items(NodeBuilder& builder, const Json& value) {
    builder.additional_items = builder.child(value);  // used only beside an array of `items`
}

void compile_contains(NodeBuilder& builder, const Json& value) {
    auto& rules = builder.array();
    rules.contains = builder.child(value);
    rules.contains_marks = builder.resource().profile.dialect == Dialect::draft2020_12;
}

void compile_unevaluated_items(NodeBuilder& builder, const Json& value) {
    builder.array().unevaluated = builder.child(value);
    builder.node().tracks = true;
}
void compile_unevaluated_properties(NodeBuilder& builder, const Json& value) {
    builder.object().unevaluated = builder.child(value);
    builder.node().tracks = true;
}

}  // namespace toolhost::schema
