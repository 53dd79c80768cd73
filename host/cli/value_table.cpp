#include "host/cli/value_table.hpp"

#include <algorithm>
#include <vector>

#include "host/base/json_text.hpp"
#include "host/cli/terminal.hpp"

namespace toolhost::cli {
namespace {

constexpr std::size_t kBetween = 2;          // spaces between columns
constexpr std::size_t kNarrowestColumn = 8;  // a narrower column would be useless

bool is_list_of_objects(const Json& value) {
    return value.is_array() && !value.empty() &&
           std::all_of(value.begin(), value.end(), [](const Json& row) { return row.is_object(); });
}

std::string whole_line(const std::string& text) {
    return one_line(text, std::string::npos);
}

std::string cell_text(const Json& value) {
    if (value.is_null()) return "";
    return value.is_string() ? value.get<std::string>() : dump(value);
}

struct Column {
    std::string name;
    std::size_t width = 0;
    bool numbers = true;  // aligned to the right
};

std::vector<Column> columns_in(const Json& rows) {
    std::vector<Column> out;
    for (const auto& row : rows)
        for (const auto& item : row.items()) {
            const auto& name = item.key();
            const auto& value = item.value();
            auto it = std::find_if(out.begin(), out.end(),
                                   [&](const Column& column) { return column.name == name; });
            if (it == out.end())
                it = out.insert(out.end(), {name, columns_of(whole_line(name)), true});
            const auto text = cell_text(value);
            it->width = std::max(it->width, columns_of(whole_line(text)));
            it->numbers = it->numbers && (value.is_number() || value.is_null());
        }
    return out;
}

std::size_t total_width(const std::vector<Column>& columns) {
    std::size_t total = 0;
    for (const auto& column : columns) total += column.width + (total == 0 ? 0 : kBetween);
    return total;
}

// Narrows the widest columns until all fit. Returns false if they do not.
bool fit(std::vector<Column>& columns, std::size_t room) {
    for (auto total = total_width(columns); total > room; --total) {
        auto widest =
            std::max_element(columns.begin(), columns.end(),
                             [](const Column& a, const Column& b) { return a.width < b.width; });
        if (widest->width <= kNarrowestColumn) return false;
        --widest->width;
    }
    return true;
}

void append_cell(std::string& line, const Column& column, const std::string& text, bool last,
                 bool& cut) {
    const auto whole = whole_line(text);
    const auto cell = one_line(text, column.width);
    cut |= cell != whole;
    const auto blanks = column.width - std::min(column.width, columns_of(cell));
    if (column.numbers) line += std::string(blanks, ' ');
    line += cell;
    if (!last) line += std::string((column.numbers ? 0 : blanks) + kBetween, ' ');
}

// If there are too many columns for the width, prints each row as a block.
std::string row_blocks(const Json& rows) {
    std::string out;
    for (const auto& row : rows) {
        if (!out.empty()) out += '\n';
        for (const auto& [name, value] : row.items())
            out += whole_line(name) + ": " + printable(cell_text(value)) + '\n';
    }
    return out;
}

std::string rows_table(const Json& rows, std::size_t room, bool& cut) {
    auto columns = columns_in(rows);
    if (!fit(columns, room)) return row_blocks(rows);
    std::string heading, out;
    for (const auto& column : columns)
        append_cell(heading, column, column.name, &column == &columns.back(), cut);
    out = styled(Style::bold, heading) + '\n';
    for (const auto& row : rows) {
        std::string line;
        for (const auto& column : columns) {
            const auto it = row.find(column.name);
            append_cell(line, column, it == row.end() ? "" : cell_text(*it),
                        &column == &columns.back(), cut);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out += line + '\n';
    }
    return out;
}

}  // namespace

std::optional<ValueTable> value_table(const Json& value, std::size_t columns) {
    ValueTable out;
    if (is_list_of_objects(value)) {
        out.text = rows_table(value, columns, out.cut);
        return out;
    }
    if (!value.is_object()) return std::nullopt;
    std::string tables;
    for (const auto& [name, member] : value.items()) {
        const auto key = whole_line(name);
        if (is_list_of_objects(member))
            tables +=
                '\n' + styled(Style::bold, key + ':') + '\n' + rows_table(member, columns, out.cut);
        else if (member.is_primitive())
            out.text += key + ": " + printable(cell_text(member)) + '\n';
        else
            return std::nullopt;
    }
    if (tables.empty()) return std::nullopt;
    if (out.text.empty()) tables.erase(0, 1);
    out.text += tables;
    return out;
}

}  // namespace toolhost::cli
