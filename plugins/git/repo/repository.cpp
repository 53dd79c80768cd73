#include "repo/repository.hpp"

#include <mutex>

#include "repo/contained.hpp"

namespace git {
namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path& path) {
    std::error_code unknown;
    return fs::exists(fs::symlink_status(path, unknown));
}

// Finds the repository's data: `.git` in the folder or a parent, or a bare repository.
fs::path find_dot_git(const fs::path& start, const fs::path& workspace) {
    for (auto folder = start; lies_in(folder, workspace); folder = folder.parent_path()) {
        if (is_there(folder / ".git")) return folder / ".git";
        if (is_there(folder / "HEAD") && is_there(folder / "objects") && is_there(folder / "refs"))
            return folder;
        if (folder == folder.root_path()) break;
    }
    fail("no git repository at '" + start.string() + "' or above it in the workspace");
}

}  // namespace

void prepare_library() {
    static std::once_flag once;
    std::call_once(once, [] {
        check(git_libgit2_init(), "cannot start libgit2");
        for (const int level : {GIT_CONFIG_LEVEL_SYSTEM, GIT_CONFIG_LEVEL_XDG,
                                GIT_CONFIG_LEVEL_GLOBAL, GIT_CONFIG_LEVEL_PROGRAMDATA})
            check(git_libgit2_opts(GIT_OPT_SET_SEARCH_PATH, level, ""),
                  "cannot close the configuration");
        // The owner of files does not matter: nothing in them is executed, the operator has chosen
        // the workspace, and no configuration is left that could list exceptions.
        check(git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0), "cannot set libgit2 up");
        // As in git, objects are not hashed again when they are read.
        check(git_libgit2_opts(GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION, 0), "libgit2");
        // Without it a folder with hundreds of files is read again for every commit.
        check(git_libgit2_opts(GIT_OPT_SET_CACHE_OBJECT_LIMIT, GIT_OBJECT_TREE, std::size_t{65536}),
              "libgit2");
        // Fits limits.memoryMb 512 and limits.openFiles 128.
        check(git_libgit2_opts(GIT_OPT_SET_MWINDOW_SIZE, std::size_t{32} << 20), "libgit2");
        check(git_libgit2_opts(GIT_OPT_SET_MWINDOW_MAPPED_LIMIT, std::size_t{192} << 20),
              "libgit2");
        check(git_libgit2_opts(GIT_OPT_SET_MWINDOW_FILE_LIMIT, std::size_t{48}), "libgit2");
        check(git_libgit2_opts(GIT_OPT_SET_CACHE_MAX_SIZE, ssize_t{64} << 20), "libgit2");
    });
}

Repository::Repository(const fs::path& workspace, const std::string& path, Progress& progress)
    : workspace_(resolved(workspace)) {
    const auto start = resolved(workspace_ / path);
    if (!lies_in(start, workspace_))
        deny("path_not_allowed", "repo_path '" + path + "' is not in the workspace '" +
                                     workspace_.string() + "'; use a folder in it");
    const auto dot_git = find_dot_git(start, workspace_);
    check_folder(dot_git);
    handle_ = make<RepositoryHandle>("cannot open the repository '" + dot_git.string() + "'",
                                     git_repository_open_ext, dot_git.c_str(),
                                     unsigned{GIT_REPOSITORY_OPEN_NO_SEARCH}, nullptr);
    root_ = resolved(bare() ? git_repository_path(get()) : git_repository_workdir(get()));
    keep_in(root_, workspace_, "the working tree (core.worktree)");
    check_config(get(), workspace_);
    progress.attach(get());
}

std::string Repository::name() const {
    return root_.lexically_relative(workspace_).string();
}

void Repository::check_folder(const fs::path& folder) const {
    keep_in(folder, workspace_, "the repository");
    const auto dot_git = is_there(folder / ".git") ? folder / ".git" : folder;
    check_git_folder(git_folder(dot_git), workspace_);
}

std::string Repository::path_inside(std::string_view path) const {
    const auto refuse = [&](const std::string& why) {
        deny("path_not_allowed", "path '" + std::string(path) + "' " + why);
    };
    const auto plain = (root_ / path).lexically_normal().lexically_relative(root_);
    if (plain.empty() || *plain.begin() == "..")
        refuse("is not in the repository; paths are relative to its top folder");
    if (*plain.begin() == ".git") refuse("is git's own data");
    if (!bare() && plain != "." && !holds_folder_of(plain.native()))
        refuse("leaves the repository through a symbolic link");
    auto text = plain.string();
    if (text.size() > 1 && text.back() == '/') text.pop_back();
    return text;
}

bool Repository::holds_folder_of(std::string_view path) const noexcept {
    std::error_code fault;
    const auto folder = fs::weakly_canonical((root_ / path).parent_path(), fault);
    return !fault && lies_in(folder, root_);
}

void Repository::need_worktree(std::string_view action) const {
    if (bare())
        fail("action " + std::string(action) +
             " requires a working tree, but this repository is bare");
}

void Repository::check_submodules(git_index* index) const {
    for (std::size_t i = 0; i < git_index_entrycount(index); ++i) {
        const auto* entry = git_index_get_byindex(index, i);
        if (entry->mode != GIT_FILEMODE_COMMIT) continue;
        const auto folder = root_ / entry->path;
        if (is_there(folder / ".git")) check_folder(folder);
    }
}

}  // namespace git
