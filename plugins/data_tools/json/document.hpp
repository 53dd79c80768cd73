// Parses JSON text strictly by RFC 8259; errors show the position.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace data_tools::json {

using Value = nlohmann::json;

inline constexpr std::size_t max_text_bytes = 4U << 20U;
inline constexpr int max_depth = 200;  // printing is recursive, and so are most readers of results
inline constexpr std::size_t max_notes = 20;

struct Document {
    Value value;
    // Remarks that are not errors: duplicate keys, rounded numbers.
    std::vector<std::string> notes;
};

struct SyntaxError {
    std::string what;      // the error, with a hint for common mistakes
    std::size_t byte = 0;  // from 0
    std::size_t line = 1;
    std::size_t column = 1;  // in characters
    std::string excerpt;     // the text around the position with a caret under it

    std::string message() const;
};

std::variant<Document, SyntaxError> parse_document(std::string_view text);

}  // namespace data_tools::json
