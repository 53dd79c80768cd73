#include "actions/pathspec.hpp"

#include <set>

#include "actions/text.hpp"

namespace git {
namespace {

using MatchList = Handle<git_pathspec_match_list, git_pathspec_match_list_free>;

PathspecSet pathspec_of(const std::vector<std::string>& paths) {
    std::vector<std::string> specs;
    for (const auto& path : paths) specs.push_back(as_pathspec(path));
    TextArray texts(std::move(specs));
    auto raw = texts.get();
    return make<PathspecSet>("cannot understand the paths", git_pathspec_new, &raw);
}

// Matches all paths in one pass.
template <class Match>
std::vector<std::string> failed_of(std::vector<std::string> paths, Match match) {
    if (paths.empty()) return paths;
    const auto specs = pathspec_of(paths);
    git_pathspec_match_list* raw = nullptr;
    check(match(&raw, GIT_PATHSPEC_FIND_FAILURES | GIT_PATHSPEC_FAILURES_ONLY, specs.get()),
          "cannot match the paths");
    const MatchList list(raw);
    std::set<std::string> failed;
    for (std::size_t i = 0; i < git_pathspec_match_list_failed_entrycount(raw); ++i)
        failed.insert(git_pathspec_match_list_failed_entry(raw, i));
    std::erase_if(paths, [&](const auto& path) { return !failed.contains(as_pathspec(path)); });
    return paths;
}

}  // namespace

std::string as_pathspec(const std::string& path) {
    if (path == ".") return "*";
    auto out = path;
    // A class with one character matches only that character, and is not special to the parser.
    if (out.back() == ' ' || out.back() == '\t')
        out.replace(out.size() - 1, 1, std::string{'[', out.back(), ']'});
    if (out.front() == '!') out.replace(0, 1, "[\\!]");
    if (out.front() == '#') out.replace(0, 1, "[#]");
    return out;
}

std::vector<std::string> named_paths(const Call& call) {
    std::vector<std::string> out;
    const auto add = [&](const std::string& path, const char* field) {
        // libgit2 ends a pathspec at a line end.
        if (path.find_first_of("\r\n") != std::string::npos)
            throw Misuse{field, "a name with a line end cannot be matched; use * or ?"};
        out.push_back(call.repo.path_inside(path));
    };
    if (call.request.path) add(*call.request.path, "path");
    for (const auto& path : call.request.paths.value_or(std::vector<std::string>()))
        add(path, "paths");
    return out;
}

bool is_pattern(const std::string& path) {
    return path.find_first_of("*?[") != std::string::npos;
}

std::vector<std::string> unmatched(std::vector<std::string> paths, git_index* index) {
    return failed_of(std::move(paths), [&](auto** out, unsigned flags, git_pathspec* specs) {
        return git_pathspec_match_index(out, index, flags, specs);
    });
}

std::vector<std::string> unmatched(std::vector<std::string> paths, git_tree* tree) {
    if (tree == nullptr) return paths;  // no commits yet
    return failed_of(std::move(paths), [&](auto** out, unsigned flags, git_pathspec* specs) {
        return git_pathspec_match_tree(out, tree, flags, specs);
    });
}

std::vector<std::string> unmatched(std::vector<std::string> paths, git_diff* diff) {
    return failed_of(std::move(paths), [&](auto** out, unsigned flags, git_pathspec* specs) {
        return git_pathspec_match_diff(out, diff, flags, specs);
    });
}

void need_matched(const std::vector<std::string>& missed, const std::string& where) {
    if (missed.empty()) return;
    std::vector<std::string> shown;
    for (const auto& path : missed) shown.push_back("'" + shown_path(path) + "'");
    fail("no file " + joined(shown, ", ") + " in " + where +
         "; list them with actions status and files");
}

}  // namespace git
