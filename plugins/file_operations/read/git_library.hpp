#pragma once

#include <string>

namespace file_operations {

// libgit2, in use while this lives. It reads no configuration of the user's or the system's.
class GitLibrary {
public:
    GitLibrary();
    ~GitLibrary();
    GitLibrary(const GitLibrary&) = delete;
    GitLibrary& operator=(const GitLibrary&) = delete;

    [[nodiscard]] static std::string last_error();
};

}  // namespace file_operations
