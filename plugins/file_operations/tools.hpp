// The tools of this family, one file each: the file of that name has the tool's input, its output,
// and what it says about itself; what it does is in the folders beside it.
#pragma once

#include <toolhost/plugin.hpp>

namespace file_operations {

toolhost::Tool file_list();
toolhost::Tool file_read();
toolhost::Tool file_search();
toolhost::Tool file_write();

}  // namespace file_operations
