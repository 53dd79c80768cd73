// Parses the driver's report. It comes from a process that ran the user's code, so it is untrusted.
#pragma once

#include <cstddef>
#include <string_view>

namespace python_exec {

// Maximum nesting of a value. The driver enforces it, but code that writes the report itself may
// not, and copying or writing a deep JSON value could overflow the worker's stack.
inline constexpr std::size_t kDeepestValue = 100;
inline constexpr std::size_t kDeepestReport = 8;

// Whether lists and objects of a JSON text are nested at most that deep. The text need not be
// valid.
bool is_shallow(std::string_view json, std::size_t deepest);

}  // namespace python_exec
