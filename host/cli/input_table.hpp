// A tool's input schema as a table for people: a line a field, nested ones by the names that `call`
// takes.
#pragma once

#include "host/registry/error.hpp"

namespace toolhost::cli {

void print_input_table(const Json& schema);

}  // namespace toolhost::cli
