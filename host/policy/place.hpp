// Where something stands in a document, and what is wrong there.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "host/base/error.hpp"

namespace toolhost::policy {

// Lines and columns count from 1, columns in characters; line 0: the file as a whole.
struct Place {
    std::string file;
    int line = 0, column = 0;

    // "file:line:column", as compilers say it and editors jump to it.
    [[nodiscard]] std::string text() const;
};

struct Fault {
    Place place;
    std::string sentence;
    std::string pointer;  // JSON Pointer into the document; "" also where none is known
};

// More would not be read.
inline constexpr std::size_t kMostFaults = 10;

// One error of all faults, a line each; its details are the first one's place.
[[nodiscard]] Error to_error(const std::vector<Fault>& faults);

// 'text', short and on one line.
[[nodiscard]] std::string in_quotes(std::string_view text);
// "a, b, c".
[[nodiscard]] std::string joined(const std::vector<std::string>& words);

}  // namespace toolhost::policy
