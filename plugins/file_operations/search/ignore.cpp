#include "search/ignore.hpp"

#include <algorithm>

namespace file_operations {
namespace {

// A trailing space counts only after a backslash.
std::string_view without_end(std::string_view line) {
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    while (!line.empty() && line.back() == ' ') {
        if (line.size() > 1 && line[line.size() - 2] == '\\') break;
        line.remove_suffix(1);
    }
    return line;
}

}  // namespace

std::vector<IgnoreLine> parse_ignore_file(std::string_view content) {
    std::vector<IgnoreLine> out;
    if (content.starts_with("\xEF\xBB\xBF")) content.remove_prefix(3);
    while (!content.empty()) {
        const auto end = std::min(content.find('\n'), content.size());
        std::string_view text = without_end(content.substr(0, end));
        content.remove_prefix(std::min(end + 1, content.size()));
        if (text.empty() || text[0] == '#') continue;
        const bool back = text[0] == '!';
        if (back) text.remove_prefix(1);
        const bool folders_only = !text.empty() && text.back() == '/';
        if (folders_only) text.remove_suffix(1);
        const bool from_here = text.find('/') != std::string_view::npos;
        if (!text.empty() && text[0] == '/') text.remove_prefix(1);
        if (text.empty()) continue;
        std::vector<std::string> names;
        if (from_here) names = split_path(text);
        // `a/**` means everything inside of a, but not a itself.
        if (from_here && names.back() == "**") names.emplace_back("*");
        out.push_back({NamePattern(text), std::move(names), back, folders_only});
    }
    return out;
}

IgnoreRules::Shared IgnoreRules::below(Shared above, std::string folder,
                                       std::vector<IgnoreLine> lines) {
    if (lines.empty()) return above;
    auto rules = std::make_shared<IgnoreRules>();
    rules->above_ = std::move(above);
    rules->folder_ = std::move(folder);
    rules->lines_ = std::move(lines);
    return rules;
}

bool IgnoreRules::ignores(const Shared& rules, std::string_view path, bool is_folder) {
    const std::string_view name = last_name(path);
    for (const IgnoreRules* here = rules.get(); here; here = here->above_.get()) {
        const std::size_t skip = here->folder_.empty() ? 0 : here->folder_.size() + 1;
        const std::string_view from_here = path.substr(std::min(skip, path.size()));
        for (auto line = here->lines_.rbegin(); line != here->lines_.rend(); ++line) {
            if (line->folders_only && !is_folder) continue;
            const bool matches = line->names.empty() ? line->name.matches(name)
                                                     : names_match(line->names, from_here);
            if (matches) return !line->back;
        }
    }
    return false;
}

}  // namespace file_operations
