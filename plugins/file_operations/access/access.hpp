// The only way to access files: names below the policy's roots.
//
// A path is untrusted text: a link may lead anywhere, `..` after a link is not the folder that it
// seems to be, and everything may change between a check and its use. So a path is resolved step by
// step from a root's descriptor, and the result is checked. Links are followed if they stay inside
// of the root.
#pragma once

#include <sys/stat.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "access/descriptor.hpp"
#include "access/glob.hpp"
#include "access/outcome.hpp"
#include "access/rules.hpp"

namespace file_operations {

// The result of resolving a path: a name in an open folder. The name is "." for a root itself.
struct Place {
    std::size_t root = 0;
    std::string path;  // from the root, without links; empty for the root itself
    Descriptor folder;
    std::string name;
    bool exists = false;
    struct stat status {};
};

enum class Purpose { read, write, make_folder };

class Access {
public:
    [[nodiscard]] static Outcome<Access> open(const std::string& workspace, const Rules& rules);

    [[nodiscard]] const Rules& rules() const { return rules_; }

    // Resolves the text, and checks the text and the result against the policy. The last name need
    // not exist.
    [[nodiscard]] Outcome<Place> find(std::string_view text, Purpose purpose = Purpose::read) const;

    // Opens an existing regular file for reading. Never blocks, whatever the name has become.
    [[nodiscard]] Outcome<Descriptor> open_file(const Place& place) const;
    [[nodiscard]] Outcome<Descriptor> open_folder(const Place& place) const;
    // Opens a folder below a root. Follows no links.
    [[nodiscard]] Outcome<Descriptor> open_folder(std::size_t root, const std::string& path) const;

    // Why the policy forbids a path below a root; nothing if it is allowed.
    [[nodiscard]] std::optional<Refusal> judge(std::size_t root, std::string_view path,
                                               bool is_folder) const;
    // The same for paths that may be read but not written.
    [[nodiscard]] std::optional<Refusal> judge_writing(std::size_t root,
                                                       std::string_view path) const;
    // The same for one more name below a checked path; fast.
    [[nodiscard]] bool allows_name(std::string_view path, std::string_view name,
                                   bool is_folder) const;

    // The path for display: relative to the workspace if inside, otherwise absolute.
    [[nodiscard]] std::string shown(std::size_t root, std::string_view path) const;
    [[nodiscard]] std::string shown(const Place& place) const {
        return shown(place.root, place.path);
    }
    // For libraries that open files by name.
    [[nodiscard]] std::string absolute(std::size_t root, std::string_view path) const;
    // Whether an absolute path without links is below a root.
    [[nodiscard]] bool is_inside(std::string_view real_path) const;

private:
    struct Root {
        std::string text;  // as in the policy, absolute
        std::string real;  // without links
        Descriptor folder;
    };
    struct Start {
        std::size_t root;
        std::string rest;
    };

    [[nodiscard]] Outcome<std::string> absolute_text(std::string_view text) const;
    [[nodiscard]] std::optional<Start> start_of(std::string_view absolute_path) const;
    [[nodiscard]] Outcome<Place> walk(const Start& start, std::string_view text) const;
    [[nodiscard]] std::optional<Place> walk_quickly(const Start& start) const;

    std::string workspace_;
    Rules rules_;
    std::vector<Root> roots_;
    std::vector<Glob> denied_;
};

// The message for an errno, with advice if there is any.
[[nodiscard]] Refusal system_refusal(const std::string& what, int error);

}  // namespace file_operations
