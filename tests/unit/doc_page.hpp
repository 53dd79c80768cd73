// Names that a page of docs/ lists in its tables, to compare with a table of the code.
#pragma once

#include <boost/filesystem/fstream.hpp>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace toolhost::test {

// The text of docs/PAGE from the line `heading` to the next heading of any level; all of it without
// a heading.
inline std::string section_of(const std::string& page, const std::string& heading) {
    boost::filesystem::ifstream file(std::string(TOOLHOST_DOCS) + '/' + page);
    std::ostringstream read;
    read << file.rdbuf();
    const auto text = '\n' + read.str();
    if (heading.empty()) return text;
    const auto begin = text.find('\n' + heading + '\n');
    if (begin == std::string::npos) throw std::runtime_error(page + " has no line " + heading);
    const auto end = text.find("\n#", begin + 1 + heading.size());
    return text.substr(begin, end == std::string::npos ? end : end - begin);
}

// The words in backticks of the first cells of table rows: "| `a`, `b` | ... |".
inline std::set<std::string> names_in(const std::string& section) {
    std::istringstream lines(section);
    std::set<std::string> names;
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with("| `")) continue;
        std::string_view cell = std::string_view(line).substr(2);
        cell = cell.substr(0, cell.find(" | "));
        for (auto begin = cell.find('`'); begin != std::string_view::npos; begin = cell.find('`')) {
            cell.remove_prefix(begin + 1);
            const auto end = cell.find('`');
            names.emplace(cell.substr(0, end));
            cell.remove_prefix(end + 1);
        }
    }
    return names;
}

inline std::set<std::string> listed_names(const std::string& page, const std::string& heading) {
    return names_in(section_of(page, heading));
}

// What only one of two sets has; empty: they are the same.
inline std::string difference(const std::set<std::string>& page,
                              const std::set<std::string>& code) {
    std::string out;
    for (const auto& name : page)
        if (!code.contains(name)) out += "only in the page: " + name + '\n';
    for (const auto& name : code)
        if (!page.contains(name)) out += "not in the page: " + name + '\n';
    return out;
}

}  // namespace toolhost::test
