#pragma once

#include <string>

namespace file_operations {

// Keeps libgit2 initialized during its lifetime. It reads no configuration of the user or the
// system.
class GitLibrary {
public:
    GitLibrary();
    ~GitLibrary();
    GitLibrary(const GitLibrary&) = delete;
    GitLibrary& operator=(const GitLibrary&) = delete;

    [[nodiscard]] static std::string last_error();
};

}  // namespace file_operations
