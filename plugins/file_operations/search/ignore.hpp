// Rules of .gitignore, .ignore and .git/info/exclude, as in git: the last matching line decides,
// deeper files take precedence, and nothing inside an ignored folder can be included again.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "access/glob.hpp"

namespace file_operations {

struct IgnoreLine {
    NamePattern name;                // without slashes: matches names in any folder
    std::vector<std::string> names;  // with slashes: matched from the file's own folder
    bool back = false;               // '!': not ignored after all
    bool folders_only = false;
};

[[nodiscard]] std::vector<IgnoreLine> parse_ignore_file(std::string_view content);

// The rules of one folder, and those of the folders above it.
class IgnoreRules {
public:
    using Shared = std::shared_ptr<const IgnoreRules>;

    // `folder` is relative to the root; the last of `lines` has precedence. Without lines returns
    // `above`.
    [[nodiscard]] static Shared below(Shared above, std::string folder,
                                      std::vector<IgnoreLine> lines);

    // `path` is relative to the root.
    [[nodiscard]] static bool ignores(const Shared& rules, std::string_view path, bool is_folder);

private:
    Shared above_;
    std::string folder_;
    std::vector<IgnoreLine> lines_;
};

}  // namespace file_operations
