// Keywords that check a value without applying another schema to it.
#include "host/schema/compile_keywords.hpp"
#include "host/schema/shape.hpp"

namespace toolhost::schema {
namespace {

// A count may be written as 2.0, and may be larger than any real count.
std::uint64_t to_count(const Json& value) {
    const Number number = Number::from(value);
    const long double wide = number.wide();
    return wide >= 0x1p64L ? kNoLimit : static_cast<std::uint64_t>(wide);
}

}  // namespace

void compile_type(NodeBuilder& builder, const Json& value) {
    TypeSet types = 0;
    if (value.is_string()) {
        types = find_type(value.get_ref<const std::string&>());
    } else {
        for (const Json& name : value) types |= find_type(name.get_ref<const std::string&>());
    }
    builder.node().types = types;
}

void compile_const(NodeBuilder& builder, const Json& value) {
    builder.values().constant = value;
}

void compile_enum(NodeBuilder& builder, const Json& value) {
    builder.values().allowed.emplace(value.get_ref<const Json::array_t&>());
}

void compile_minimum(NodeBuilder& builder, const Json& value) {
    builder.number().minimum = Number::from(value);
}
void compile_maximum(NodeBuilder& builder, const Json& value) {
    builder.number().maximum = Number::from(value);
}
void compile_exclusive_minimum(NodeBuilder& builder, const Json& value) {
    builder.number().exclusive_minimum = Number::from(value);
}
void compile_exclusive_maximum(NodeBuilder& builder, const Json& value) {
    builder.number().exclusive_maximum = Number::from(value);
}
void compile_multiple_of(NodeBuilder& builder, const Json& value) {
    builder.number().multiple_of = Number::from(value);
}

void compile_min_length(NodeBuilder& builder, const Json& value) {
    builder.string().min_length = to_count(value);
}
void compile_max_length(NodeBuilder& builder, const Json& value) {
    builder.string().max_length = to_count(value);
}

void compile_pattern(NodeBuilder& builder, const Json& value) {
    builder.string().pattern = builder.pattern(value.get_ref<const std::string&>(), "/pattern");
}

void compile_format(NodeBuilder& builder, const Json& value) {
    if (!builder.asserts_formats()) return;
    if (const Format* format = find_format(value.get_ref<const std::string&>())) {
        builder.string().format = format;
    }
}

void compile_min_items(NodeBuilder& builder, const Json& value) {
    builder.array().min_items = to_count(value);
}
void compile_max_items(NodeBuilder& builder, const Json& value) {
    builder.array().max_items = to_count(value);
}
void compile_unique_items(NodeBuilder& builder, const Json& value) {
    if (value.get<bool>()) builder.array().unique = true;
}
void compile_min_contains(NodeBuilder& builder, const Json& value) {
    builder.array().min_contains = to_count(value);
}
void compile_max_contains(NodeBuilder& builder, const Json& value) {
    builder.array().max_contains = to_count(value);
}

void compile_min_properties(NodeBuilder& builder, const Json& value) {
    builder.object().min_properties = to_count(value);
}
void compile_max_properties(NodeBuilder& builder, const Json& value) {
    builder.object().max_properties = to_count(value);
}

// `properties` may have added the same names; finish() merges them.
void compile_required(NodeBuilder& builder, const Json& value) {
    if (value.empty()) return;
    auto& rules = builder.object();
    rules.required_count = value.size();
    for (const Json& name : value) {
        rules.properties.push_back({name.get<std::string>(), nullptr, true});
    }
}

void compile_dependent_required(NodeBuilder& builder, const Json& value) {
    for (const auto& [name, required] : value.items()) {
        builder.object().dependents.push_back(
            {name, required.get<std::vector<std::string>>(), nullptr, "dependentRequired"});
    }
}

}  // namespace toolhost::schema
