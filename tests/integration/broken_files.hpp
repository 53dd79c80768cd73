// Files that no compiler creates: each invalid in one way that is visible without running it.
#pragma once

#include <filesystem>
#include <span>

namespace toolhost::test {

struct BrokenFile {
    const char* what;    // also the file name, plus .so
    const char* reason;  // discovery's code
    void (*make)(const std::filesystem::path& at);
};

[[nodiscard]] std::span<const BrokenFile> broken_files();

}  // namespace toolhost::test
