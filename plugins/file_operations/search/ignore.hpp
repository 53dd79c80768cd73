// What .gitignore, .ignore and .git/info/exclude leave out, by git's rules: the last line that
// matches decides, a deeper file before a higher one, and nothing inside an ignored folder comes
// back.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "access/glob.hpp"

namespace file_operations {

struct IgnoreLine {
    NamePattern name;                // where it has no slash: any folder's names
    std::vector<std::string> names;  // else: matched from the file's own folder
    bool back = false;               // '!': not ignored after all
    bool folders_only = false;
};

[[nodiscard]] std::vector<IgnoreLine> parse_ignore_file(std::string_view content);

// The lines of one folder, and those of the folders above it.
class IgnoreRules {
public:
    using Shared = std::shared_ptr<const IgnoreRules>;

    // `folder` from the root; `lines` with the strongest last. Without lines it is `above` itself.
    [[nodiscard]] static Shared below(Shared above, std::string folder,
                                      std::vector<IgnoreLine> lines);

    // `path` from the root.
    [[nodiscard]] static bool ignores(const Shared& rules, std::string_view path, bool is_folder);

private:
    Shared above_;
    std::string folder_;
    std::vector<IgnoreLine> lines_;
};

}  // namespace file_operations
