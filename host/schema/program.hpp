// The compiled form of a schema: one Node per subschema, its keywords grouped by the type of value
// to which they apply, so that evaluation touches only rules that can apply. Immutable after
// compilation.
#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "host/schema/equality.hpp"
#include "host/schema/formats.hpp"
#include "host/schema/number.hpp"
#include "host/schema/pattern.hpp"
#include "host/schema/schema.hpp"
#include "host/schema/types.hpp"

namespace toolhost::schema {

struct Node;

inline constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

struct NumberRules {
    std::optional<Number> minimum, maximum, exclusive_minimum, exclusive_maximum, multiple_of;
};

struct StringRules {
    std::uint64_t min_length = 0, max_length = kNoLimit;
    const Pattern* pattern = nullptr;
    const Format* format = nullptr;
};

struct ArrayRules {
    std::uint64_t min_items = 0, max_items = kNoLimit;
    std::uint64_t min_contains = 1, max_contains = kNoLimit;
    std::vector<const Node*> prefix;
    const Node* rest = nullptr;  // the items after the prefix
    const char* rest_keyword = "items";
    const Node* contains = nullptr;
    const Node* unevaluated = nullptr;
    bool unique = false;
    bool contains_marks = false;  // since 2020-12 `contains` marks items as evaluated
};

struct PropertyRule {
    std::string name;
    const Node* node = nullptr;  // null: only required
    bool required = false;
};

struct PatternRule {
    const Pattern* pattern;
    const Node* node;
};

// dependentRequired, dependentSchemas, dependencies
struct DependentRule {
    std::string name;
    std::vector<std::string> required;
    const Node* node = nullptr;
    const char* keyword;
};

struct ObjectRules {
    std::uint64_t min_properties = 0, max_properties = kNoLimit;
    std::vector<PropertyRule> properties;  // sorted by name, as the members of a value are
    std::size_t required_count = 0;
    std::vector<PatternRule> patterns;
    const Node* additional = nullptr;
    const Node* names = nullptr;
    const Node* unevaluated = nullptr;
    std::vector<DependentRule> dependents;
};

// $dynamicRef, $recursiveRef: the target depends on the path of evaluation.
inline constexpr std::uint32_t kNoDynamicName = std::numeric_limits<std::uint32_t>::max();
struct DynamicRef {
    std::uint32_t name;  // in Program::dynamic_names; kNoDynamicName means `initial`
    const Node* initial;
    const char* keyword;
};

// Rules for the value itself, whatever its type.
struct Logic {
    const Node* ref = nullptr;
    std::vector<DynamicRef> dynamic_refs;
    std::vector<const Node*> all_of, any_of, one_of;
    const Node* negated = nullptr;
    const Node* condition = nullptr;
    const Node* consequence = nullptr;
    const Node* alternative = nullptr;
};

struct ValueRules {
    std::optional<Json> constant;
    std::optional<ValueSet> allowed;
};

struct Node {
    TypeSet types = kEveryType;  // empty for the schema `false`
    bool accepts_all = false;    // `true`, {} and schemas of annotations only
    bool tracks = false;         // has unevaluatedProperties or unevaluatedItems
    std::uint32_t resource = 0;
    std::uint32_t location = 0;  // index into Program::locations
    ValueRules* values = nullptr;
    NumberRules* number = nullptr;
    StringRules* string = nullptr;
    ArrayRules* array = nullptr;
    ObjectRules* object = nullptr;
    Logic* logic = nullptr;
};

// The location of a subschema, as a chain: storing whole pointers would cost depth times size.
struct Location {
    std::uint32_t parent;  // its own index for a document's root
    std::string token;     // "/properties/city"; for a root, the document's URI
};

struct Program {
    const Node* root = nullptr;
    Dialect dialect = Dialect::draft2020_12;

    // Deques, because nodes and rules contain pointers to each other.
    std::deque<Node> nodes;
    std::deque<ValueRules> values;
    std::deque<NumberRules> numbers;
    std::deque<StringRules> strings;
    std::deque<ArrayRules> arrays;
    std::deque<ObjectRules> objects;
    std::deque<Logic> logics;
    std::deque<Pattern> patterns;
    std::vector<Location> locations;

    // Empty unless a reference really is dynamic.
    std::vector<std::string> dynamic_names;
    std::unordered_map<std::uint64_t, const Node*> dynamic_anchors;  // by anchor_key()

    static std::uint64_t anchor_key(std::uint32_t resource, std::uint32_t name) {
        return std::uint64_t{resource} << 32 | name;
    }
};

// "/properties/city", or "https://example.com/x#/properties/city" in another document.
[[nodiscard]] std::string location_text(const Program& program, std::uint32_t location);
[[nodiscard]] std::string location_text(const std::vector<Location>& locations,
                                        std::uint32_t location);

}  // namespace toolhost::schema
