// Where a library tells the loader to look for what it needs: DT_RUNPATH, or the older DT_RPATH.
#pragma once

#include <string>
#include <vector>

namespace toolhost::discovery {

// The folders as written, with $ORIGIN; none if the file has no such entry or is not a valid ELF
// library. The file is untrusted: all of it is checked.
[[nodiscard]] std::vector<std::string> run_path(int fd);

}  // namespace toolhost::discovery
