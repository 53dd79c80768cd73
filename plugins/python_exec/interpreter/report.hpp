// What the driver reports comes from a process that ran the user's code: taken for nothing but what
// it is.
#pragma once

#include <cstddef>
#include <string_view>

namespace python_exec {

// How deep a value may be nested. The driver enforces it; code that writes the report itself does
// not, and copying or writing a JSON value of any depth would use up the stack of the worker.
inline constexpr std::size_t kDeepestValue = 100;
inline constexpr std::size_t kDeepestReport = 8;

// Whether the lists and objects of a JSON text are nested no deeper than that. It need not be
// valid.
bool is_shallow(std::string_view json, std::size_t deepest);

}  // namespace python_exec
