// Protected files of a workspace, and how a profile unprotects them.
#include "host/policy/protected_paths.hpp"

#include <set>

#include "tests/unit/doc_page.hpp"
#include "tests/unit/doctest.hpp"
#include "tests/unit/policy/specs.hpp"

using namespace toolhost;
using namespace toolhost::policy;

TEST_CASE("every protected path is relative, plain and named once") {
    std::set<std::string_view> seen;
    for (const auto& entry : kProtectedPaths) {
        CAPTURE(entry.path);
        CHECK(seen.insert(entry.path).second);
        CHECK(entry.path.front() == '.');
        CHECK(entry.path.back() != '/');
        CHECK(entry.path.find("..") == std::string_view::npos);
        CHECK_FALSE(entry.read_by.empty());
    }
}

// One example for each program that reads code or settings from a folder that a tool may write.
TEST_CASE("files that programs run at their start are among them") {
    const auto all = protected_paths({});
    for (const char* path : {".git/worktrees",
                             ".git/modules",
                             ".git/config.worktree",
                             ".git/commondir",
                             ".hg/hgrc",
                             ".hgrc",
                             ".pre-commit-config.yaml",
                             ".Rprofile",
                             ".RData",
                             ".pdbrc",
                             ".irbrc",
                             ".ghci",
                             ".iex.exs",
                             ".ipython",
                             ".jupyter",
                             ".sqliterc",
                             ".psqlrc",
                             ".my.cnf",
                             ".wgetrc",
                             ".curlrc",
                             ".pnpmfile.cjs",
                             ".mvn",
                             ".docker/cli-plugins",
                             ".terraformrc",
                             ".kiro",
                             ".config/Code",
                             ".selected_editor",
                             ".mailcap",
                             ".bashrc.d"}) {
        CAPTURE(path);
        CHECK(std::find(all.begin(), all.end(), path) != all.end());
    }
}

TEST_CASE("docs/security.md lists exactly these") {
    std::set<std::string> listed, known;
    for (const auto& name : test::listed_names("security.md", "## Files that other programs trust"))
        if (name.starts_with('.')) listed.insert(name);  // another table there names tools
    for (const auto& entry : kProtectedPaths) known.emplace(entry.path);
    CHECK(test::difference(listed, known) == "");
}

TEST_CASE("unprotect removes names, replaces the inherited list, and refuses unknown names") {
    CHECK(test::profile("extends: default")->unprotect().empty());
    const auto lifted = test::profile("unprotect: [.vscode, .git/config]")->unprotect();
    const auto left = protected_paths(lifted);
    CHECK(left.size() == kProtectedPaths.size() - 2);
    CHECK(std::find(left.begin(), left.end(), ".vscode") == left.end());
    test::TempFolder folder;
    folder.write("a.yml", "unprotect: [.vscode, .idea]\n");
    folder.write("b.yml", "extends: a\nunprotect: []\n");
    auto child = load_profile("b", folder.path());
    REQUIRE(child);
    CHECK((*child)->unprotect().empty());
    CHECK(test::refusal("unprotect: [.vscod]") ==
          "p.yml:1:13: '.vscod' is not a protected path; did you mean '.vscode' or "
          "'.vscode-server'?");
    CHECK(test::refusal("unprotect: [/etc/passwd]") ==
          "p.yml:1:13: '/etc/passwd' is not a protected path; docs/security.md lists them");
}
