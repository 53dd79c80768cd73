#include "body/markdown_table.hpp"

#include <algorithm>
#include <utility>

namespace http_tool {
namespace {

constexpr std::size_t kMaxColumns = 200;

// Short rows are not padded: padding could make a long page a very wide table.
std::string line_of(const std::vector<std::string>& row) {
    std::string line = "|";
    for (const auto& cell : row) line += ' ' + cell + " |";
    return line;
}

}  // namespace

void add_cell(MarkdownTable& table, std::string cell) {
    std::string escaped;
    for (const char c : cell) {
        if (c == '|') escaped += '\\';
        escaped += c;
    }
    auto& row = table.rows.back();
    if (row.size() < kMaxColumns) row.push_back(std::move(escaped));
}

std::vector<std::string> lines_of(const MarkdownTable& table) {
    std::vector<std::string> lines;
    std::size_t columns = 0;
    for (const auto& row : table.rows) columns = std::max(columns, row.size());
    for (const auto& row : table.rows) {
        if (row.empty()) continue;
        lines.push_back(line_of(row));
        // The first row is the header, which Markdown requires.
        if (lines.size() == 1) lines.push_back(line_of(std::vector<std::string>(columns, "---")));
    }
    return lines;
}

}  // namespace http_tool
