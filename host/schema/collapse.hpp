// {"$ref": "#/$defs/x"} and nothing else is the most common subschema there is. Skipping it saves a
// call for every value it is applied to.
#pragma once

#include "host/schema/program.hpp"

namespace toolhost::schema {

// Redirects references to a node that is only a `$ref` to its target. Only after find_loop() has
// found none.
void collapse_references(Program& program);

}  // namespace toolhost::schema
