// The run path of a library, in which the loader searches: DT_RUNPATH, or the older DT_RPATH.
#pragma once

#include <string>
#include <vector>

namespace toolhost::discovery {

// The folders as written, with $ORIGIN; empty if the file has no run path or is not a valid ELF
// library. The file is untrusted: everything in it is checked.
[[nodiscard]] std::vector<std::string> run_path(int fd);

}  // namespace toolhost::discovery
