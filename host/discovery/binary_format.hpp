// What kind of binary a file is, told from its headers alone.
#pragma once

#include <string>
#include <string_view>

namespace toolhost::discovery {

struct FormatFault {
    std::string_view reason;  // empty: a shared library of this machine
    std::string message;
};

// Checks every place and size in the headers against the file's own size, so that what reads the
// file afterwards cannot be led astray by them.
[[nodiscard]] FormatFault check_format(int fd);

}  // namespace toolhost::discovery
