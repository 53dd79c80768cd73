#include "repo/contained.hpp"

#include <algorithm>
#include <sstream>
#include <string>
#include <system_error>

#include "repo/handle.hpp"
#include "repo/pipes.hpp"

namespace git {
namespace {

namespace fs = std::filesystem;

constexpr int kDeepestAlternate = 5;  // git's own limit

std::string first_line(const fs::path& file) {
    auto line = read_regular(file);
    line.resize(std::min(line.find('\n'), line.size()));
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
    return line;
}

// The folder's list includes the kind of a plain file, so no stat is needed.
void check_kind(const fs::directory_entry& entry) {
    std::error_code unknown;
    const auto type = entry.symlink_status(unknown).type();
    if (type != fs::file_type::regular && type != fs::file_type::directory)
        refuse_pipe(entry.path(), entry.path().string());
}

// Checks the kinds of loose objects.
void check_objects(const fs::path& objects) {
    std::error_code fault;
    for (const auto& folder : fs::directory_iterator(objects, fault)) {
        if (folder.path().filename().native().size() != 2) continue;
        std::error_code unreadable;
        for (const auto& object : fs::directory_iterator(folder, unreadable)) check_kind(object);
    }
}

void check_links(const fs::path& folder, const fs::path& workspace, bool recursive) {
    std::error_code fault;
    fs::directory_iterator entry(folder, fault);
    for (; !fault && entry != fs::directory_iterator(); entry.increment(fault)) {
        std::error_code unknown;
        if (entry->is_symlink(unknown)) {
            keep_in(entry->path(), workspace, "a link in the repository");
        }
        check_kind(*entry);
        if (entry->is_symlink(unknown)) continue;
        if (recursive && entry->is_directory(unknown)) check_links(entry->path(), workspace, true);
    }
}

void check_alternates(const fs::path& objects, const fs::path& workspace, int depth) {
    std::istringstream stream(read_regular(objects / "info/alternates"));
    for (std::string line; std::getline(stream, line);) {
        if (line.empty() || line.front() == '#') continue;
        const auto other = objects / line;  // an absolute line replaces it
        keep_in(other, workspace, "objects/info/alternates");
        if (depth == kDeepestAlternate) fail("objects/info/alternates is nested too deeply");
        check_alternates(resolved(other), workspace, depth + 1);
    }
}

}  // namespace

fs::path resolved(const fs::path& path) {
    std::error_code fault;
    auto out = fs::weakly_canonical(path, fault);
    if (fault) fail("cannot resolve the path '" + path.string() + "': " + fault.message());
    if (!out.has_filename()) out = out.parent_path();  // "folder/" means "folder"
    return out;
}

bool lies_in(const fs::path& path, const fs::path& folder) {
    auto own = path.begin();
    for (const auto& part : folder) {
        if (own == path.end() || *own != part) return false;
        ++own;
    }
    return true;
}

void keep_in(const fs::path& path, const fs::path& workspace, std::string_view what) {
    if (lies_in(resolved(path), workspace)) return;
    deny("path_not_allowed", std::string(what) + " leaves the workspace: '" + path.string() +
                                 "'; use a repository that is entirely in the workspace");
}

fs::path git_folder(const fs::path& dot_git) {
    std::error_code fault;
    if (!fs::is_regular_file(dot_git, fault)) return dot_git;
    constexpr std::string_view kMark = "gitdir: ";
    const auto line = first_line(dot_git);
    if (line.compare(0, kMark.size(), kMark) != 0) return dot_git;
    return dot_git.parent_path() / line.substr(kMark.size());
}

// The targets of links to loose objects are not checked: only a git object with that hash is
// accepted from them.
void check_git_folder(const fs::path& folder, const fs::path& workspace) {
    keep_in(folder, workspace, "the repository's .git");
    const auto own = resolved(folder);
    std::error_code fault;
    auto common = own;
    if (fs::exists(own / "commondir", fault)) {
        common = own / first_line(own / "commondir");
        keep_in(common, workspace, "the repository's commondir");
        common = resolved(common);
        check_links(own, workspace, false);
    }
    check_links(common, workspace, false);
    for (const char* part : {"refs", "logs", "info", "worktrees", "objects/info", "objects/pack"})
        check_links(common / part, workspace, true);
    check_links(common / "objects", workspace, false);
    check_objects(common / "objects");
    check_alternates(common / "objects", workspace, 0);
}

namespace {

// Names are in lower case, except the middle part.
bool is_path_option(std::string_view name) {
    for (const char* one : {"include.path", "core.worktree", "core.excludesfile",
                            "core.attributesfile", "mailmap.file"})
        if (name == one) return true;
    return name.starts_with("includeif.") && name.ends_with(".path");
}

}  // namespace

void check_config(git_repository* repository, const fs::path& workspace) {
    const fs::path base = git_repository_commondir(repository);
    const auto config =
        make<Config>("cannot read the configuration", git_repository_config_snapshot, repository);
    // Lists all entries: libgit2 1.5 leaks memory for each entry that a pattern does not match.
    const auto entries = make<ConfigIterator>("cannot read the configuration",
                                              git_config_iterator_new, config.get());
    git_config_entry* entry = nullptr;
    while (true) {
        const int code = git_config_next(&entry, entries.get());
        if (code == GIT_ITEROVER) return;
        check(code, "cannot read the configuration");
        if (!is_path_option(entry->name) || !entry->value) continue;
        keep_in(base / entry->value, workspace, std::string("the configuration's ") + entry->name);
    }
}

}  // namespace git
