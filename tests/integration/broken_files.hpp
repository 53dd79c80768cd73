// Files that no compiler makes: each wrong in one way that can be seen without running it.
#pragma once

#include <filesystem>
#include <span>

namespace toolhost::test {

struct BrokenFile {
    const char* what;    // also the file's name, with .so
    const char* reason;  // discovery's code
    void (*make)(const std::filesystem::path& at);
};

[[nodiscard]] std::span<const BrokenFile> broken_files();

}  // namespace toolhost::test
