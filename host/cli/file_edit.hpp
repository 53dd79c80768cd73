// Edits a file of the user atomically: readers see the old or the new content.
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
    std::size_t limit;  // maximum size of the file
    // Returns the new text; the same text changes nothing.
    std::function<Result<std::string>(const std::string& text)> text;
    // Checks whether the result can be loaded from `draft`, before it replaces the file.
    std::function<Result<void>(const std::string& draft)> check;
};

// Returns whether the file has changed. A missing file counts as empty; it and its folders are
// created for their owner only. Concurrent edits wait for each other.
[[nodiscard]] boost::system::result<bool, EditFault> edit_file(const std::string& file,
                                                               const FileEdit& edit);

}  // namespace toolhost::cli
