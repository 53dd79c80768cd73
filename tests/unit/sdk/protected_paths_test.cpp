// Paths that a tool must not write.
#include <toolhost/protected_paths.hpp>

#include <doctest/doctest.h>

using toolhost::ProtectedPaths;

TEST_CASE("a protected path includes its content, and files in place of its parent folders") {
    const ProtectedPaths paths({".git/hooks", ".vscode", "/home/me/.config/own/"});
    const auto protects = [&](const char* path) { return paths.protects(path, "/home/me"); };
    for (const char* path : {".git/hooks", ".git/hooks/post-commit", "sub/.git/hooks/x", ".git",
                             "sub/.git", ".vscode", "a/b/.vscode/c", ".VSCode/x", "./.vscode",
                             "x/../.vscode", "a//.git/./hooks", ".config/own", ".config/own/file",
                             ".config", ".CONFIG/own/x", "/home/me/.config/own/x"}) {
        CAPTURE(path);
        CHECK(protects(path));
    }
    for (const char* path : {"git/hooks", ".git/index", ".github/hooks", ".vscode2/x", "hooks",
                             ".config/other", "sub/.config/own", ".gitignore", ".vscode/../x"}) {
        CAPTURE(path);
        CHECK_FALSE(protects(path));
    }
    CHECK_FALSE(ProtectedPaths().protects(".git/hooks", "/home/me"));
    // Names above the folder do not count, because the operator chose it.
    CHECK_FALSE(paths.protects("x", "/home/me/.vscode"));
    CHECK_FALSE(paths.protects("own/x", "/srv/.config"));
}
