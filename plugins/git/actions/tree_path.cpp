#include "actions/tree_path.hpp"

#include <cstring>

namespace git {
namespace {

// As in git, only the executable bit of a file's mode counts.
unsigned usual(unsigned mode) {
    if ((mode & 0170000U) != 0100000U) return mode;
    return (mode & 0100U) != 0 ? unsigned{GIT_FILEMODE_BLOB_EXECUTABLE}
                               : unsigned{GIT_FILEMODE_BLOB};
}

// Searches a tree's bytes: "<mode> <name>\0<id>", repeated without separators.
Entry entry_named(std::string_view tree, std::string_view name) {
    Entry entry;
    while (!tree.empty()) {
        unsigned mode = 0;
        std::size_t at = 0;
        for (; at < tree.size() && tree[at] >= '0' && tree[at] <= '7'; ++at)
            mode = mode * 8 + static_cast<unsigned>(tree[at] - '0');
        const auto end = tree.find('\0', at);
        if (end == std::string_view::npos || tree.size() - end - 1 < GIT_OID_RAWSZ ||
            tree[at] != ' ')
            fail("cannot read a tree: it is malformed");
        if (tree.substr(at + 1, end - at - 1) == name) {
            std::memcpy(entry.id.id, tree.data() + end + 1, GIT_OID_RAWSZ);
            entry.mode = usual(mode);
            return entry;
        }
        tree.remove_prefix(end + 1 + GIT_OID_RAWSZ);
    }
    return entry;
}

}  // namespace

TreePath::TreePath(std::string_view path) {
    while (true) {
        const auto end = path.find('/');
        levels_.push_back({.name = std::string(path.substr(0, end))});
        if (end == std::string_view::npos) return;
        path.remove_prefix(end + 1);
    }
}

Entry TreePath::find(const History& history, const git_oid& tree) {
    Entry entry{tree, GIT_FILEMODE_TREE};
    for (auto& level : levels_) {
        if (entry.mode != GIT_FILEMODE_TREE) return {};
        if (git_oid_equal(&level.tree, &entry.id) == 0) {
            level.found = entry_named(history.raw(entry.id, GIT_OBJECT_TREE).bytes(), level.name);
            level.tree = entry.id;
        }
        entry = level.found;
    }
    return entry;
}

}  // namespace git
