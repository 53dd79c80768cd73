#include "read/git_library.hpp"

#include <git2.h>

#include <mutex>

#include "text/names.hpp"

namespace file_operations {

GitLibrary::GitLibrary() {
    static std::once_flag once;
    git_libgit2_init();
    std::call_once(once, [] {
        for (const int level : {GIT_CONFIG_LEVEL_SYSTEM, GIT_CONFIG_LEVEL_XDG,
                                GIT_CONFIG_LEVEL_GLOBAL, GIT_CONFIG_LEVEL_PROGRAMDATA}) {
            git_libgit2_opts(GIT_OPT_SET_SEARCH_PATH, level, "");
        }
        // Owner validation protects against commands in the configuration of other users'
        // repositories. libgit2 runs none, and in a worker's namespace user ids differ.
        git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
        git_libgit2_init();  // never shut down, which would lose the settings
    });
}

GitLibrary::~GitLibrary() {
    git_libgit2_shutdown();
}

std::string GitLibrary::last_error() {
    const git_error* error = git_error_last();
    return error && error->message ? valid_utf8(error->message) : "unknown libgit2 error";
}

}  // namespace file_operations
