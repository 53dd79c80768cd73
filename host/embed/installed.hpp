// The toolhost binary that belongs to this library.
#pragma once

#include <string>

namespace toolhost::embed {

// Where it is installed, as seen from the shared library; empty: unknown.
[[nodiscard]] std::string installed_program();

}  // namespace toolhost::embed
