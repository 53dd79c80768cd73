// A schema's fields for people: one row per field, nested ones by the names that `call` accepts.
#pragma once

#include <string>
#include <vector>

#include "host/base/error.hpp"
#include "host/registry/field_order.hpp"

namespace toolhost::cli {

struct FieldRow {
    std::string name;  // dotted, as `call` takes it; [] where it is in an array's items
    std::string type;  // and what its values must keep to
    std::string description;
};

// What must be given comes first, each part in the author's order; what is nested follows what it
// is nested in.
[[nodiscard]] std::vector<FieldRow> field_rows(const Json& schema,
                                               const registry::FieldOrder& order);

void print_field_table(const Json& schema, const registry::FieldOrder& order);

}  // namespace toolhost::cli
