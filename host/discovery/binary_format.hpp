// What kind of binary a file is, told from its headers alone.
#pragma once

#include <optional>
#include <string>

#include "host/discovery/reason.hpp"

namespace toolhost::discovery {

struct FormatFault {
    Reason reason;
    std::string message;
};

// Checks every place and size in the headers against the file's own size, so that what reads the
// file afterwards cannot be misled by them. None: a shared library of this machine.
[[nodiscard]] std::optional<FormatFault> check_format(int fd);

}  // namespace toolhost::discovery
