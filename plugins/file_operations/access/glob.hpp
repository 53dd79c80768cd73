// Path patterns: `*` and `?` within a name, `[a-z]`, `**` for any folders, `{a,b}` for
// alternatives.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace file_operations {

// Matches one name against one pattern without '/'. Linear in practice: only the last `*` is tried
// again.
[[nodiscard]] bool name_matches(std::string_view pattern, std::string_view name);

// A pattern for one name. Most are a plain name or `*.ext`, which are fast.
class NamePattern {
public:
    explicit NamePattern(std::string_view text);
    [[nodiscard]] bool matches(std::string_view name) const;

private:
    std::string text_;
    enum class Shape { name, suffix, glob } shape_ = Shape::glob;
};

// Matches a whole path against the names between a pattern's slashes.
[[nodiscard]] bool names_match(const std::vector<std::string>& pattern, std::string_view path);

class Glob {
public:
    enum class Braces { literal, alternatives };
    explicit Glob(std::string_view pattern, Braces braces = Braces::alternatives);

    // A pattern without '/' applies to the last name of a path in any folder.
    [[nodiscard]] bool matches(std::string_view path) const;

    [[nodiscard]] static bool has_wildcards(std::string_view text);

private:
    struct Alternative {
        NamePattern name;                // used without slashes
        std::vector<std::string> names;  // between slashes; empty without slashes
    };
    std::vector<Alternative> alternatives_;
};

[[nodiscard]] bool any_matches(const std::vector<Glob>& globs, std::string_view path);
[[nodiscard]] std::vector<Glob> globs_of(const std::vector<std::string>& patterns);

// Splits `a/b` into its names; drops empty ones and `.`.
[[nodiscard]] std::vector<std::string> split_path(std::string_view path);
[[nodiscard]] std::string_view last_name(std::string_view path);

}  // namespace file_operations
