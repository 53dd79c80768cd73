// Determines the kind of a binary file from its headers alone.
#pragma once

#include <optional>
#include <string>

#include "host/discovery/reason.hpp"

namespace toolhost::discovery {

struct FormatFault {
    Reason reason;
    std::string message;
};

// Checks all offsets and sizes in the headers against the file's size, so that they cannot mislead
// later readers. Returns nothing for a shared library of this machine.
[[nodiscard]] std::optional<FormatFault> check_format(int fd);

}  // namespace toolhost::discovery
