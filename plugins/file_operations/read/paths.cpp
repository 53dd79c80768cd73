#include "read/paths.hpp"

#include <algorithm>
#include <set>

#include "access/folder.hpp"
#include "text/names.hpp"

namespace file_operations {
namespace {

constexpr std::size_t max_path_notes = 20;

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\n");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

// Splits `src/ui/*.c` into the folder `src/ui` and the pattern `*.c`.
struct Split {
    std::string folder;
    std::string pattern;
};
Split split_pattern(const std::string& text) {
    const auto wild = std::min(text.find_first_of("*?[{"), text.size());
    const auto slash = text.rfind('/', wild);
    if (slash == std::string::npos) return {".", text};
    return {slash == 0 ? "/" : text.substr(0, slash), text.substr(slash + 1)};
}

class Expansion {
public:
    Expansion(const Access& access, const PathQuestion& question)
        : access_(access), question_(question) {}

    // Adds the files of a part; returns an error if there are none. Parts keep the requested order,
    // the files of one part are sorted by name.
    std::optional<Refusal> add(const std::string& part) {
        const auto before = static_cast<long>(paths_.size());
        auto refusal = take_part(part);
        std::sort(paths_.begin() + before, paths_.end());
        return refusal;
    }

    PathList take() {
        list_.paths = std::move(paths_);
        return std::move(list_);
    }
    [[nodiscard]] bool empty() const { return paths_.empty(); }
    void note(std::string text) {
        if (list_.notes.size() < max_path_notes) list_.notes.push_back(std::move(text));
    }

private:
    static bool is_pattern(const std::string& part) { return Glob::has_wildcards(part); }

    std::optional<Refusal> take_part(const std::string& part) {
        if (question_.past && !is_pattern(part)) {
            const auto was = find_past(access_, part);
            if (!was) return was.failure();
            if (!was->exists) {
                keep(access_.shown(*was));
                return std::nullopt;
            }
        }
        auto place = access_.find(part);
        if (!place && (place.failure().why != Refusal::Why::failed || !is_pattern(part))) {
            return place.failure();
        }
        if (place && place->exists && !S_ISDIR(place->status.st_mode)) {
            keep(access_.shown(*place));
            return std::nullopt;
        }
        if (place && place->exists) return walk(part, "");
        const std::size_t before = paths_.size();
        const auto [folder, pattern] = split_pattern(part);
        if (auto refusal = walk(folder, pattern)) return refusal;
        if (paths_.size() == before) return failed(shown_name(part) + ": no such file");
        return std::nullopt;
    }

    void keep(std::string path) {
        if (seen_.count(path) > 0) return;
        if (paths_.size() >= question_.most) {
            list_.more = true;
            return;
        }
        seen_.insert(path);
        paths_.push_back(std::move(path));
    }

    // The files in a folder, or those that match a pattern.
    std::optional<Refusal> walk(const std::string& folder, const std::string& pattern) {
        auto place = access_.find(folder);
        if (!place) return place.failure();
        if (!place->exists || !S_ISDIR(place->status.st_mode)) return failed("no such folder");
        const bool anywhere = pattern.find('/') == std::string::npos;
        const Glob glob(pattern);
        Walk walk;
        walk.root = place->root;
        walk.path = place->path;
        walk.cancelled = question_.cancelled;
        walk.note = [this](const std::string& text) { note(text); };
        // A pattern with a leading dot selects hidden files.
        walk.hidden = pattern.substr(0, 1) == "." || pattern.find("/.") != std::string::npos;
        if (!question_.recursive && anywhere) walk.max_depth = 1;
        const std::size_t skip = place->path.empty() ? 0 : place->path.size() + 1;
        walk.visit = [&](const Found& found) {
            const bool file = found.entry.kind == Kind::file || found.entry.kind == Kind::link;
            if (file && (pattern.empty() || glob.matches(found.path.substr(skip)))) {
                if (found.entry.kind == Kind::file || leads_to_file(place->root, found.path)) {
                    keep(access_.shown(place->root, found.path));
                }
            }
            stop_ = list_.more;
            return true;
        };
        if (!walk_tree(access_, walk, &stop_) && !stop_) return was_cancelled();
        return std::nullopt;
    }

    [[nodiscard]] bool leads_to_file(std::size_t root, std::string_view path) const {
        const auto end = access_.find(access_.absolute(root, path));
        return end && end->exists && S_ISREG(end->status.st_mode);
    }

    const Access& access_;
    const PathQuestion& question_;
    std::vector<std::string> paths_;
    std::set<std::string> seen_;
    PathList list_;
    bool stop_ = false;
};

}  // namespace

std::vector<std::string> split_list(std::string_view list) {
    std::vector<std::string> out;
    std::size_t from = 0;
    int depth = 0;
    // An unclosed brace is an ordinary character.
    const bool braces =
        std::count(list.begin(), list.end(), '{') == std::count(list.begin(), list.end(), '}');
    for (std::size_t i = 0; i <= list.size(); ++i) {
        if (braces && i < list.size() && list[i] == '{') ++depth;
        if (braces && i < list.size() && list[i] == '}') --depth;
        if (i < list.size() && (list[i] != ',' || depth > 0)) continue;
        const std::string_view part = trimmed(list.substr(from, i - from));
        if (!part.empty()) out.emplace_back(part);
        from = i + 1;
    }
    return out;
}

Outcome<Place> find_past(const Access& access, const std::string& text) {
    auto place = access.find(text);
    if (place || place.failure().why != Refusal::Why::failed) return place;
    const auto slash = text.find_last_of('/');
    if (slash == std::string::npos || slash == 0) return place;
    const std::string name = text.substr(slash + 1);
    if (name.empty() || name == "." || name == "..") return place;
    const auto above = find_past(access, text.substr(0, slash));
    if (!above) return place;
    Place was;
    was.root = above->root;
    was.path = join_path(above->path, name);
    was.name = name;
    if (auto refusal = access.judge(was.root, was.path, false)) return *refusal;
    return was;
}

Outcome<PathList> expand_paths(const Access& access, const PathQuestion& question) {
    Expansion expansion(access, question);
    std::vector<std::string> parts = split_list(question.list);
    // A name may contain a comma.
    if (parts.size() > 1) {
        const auto whole = access.find(question.list);
        if (whole && whole->exists) parts = {question.list};
    }
    for (const std::string& part : parts) {
        const auto refusal = expansion.add(part);
        if (!refusal) continue;
        if (refusal->why != Refusal::Why::failed) return *refusal;
        expansion.note(refusal->message);
    }
    if (!expansion.empty()) return expansion.take();
    std::string message = "no files found matching " + std::string(question.list);
    for (const std::string& note : expansion.take().notes) message += "; " + note;
    return failed(message);
}

}  // namespace file_operations
