#include "list/listing.hpp"

#include <fcntl.h>
#include <linux/limits.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <set>
#include <tuple>

#include "read/parts.hpp"
#include "text/names.hpp"

namespace file_operations {
namespace {

// With more entries, sorting and counting would take too long.
constexpr std::size_t max_looked_at = 100000;
constexpr std::size_t max_notes = 20;
constexpr std::size_t entries_between_words = 5000;

std::string link_target(int folder, const std::string& name) {
    std::string target(PATH_MAX, '\0');
    const ssize_t size = ::readlinkat(folder, name.c_str(), target.data(), target.size());
    return size < 0 ? "" : shown_name(target.substr(0, static_cast<std::size_t>(size)));
}

std::string folder_of(const std::string& path) {
    const auto slash = path.rfind('/');
    return slash == std::string::npos ? "" : path.substr(0, slash);
}

void describe(int folder, const std::string& name, ListedEntry& entry) {
    struct stat status {};
    if (::fstatat(folder, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) return;
    entry.kind = kind_of(status);
    entry.size = entry.kind == Kind::file ? static_cast<std::uint64_t>(status.st_size) : 0;
    entry.modified = status.st_mtim.tv_sec;
    entry.mode = status.st_mode;
    if (entry.kind == Kind::link) entry.target = link_target(folder, name);
}

int rank(Kind kind) {
    return kind == Kind::folder ? 0 : 1 + static_cast<int>(kind);
}

void sort_entries(std::vector<ListedEntry>& entries, SortBy by, bool reverse) {
    const auto before = [by](const ListedEntry& a, const ListedEntry& b) {
        // The largest and the newest first; equal ones by name.
        switch (by) {
            case SortBy::size:
                return std::tie(b.size, a.below) < std::tie(a.size, b.below);
            case SortBy::time:
                return std::tie(b.modified, a.below) < std::tie(a.modified, b.below);
            case SortBy::kind:
                if (a.kind != b.kind) return rank(a.kind) < rank(b.kind);
                break;
            case SortBy::name:
                break;
        }
        return a.below < b.below;
    };
    std::sort(entries.begin(), entries.end(), before);
    if (reverse) std::reverse(entries.begin(), entries.end());
}

// Keeps folders that contain listed entries, and drops the others.
void drop_unused_folders(std::vector<ListedEntry>& entries) {
    std::set<std::string> used;
    for (const ListedEntry& entry : entries) {
        if (!entry.is_listed) continue;
        for (std::string folder = folder_of(entry.below); !folder.empty();
             folder = folder_of(folder)) {
            if (!used.insert(folder).second) break;
        }
    }
    std::erase_if(entries, [&](const ListedEntry& entry) {
        return !entry.is_listed && used.count(entry.below) == 0;
    });
}

// Counts all entries, including those that do not fit into the result.
void count(Listed& listed) {
    for (const ListedEntry& entry : listed.entries) {
        if (!entry.is_listed) continue;
        ++(entry.kind == Kind::folder ? listed.folders : listed.files);
        listed.bytes += entry.size;
    }
}

void cut(Listed& listed, std::size_t most) {
    count(listed);
    std::size_t kept = 0;
    std::erase_if(listed.entries,
                  [&](const ListedEntry& entry) { return entry.is_listed && ++kept > most; });
    listed.more = listed.more || kept > most;
    drop_unused_folders(listed.entries);
}

class TreeWriter {
public:
    explicit TreeWriter(const Listed& listed) {
        for (const ListedEntry& entry : listed.entries) {
            below_[folder_of(entry.below)].push_back(&entry);
        }
    }

    void write(const std::string& folder, const std::string& indent, std::string& out) const {
        const auto found = below_.find(folder);
        if (found == below_.end()) return;
        for (std::size_t i = 0; i < found->second.size(); ++i) {
            const ListedEntry& entry = *found->second[i];
            const bool last = i + 1 == found->second.size();
            out += indent + (last ? "└── " : "├── ") + shown_name(last_name(entry.below));
            if (entry.kind == Kind::folder) out += '/';
            if (entry.kind == Kind::link) out += " -> " + entry.target;
            if (entry.kind == Kind::file) out += " (" + size_text(entry.size) + ')';
            out += '\n';
            if (entry.kind == Kind::folder) {
                write(entry.below, indent + (last ? "    " : "│   "), out);
            }
        }
    }

private:
    std::map<std::string, std::vector<const ListedEntry*>> below_;
};

}  // namespace

std::string_view name_of(Kind kind) {
    switch (kind) {
        case Kind::file:
            return "file";
        case Kind::folder:
            return "folder";
        case Kind::link:
            return "link";
        case Kind::other:
            break;
    }
    return "other";
}

Outcome<Listed> list_path(const ListQuestion& asked) {
    auto place = asked.access.find(asked.path);
    if (!place) return place.failure();
    Listed listed;
    listed.path = asked.access.shown(*place);
    if (!place->exists) return failed(listed.path + ": no such file or folder");
    if (!S_ISDIR(place->status.st_mode)) {
        ListedEntry entry;
        entry.path = listed.path;
        entry.below = last_name(place->path);
        describe(place->folder.get(), place->name, entry);
        listed.entries.push_back(std::move(entry));
        cut(listed, asked.max_results);
        return listed;
    }
    const Glob glob(asked.pattern);
    const std::size_t skip = place->path.empty() ? 0 : place->path.size() + 1;
    bool stop = false;
    Walk walk;
    walk.root = place->root;
    walk.path = place->path;
    walk.max_depth = asked.depth;
    walk.hidden = asked.hidden;
    walk.cancelled = asked.cancelled;
    walk.note = [&](const std::string& note) {
        if (listed.notes.size() < max_notes) listed.notes.push_back(note);
    };
    walk.visit = [&](const Found& found) {
        ListedEntry entry;
        entry.below = found.path.substr(skip);
        entry.kind = found.entry.kind;
        entry.is_listed = (asked.pattern.empty() || glob.matches(entry.below)) &&
                          (asked.kind.empty() || asked.kind == name_of(entry.kind));
        if (!entry.is_listed && entry.kind != Kind::folder) return true;
        entry.path = asked.access.shown(place->root, found.path);
        describe(found.folder, found.entry.name, entry);
        listed.entries.push_back(std::move(entry));
        stop = listed.more = listed.entries.size() >= max_looked_at;
        if (asked.progress && listed.entries.size() % entries_between_words == 0) {
            asked.progress(listed.entries.size());
        }
        return true;
    };
    if (!walk_tree(asked.access, walk, &stop) && !stop) return was_cancelled();
    if (asked.cancelled && asked.cancelled()) return was_cancelled();
    sort_entries(listed.entries, asked.sort, asked.reverse);
    cut(listed, asked.max_results);
    return listed;
}

std::string tree_text(const Listed& listed) {
    std::string out = listed.path + '\n';
    TreeWriter(listed).write("", "", out);
    return out;
}

std::string flat_text(const Listed& listed) {
    std::string out;
    for (const ListedEntry& entry : listed.entries) {
        if (!entry.is_listed) continue;
        const std::string size = std::to_string(entry.size);
        out += mode_text(entry.mode) + ' ' +
               std::string(size.size() < 12 ? 12 - size.size() : 0, ' ') + size + ' ' +
               time_text(entry.modified) + ' ' + entry.path;
        if (entry.kind == Kind::folder) out += '/';
        if (entry.kind == Kind::link) out += " -> " + entry.target;
        out += '\n';
    }
    return out;
}

}  // namespace file_operations
