#include "tools.hpp"

TOOLHOST_PLUGIN(toolhost::family("file_operations"), toolhost::concurrent,
                file_operations::file_list(), file_operations::file_read(),
                file_operations::file_search(), file_operations::file_write())
