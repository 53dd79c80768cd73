// A position in a document, and an error at that position.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "host/base/error.hpp"

namespace toolhost::policy {

// Line and column count from 1, columns in characters. Line 0 means the whole file.
struct Place {
    std::string file;
    int line = 0, column = 0;

    // "file:line:column", as compilers print it and editors understand it.
    [[nodiscard]] std::string text() const;
};

struct Fault {
    Place place;
    std::string sentence;
    std::string pointer;  // JSON Pointer into the document; also "" if unknown
};

// Users would not read more.
inline constexpr std::size_t kMaxFaults = 10;

// One error with one line per fault; its details contain the place of the first one.
[[nodiscard]] Error to_error(const std::vector<Fault>& faults);

// 'text', shortened and on one line.
[[nodiscard]] std::string in_quotes(std::string_view text);
// "a, b, c".
[[nodiscard]] std::string joined(const std::vector<std::string>& words);

}  // namespace toolhost::policy
