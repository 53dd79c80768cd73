// The only way to files: names beneath the policy's roots.
//
// A path is text, and text lies: a link may lead anywhere, `..` through a link is not where it
// looks to be, and all may change between a check and its use. So a path is walked from a root's
// descriptor, and what is judged is where that walk ended. Links are followed if they stay inside.
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

// Where a path leads to: a name in an open folder. The name is "." for a root itself.
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

    // Walks to where the text leads, and judges the text and the end by the policy. The last name
    // need not exist.
    [[nodiscard]] Outcome<Place> find(std::string_view text, Purpose purpose = Purpose::read) const;

    // An existing regular file, for reading. Never waits, whatever the name turns out to be.
    [[nodiscard]] Outcome<Descriptor> open_file(const Place& place) const;
    [[nodiscard]] Outcome<Descriptor> open_folder(const Place& place) const;
    // A folder without any link on the way, beneath a root.
    [[nodiscard]] Outcome<Descriptor> open_folder(std::size_t root, const std::string& path) const;

    // Why the policy forbids a path beneath a root; nothing if it allows it.
    [[nodiscard]] std::optional<Refusal> judge(std::size_t root, std::string_view path,
                                               bool is_folder) const;
    // The same for what may be read but not written.
    [[nodiscard]] std::optional<Refusal> judge_writing(std::size_t root, std::string_view path) const;
    // The same for one more name of a path that was judged, quickly.
    [[nodiscard]] bool allows_name(std::string_view path, std::string_view name,
                                   bool is_folder) const;

    // As people read and write it: from the workspace where it is inside, else absolute.
    [[nodiscard]] std::string shown(std::size_t root, std::string_view path) const;
    [[nodiscard]] std::string shown(const Place& place) const {
        return shown(place.root, place.path);
    }
    // For libraries that open files by name.
    [[nodiscard]] std::string absolute(std::size_t root, std::string_view path) const;
    // Whether an absolute path without links is beneath a root.
    [[nodiscard]] bool is_inside(std::string_view real_path) const;

private:
    struct Root {
        std::string text;  // as the policy says it, absolute
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

// The words for an errno, with what to do about it where there is something.
[[nodiscard]] Refusal system_refusal(const std::string& what, int error);

}  // namespace file_operations
