// Atomic writes: a new file beside the old one is renamed over it.
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
    // The required content of the file: all of it, or with `replace` a part that occurs exactly
    // once and is replaced by `content`. Empty also matches a missing file.
    std::optional<std::string_view> expected;
    bool replace = false;
    std::function<bool()> cancelled;
};

struct Written {
    std::string path;         // for display
    std::string action;       // created, replaced, appended, edited, unchanged
    std::uint64_t bytes = 0;  // of the new file
    std::uint64_t bytes_before = 0;
    std::string sha256;
    std::uint64_t line = 0;  // of the edit
    int folders_created = 0;
    bool windows_lines = false;    // the new lines end with \\r\\n, like the others of the file
    bool had_other_names = false;  // hard links, which keep the old content
};

[[nodiscard]] Outcome<Written> write_file(const Access& access, const WriteOrder& order);

// Hexadecimal.
[[nodiscard]] std::string sha256_of(std::string_view content);

}  // namespace file_operations
