// Identifies the files at the protected paths of a confinement. A worker's mounts protect the files
// that existed when it started, but not a file that has taken their name since.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "host/base/error.hpp"
#include "host/sandbox/confinement.hpp"
#include "host/sandbox/trusted_tree.hpp"

namespace toolhost::sandbox {

class ProtectedState {
public:
    ProtectedState();  // of a confinement without write access
    explicit ProtectedState(const Confinement& confinement, NestedFilesPtr nested = nullptr);

    [[nodiscard]] bool operator==(const ProtectedState& other) const;
    // Trusted files that exist now but not in `before`, a state of the same confinement.
    [[nodiscard]] std::vector<std::string> new_since(const ProtectedState& before,
                                                     const Confinement& confinement) const;
    // `confinement` with the files found below its folders added to its trusted files.
    [[nodiscard]] Confinement with_nested(Confinement confinement) const;

private:
    // Device, inode and birth time of a file and, if it is a link, of its target; zeros if missing.
    // The birth time distinguishes files that had the same inode one after the other.
    using Identity = std::array<std::uint64_t, 6>;
    std::vector<Identity> trusted_, host_, nested_files_;
    NestedFilesPtr nested_;  // never null

    static std::vector<Identity> identities(const std::vector<std::string>& paths);
};

// Creates missing folders of the host, and its created_files, where a tool could otherwise create
// them with content of its own.
[[nodiscard]] Result<void> make_host_files(const Confinement& confinement);

}  // namespace toolhost::sandbox
