// Converts a table's cells to lines.
#pragma once

#include <string>
#include <vector>

namespace http_tool {

struct MarkdownTable {
    std::vector<std::vector<std::string>> rows;
    bool in_cell = false;
    int nested = 0;  // tables within a cell become text
};

// Adds a cell to the last row.
void add_cell(MarkdownTable& table, std::string cell);
[[nodiscard]] std::vector<std::string> lines_of(const MarkdownTable& table);

}  // namespace http_tool
