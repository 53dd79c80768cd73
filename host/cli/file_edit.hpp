// A file of the user's, changed in one step: the old content or the new, never half of it.
#pragma once

#include <boost/system/result.hpp>
#include <functional>
#include <string>

#include "host/base/error.hpp"

namespace toolhost::cli {

struct EditFault {
    Exit exit = Exit::trouble;
    std::string message;
};

struct FileEdit {
    std::size_t limit;  // how large the file may be
    // Text to text; the same text changes nothing.
    std::function<Result<std::string>(const std::string& text)> text;
    // Whether what came out of it can be loaded from `draft`, before it takes the file's place.
    std::function<Result<void>(const std::string& draft)> check;
};

// Whether the file is another now. A file that is not there is an empty one; it and its folders are
// made for their owner alone. Two of these at once wait for each other.
[[nodiscard]] boost::system::result<bool, EditFault> edit_file(const std::string& file,
                                                               const FileEdit& edit);

}  // namespace toolhost::cli
