// Reading a schema document as it stands, without compiling it: for defaults and coercion, which
// are a help and not a check. Whatever the document is, this answers something and ends: all of it
// takes from a budget, and answers nothing more when that is over.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "host/schema/budget.hpp"
#include "host/schema/types.hpp"

namespace toolhost::schema {

class RawSchema {
public:
    // The document must outlive this, and must not be nested too deep to recurse over.
    RawSchema(const nlohmann::json& root, Budget& budget) : root_(root), budget_(budget) {}

    using Parts = std::vector<const nlohmann::json*>;

    // The schema objects that apply to the value where `schema` stands: itself, what its local
    // `$ref` ("#" or "#/...") leads to, the members of its `allOf`, and so on.
    [[nodiscard]] Parts parts(const nlohmann::json& schema) const;

    // The same for a value that is there: the branch of an `anyOf` or `oneOf` counts as well if it
    // is the only one that takes a value of this type.
    [[nodiscard]] Parts parts_for(const Parts& schemas, const nlohmann::json& value);

    // The types that the schema leaves, by `type`, `const`, `enum` and composition.
    [[nodiscard]] TypeSet allowed_types(const nlohmann::json& schema, int levels = 16);

private:
    [[nodiscard]] const nlohmann::json* find(const std::string& reference) const;

    const nlohmann::json& root_;
    Budget& budget_;
};

// The schemas of one member, or of one item, in all the parts of its parent's schema.
[[nodiscard]] RawSchema::Parts member_schemas(const RawSchema::Parts& parts,
                                              const std::string& name);
[[nodiscard]] RawSchema::Parts item_schemas(const RawSchema::Parts& parts, std::size_t index);

}  // namespace toolhost::schema
