// The compiled form of a schema: one Node per subschema, its keywords grouped by the type of value
// they look at, so that evaluating a value touches only the rules that can apply to it.
// Everything is built by the compiler and never changed afterwards.
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
    const Node* rest = nullptr;  // the items behind the prefix
    const char* rest_keyword = "items";
    const Node* contains = nullptr;
    const Node* unevaluated = nullptr;
    bool unique = false;
    bool contains_marks = false;  // since 2020-12 `contains` counts as having looked
};

struct PropertyRule {
    std::string name;
    const Node* node = nullptr;  // nothing: only required
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

// $dynamicRef, $recursiveRef: the target depends on how evaluation got here.
inline constexpr std::uint32_t kNoDynamicName = std::numeric_limits<std::uint32_t>::max();
struct DynamicRef {
    std::uint32_t name;  // index into Program::dynamic_names; kNoDynamicName: always `initial`
    const Node* initial;
    const char* keyword;
};

// What applies to the value itself, whatever its type.
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
    TypeSet types = kEveryType;  // none for the schema `false`
    bool accepts_all = false;    // `true`, {} and what only annotates
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

// Where a subschema stands, as a chain: whole pointers would cost depth times size.
struct Location {
    std::uint32_t parent;  // its own index: a document's root
    std::string token;     // "/properties/city"; for a root, the document's URI
};

struct Program {
    const Node* root = nullptr;
    Dialect dialect = Dialect::draft2020_12;

    // Deques, because nodes and rules point at each other.
    std::deque<Node> nodes;
    std::deque<ValueRules> values;
    std::deque<NumberRules> numbers;
    std::deque<StringRules> strings;
    std::deque<ArrayRules> arrays;
    std::deque<ObjectRules> objects;
    std::deque<Logic> logics;
    std::deque<Pattern> patterns;
    std::vector<Location> locations;

    // Empty unless some reference really is dynamic.
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
