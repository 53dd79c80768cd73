// Where a library tells the loader to look for what it needs: DT_RUNPATH, or the older DT_RPATH.
#pragma once

#include <string>
#include <vector>

namespace toolhost::discovery {

// The folders as written, $ORIGIN and all; none where the file has no such entry or is not as an ELF
// library should be. The file may be anybody's: nothing in it is believed without a check.
[[nodiscard]] std::vector<std::string> run_path(int fd);

}  // namespace toolhost::discovery
