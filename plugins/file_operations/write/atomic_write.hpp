// Writing that is done or not done, never half: a new file beside the old one takes its name.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "access/access.hpp"

namespace file_operations {

struct WriteOrder {
    std::string path;
    std::string_view content;
    bool append = false;
    bool create_dirs = true;
    // What the file must hold for the write to happen: all of it, or with `replace` a part that is
    // there exactly once, for which `content` is put. Empty fits a file that does not exist.
    std::optional<std::string_view> expected;
    bool replace = false;
    std::function<bool()> cancelled;
};

struct Written {
    std::string path;         // as people read it
    std::string action;       // created, replaced, appended, edited, unchanged
    std::uint64_t bytes = 0;  // of the file now
    std::uint64_t bytes_before = 0;
    std::string sha256;
    std::uint64_t line = 0;  // where an edit begins
    int folders_created = 0;
    bool windows_lines = false;    // the new lines end with \\r\\n, as the file's others do
    bool had_other_names = false;  // hard links, which keep the old content
};

[[nodiscard]] Outcome<Written> write_file(const Access& access, const WriteOrder& order);

// As hexadecimal digits.
[[nodiscard]] std::string sha256_of(std::string_view content);

}  // namespace file_operations
