// The tools of this family. Each has a file of that name with its input, output and spec; the
// folders beside it contain the logic.
#pragma once

#include <toolhost/plugin.hpp>

namespace file_operations {

toolhost::Tool file_list();
toolhost::Tool file_read();
toolhost::Tool file_search();
toolhost::Tool file_write();

}  // namespace file_operations
