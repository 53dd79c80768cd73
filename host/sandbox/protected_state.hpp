// Which files the protected paths of a confinement are. A worker's mounts hold the files that were
// there when it started: where another file has taken a name since, they no longer do.
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
    ProtectedState();  // of a confinement that writes nothing
    explicit ProtectedState(const Confinement& confinement, NestedFilesPtr nested = nullptr);

    [[nodiscard]] bool operator==(const ProtectedState& other) const;
    // Trusted files that are here and were not there in `before`, which is of the same confinement.
    [[nodiscard]] std::vector<std::string> new_since(const ProtectedState& before,
                                                     const Confinement& confinement) const;
    // `confinement` with what was found below its folders among its trusted files.
    [[nodiscard]] Confinement with_nested(Confinement confinement) const;

private:
    // Device, inode and birth of a file and of what it leads to, if it is a link; zero: missing.
    // The birth tells apart two files that had the same inode one after the other.
    using Identity = std::array<std::uint64_t, 6>;
    std::vector<Identity> trusted_, host_, nested_files_;
    NestedFilesPtr nested_;  // never null

    static std::vector<Identity> identities(const std::vector<std::string>& paths);
};

// Creates the folders among the host's own files, and its created_files, that are missing and that
// a tool could create in their place, with something of its own in them.
[[nodiscard]] Result<void> make_host_files(const Confinement& confinement);

}  // namespace toolhost::sandbox
