#include "read/paths.hpp"

#include <algorithm>
#include <set>

#include "access/folder.hpp"
#include "text/names.hpp"

namespace file_operations {
namespace {

constexpr std::size_t max_notes = 20;

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\n");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

// `src/ui/*.c` begins in `src/ui`, and asks for `*.c` there.
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
        : access_(access), asked_(question) {}

    // What is wrong with the part; nothing if it was taken.
    std::optional<Refusal> add(const std::string& part) {
        auto place = access_.find(part);
        if (!place && (place.refusal().why != Refusal::Why::failed || !is_pattern(part))) {
            return place.refusal();
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

    PathList take() {
        list_.paths.assign(paths_.begin(), paths_.end());
        return std::move(list_);
    }
    [[nodiscard]] bool empty() const { return paths_.empty(); }
    void note(std::string text) {
        if (list_.notes.size() < max_notes) list_.notes.push_back(std::move(text));
    }

private:
    static bool is_pattern(const std::string& part) { return Glob::has_wildcards(part); }

    void keep(std::string path) {
        if (paths_.size() < asked_.most || paths_.count(path) > 0) {
            paths_.insert(std::move(path));
        } else {
            list_.more = true;
        }
    }

    // The files in a folder, or those that a pattern fits.
    std::optional<Refusal> walk(const std::string& folder, const std::string& pattern) {
        auto place = access_.find(folder);
        if (!place) return place.refusal();
        if (!place->exists || !S_ISDIR(place->status.st_mode)) return failed("nothing is there");
        const bool anywhere = pattern.find('/') == std::string::npos;
        const Glob glob(pattern);
        Walk walk;
        walk.root = place->root;
        walk.path = place->path;
        walk.cancelled = asked_.cancelled;
        walk.note = [this](const std::string& text) { note(text); };
        // Hidden files are asked for by a pattern with a dot.
        walk.hidden = pattern.substr(0, 1) == "." || pattern.find("/.") != std::string::npos;
        if (!asked_.recursive && anywhere) walk.max_depth = 1;
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
    const PathQuestion& asked_;
    std::set<std::string> paths_;
    PathList list_;
    bool stop_ = false;
};

}  // namespace

std::vector<std::string> split_list(std::string_view list) {
    std::vector<std::string> out;
    std::size_t from = 0;
    int depth = 0;
    for (std::size_t i = 0; i <= list.size(); ++i) {
        if (i < list.size() && list[i] == '{') ++depth;
        if (i < list.size() && list[i] == '}') --depth;
        if (i < list.size() && (list[i] != ',' || depth > 0)) continue;
        const std::string_view part = trimmed(list.substr(from, i - from));
        if (!part.empty()) out.emplace_back(part);
        from = i + 1;
    }
    return out;
}

Outcome<PathList> expand_paths(const Access& access, const PathQuestion& question) {
    Expansion expansion(access, question);
    std::vector<std::string> parts = split_list(question.list);
    // A name may have a comma in it.
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
