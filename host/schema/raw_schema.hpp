// Reads a schema document without compiling it, for defaults and coercion, which are conveniences
// and not checks. Any document is accepted. All functions take steps from a budget and return
// nothing once it is used up.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "host/schema/budget.hpp"
#include "host/schema/types.hpp"

namespace toolhost::schema {

class RawSchema {
public:
    // The document must outlive this, and its depth must be limited, because the code recurses.
    RawSchema(const nlohmann::json& root, Budget& budget) : root_(root), budget_(budget) {}

    using Parts = std::vector<const nlohmann::json*>;

    // The schema objects that apply where `schema` does: itself, the targets of its local `$ref`
    // ("#" or "#/..."), the members of its `allOf`, and so on.
    [[nodiscard]] Parts parts(const nlohmann::json& schema) const;

    // The same for an existing value: includes the branch of an `anyOf` or `oneOf` if it is the
    // only one that accepts a value of this type.
    [[nodiscard]] Parts parts_for(const Parts& schemas, const nlohmann::json& value);

    // The types that the schema allows, by `type`, `const`, `enum` and composition.
    [[nodiscard]] TypeSet allowed_types(const nlohmann::json& schema, int levels = 16);

private:
    [[nodiscard]] const nlohmann::json* find(const std::string& reference) const;

    const nlohmann::json& root_;
    Budget& budget_;
};

// The schemas of one member or item, in all the parts of its parent's schema.
[[nodiscard]] RawSchema::Parts member_schemas(const RawSchema::Parts& parts,
                                              const std::string& name);
[[nodiscard]] RawSchema::Parts item_schemas(const RawSchema::Parts& parts, std::size_t index);

}  // namespace toolhost::schema
