#include "access/glob.hpp"

#include <algorithm>

namespace file_operations {
namespace {

constexpr std::size_t max_alternatives = 256;

// Whether a set such as `[a-z]` or `[!x]` at the pattern's position contains the character, and
// where it ends. An unclosed one is an ordinary '['.
struct Set {
    bool closed = false;
    bool has = false;
    std::size_t end = 0;
};

Set read_set(std::string_view pattern, std::size_t at, char c) {
    const auto byte = [](char x) { return static_cast<unsigned char>(x); };
    std::size_t i = at + 1;
    const bool negated = i < pattern.size() && (pattern[i] == '!' || pattern[i] == '^');
    if (negated) ++i;
    bool has = false;
    for (bool first = true; i < pattern.size(); first = false) {
        if (pattern[i] == ']' && !first) return {true, has != negated, i + 1};
        if (pattern[i] == '\\' && i + 1 < pattern.size()) ++i;
        const char low = pattern[i++];
        char high = low;
        if (i + 1 < pattern.size() && pattern[i] == '-' && pattern[i + 1] != ']') {
            high = pattern[i + 1];
            i += 2;
        }
        has = has || (byte(low) <= byte(c) && byte(c) <= byte(high));
    }
    return {};
}

// Expands the first brace: `{a,b}c` to `ac` and `bc`.
void expand(const std::string& pattern, std::vector<std::string>& out) {
    const auto open = pattern.find('{');
    std::size_t depth = 0, close = std::string::npos;
    std::vector<std::size_t> cuts;
    for (std::size_t i = open; i < pattern.size() && close == std::string::npos; ++i) {
        if (pattern[i] == '{') ++depth;
        if (pattern[i] == ',' && depth == 1) cuts.push_back(i);
        if (pattern[i] == '}' && --depth == 0) close = i;
    }
    if (close == std::string::npos || cuts.empty() || out.size() >= max_alternatives) {
        out.push_back(pattern);
        return;
    }
    cuts.push_back(close);
    std::size_t from = open + 1;
    for (const std::size_t cut : cuts) {
        expand(
            pattern.substr(0, open) + pattern.substr(from, cut - from) + pattern.substr(close + 1),
            out);
        if (out.size() >= max_alternatives) return;
        from = cut + 1;
    }
}

// `**` is tried again from one name further, as name_matches() does with `*`.
bool path_matches(const std::vector<std::string>& pattern, const std::vector<std::string>& path) {
    std::size_t p = 0, n = 0, star = std::string::npos, retry = 0;
    while (n < path.size()) {
        if (p < pattern.size() && pattern[p] == "**") {
            star = p++;
            retry = n;
        } else if (p < pattern.size() && name_matches(pattern[p], path[n])) {
            ++p;
            ++n;
        } else if (star != std::string::npos) {
            p = star + 1;
            n = ++retry;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == "**") ++p;
    return p == pattern.size();
}

}  // namespace

bool names_match(const std::vector<std::string>& pattern, std::string_view path) {
    return path_matches(pattern, split_path(path));
}

bool name_matches(std::string_view pattern, std::string_view name) {
    std::size_t p = 0, n = 0, star = std::string_view::npos, retry = 0;
    while (n < name.size()) {
        bool fits = false;
        std::size_t next = p + 1;
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            retry = n;
            continue;
        }
        if (p < pattern.size()) {
            const Set set = pattern[p] == '[' ? read_set(pattern, p, name[n]) : Set{};
            if (set.closed) {
                fits = set.has;
                next = set.end;
            } else if (pattern[p] == '\\' && p + 1 < pattern.size()) {
                fits = pattern[p + 1] == name[n];
                next = p + 2;
            } else {
                fits = pattern[p] == '?' || pattern[p] == name[n];
            }
        }
        if (fits) {
            p = next;
            ++n;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            n = ++retry;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*') ++p;
    return p == pattern.size();
}

NamePattern::NamePattern(std::string_view text) : text_(text) {
    const auto is_literal = [](std::string_view part) {
        return part.find_first_of("*?[\\") == std::string_view::npos;
    };
    if (is_literal(text)) {
        shape_ = Shape::name;
    } else if (text[0] == '*' && is_literal(text.substr(1))) {
        shape_ = Shape::suffix;
        text_.erase(0, 1);
    }
}

bool NamePattern::matches(std::string_view name) const {
    switch (shape_) {
        case Shape::name:
            return name == text_;
        case Shape::suffix:
            return name.ends_with(text_);
        case Shape::glob:
            break;
    }
    return name_matches(text_, name);
}

Glob::Glob(std::string_view pattern, Braces braces) {
    std::vector<std::string> written;
    if (braces == Braces::alternatives && pattern.find('{') != std::string_view::npos) {
        expand(std::string(pattern), written);
    } else {
        written.emplace_back(pattern);
    }
    for (const std::string& one : written) {
        const bool has_slash = one.find('/') != std::string::npos;
        alternatives_.push_back(
            {NamePattern(one), has_slash ? split_path(one) : std::vector<std::string>()});
    }
}

bool Glob::matches(std::string_view path) const {
    std::vector<std::string> names;
    for (const Alternative& alternative : alternatives_) {
        if (alternative.names.empty()) {
            if (alternative.name.matches(last_name(path))) return true;
            continue;
        }
        if (names.empty()) names = split_path(path);
        if (path_matches(alternative.names, names)) return true;
    }
    return false;
}

bool Glob::has_wildcards(std::string_view text) {
    return text.find_first_of("*?[{") != std::string_view::npos;
}

bool any_matches(const std::vector<Glob>& globs, std::string_view path) {
    return std::any_of(globs.begin(), globs.end(),
                       [&](const Glob& glob) { return glob.matches(path); });
}

std::vector<Glob> globs_of(const std::vector<std::string>& patterns) {
    std::vector<Glob> out;
    out.reserve(patterns.size());
    for (const std::string& pattern : patterns) out.emplace_back(pattern);
    return out;
}

std::vector<std::string> split_path(std::string_view path) {
    std::vector<std::string> out;
    for (std::size_t from = 0; from < path.size();) {
        std::size_t to = path.find('/', from);
        if (to == std::string_view::npos) to = path.size();
        const std::string_view name = path.substr(from, to - from);
        if (!name.empty() && name != ".") out.emplace_back(name);
        from = to + 1;
    }
    return out;
}

std::string_view last_name(std::string_view path) {
    const auto slash = path.rfind('/');
    return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

}  // namespace file_operations
