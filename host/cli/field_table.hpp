// A schema's fields for people: one row per field, nested ones by the names that `call` accepts.
#pragma once

#include <string>
#include <vector>

#include "host/base/error.hpp"
#include "host/registry/field_order.hpp"

namespace toolhost::cli {

struct FieldRow {
    std::string name;  // dotted, as for `call`; [] for an array's items
    std::string type;  // and constraints
    std::string description;
};

// Required fields first, each part in the author's order; nested fields follow the field that
// contains them.
[[nodiscard]] std::vector<FieldRow> field_rows(const Json& schema,
                                               const registry::FieldOrder& order);

void print_field_table(const Json& schema, const registry::FieldOrder& order);

}  // namespace toolhost::cli
