// Finds the toolhost binary that belongs to this library.
#pragma once

#include <string>

namespace toolhost::embed {

// Its installed path, relative to the shared library; empty if unknown.
[[nodiscard]] std::string installed_program();

}  // namespace toolhost::embed
