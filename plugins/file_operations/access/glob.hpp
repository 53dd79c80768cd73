// Path patterns: `*` and `?` within a name, `[a-z]`, `**` for any folders, `{a,b}` for either.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace file_operations {

// One name against one pattern without '/'. Linear in practice: only the last `*` is tried again.
[[nodiscard]] bool name_matches(std::string_view pattern, std::string_view name);

// A pattern for one name; most are a name as it is, or `*.ext`, and those cost next to nothing.
class NamePattern {
public:
    explicit NamePattern(std::string_view text);
    [[nodiscard]] bool matches(std::string_view name) const;

private:
    std::string text_;
    enum class Shape { name, suffix, glob } shape_ = Shape::glob;
};

// A whole path against the names between a pattern's slashes.
[[nodiscard]] bool names_match(const std::vector<std::string>& pattern, std::string_view path);

class Glob {
public:
    enum class Braces { literal, alternatives };
    explicit Glob(std::string_view pattern, Braces braces = Braces::alternatives);

    // A pattern without '/' is about the last name of the path, whatever folder it is in.
    [[nodiscard]] bool matches(std::string_view path) const;

    [[nodiscard]] static bool has_wildcards(std::string_view text);

private:
    struct Alternative {
        NamePattern name;                // if there is no slash
        std::vector<std::string> names;  // between slashes; empty without a slash
    };
    std::vector<Alternative> alternatives_;
};

[[nodiscard]] bool any_matches(const std::vector<Glob>& globs, std::string_view path);
[[nodiscard]] std::vector<Glob> globs_of(const std::vector<std::string>& patterns);

// `a/b` as its names; empty ones and `.` are left out.
[[nodiscard]] std::vector<std::string> split_path(std::string_view path);
[[nodiscard]] std::string_view last_name(std::string_view path);

}  // namespace file_operations
