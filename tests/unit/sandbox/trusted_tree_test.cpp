// How trusted files below a writable folder stay known.
#include <sys/stat.h>
#include <unistd.h>

#include "host/sandbox/protected_mounts.hpp"
#include "host/sandbox/protected_state.hpp"
#include "tests/unit/sandbox/project.hpp"

using namespace toolhost;
using namespace toolhost::sandbox;
using namespace toolhost::test;
namespace fs = boost::filesystem;

namespace {

// More files than a walk visits, and nearer to the top than "a/b" and "sub/.git".
void fill(const Project& project, const std::string& name) {
    for (std::size_t i = 0; i <= kMaxNestedFiles; ++i)
        project.write('.' + std::to_string(i) + '/' + name);
}

bool holds(const Strings& paths, const std::string& path) {
    return std::ranges::binary_search(paths, path);
}

// The first walk that starts after this call; a tree waits at most 60 s between two.
NestedFilesPtr next_walk(TrustedTree& tree) {
    const auto before = tree.look();
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(90);
    auto now = tree.look();
    while (now == before && std::chrono::steady_clock::now() < end) now = tree.look();
    return now;
}

}  // namespace

TEST_CASE("found files stay known, and new ones are reported") {
    const Project project;
    TrustedTree tree(project.closed);
    const auto first = tree.look();
    const ProtectedState before(project.closed, first);
    CHECK(ProtectedState(project.closed, tree.look()) == before);
    project.write("new/.git/config");
    fs::remove_all(project.workspace / "a/b");
    NestedFilesPtr now;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(90);
    do {
        now = tree.look();  // no walk: the interval is not over
    } while (now == first && std::chrono::steady_clock::now() < end);
    CHECK(project.shortened(now->paths) == Strings{"a/.vscode", "module/.git", "new/.git/config",
                                                   "sub/.git/config", "sub/.git/hooks"});
    const ProtectedState after(project.closed, now);
    CHECK_FALSE(after == before);
    CHECK(after.new_since(before, project.closed) ==
          Strings{project.workspace / "new/.git/config"});
    // Also if a walk ends before it reaches the file.
    for (std::size_t i = 0; i <= kMaxNestedFiles; ++i)
        project.write("." + std::to_string(i) + "/.envrc");
    while (now->complete && std::chrono::steady_clock::now() < end) now = tree.look();
    CHECK_FALSE(now->complete);
    CHECK(now->paths.size() == kMaxNestedFiles);
    CHECK(std::ranges::binary_search(now->paths, project.workspace / "new/.git/config"));
    CHECK(std::ranges::binary_search(now->paths, project.workspace / "sub/.git/hooks"));
}

TEST_CASE("workers that write the same folders share the known files") {
    const Project project;
    TrustedTrees trees;
    const auto one = trees.of(project.closed);
    auto other = project.closed;
    other.network = true;
    CHECK(trees.of(other) == one);
    other.write.push_back(project.outside.path());
    CHECK_FALSE(trees.of(other) == one);
    CHECK(trees.of(project.strict)->look()->paths.empty());
}

TEST_CASE("found files stay known after the last worker ends") {
    const Project project;
    TrustedTrees trees;
    CHECK(holds(trees.of(project.closed)->look()->paths, project.workspace / "a/b/c/.envrc"));
    fill(project, ".vscode");
    SUBCASE("for a worker with the same confinement") {
        const auto tree = trees.of(project.closed);
        auto now = tree->look();
        if (now->complete) now = next_walk(*tree);
        CHECK_FALSE(now->complete);
        CHECK(holds(now->paths, project.workspace / "a/b/c/.envrc"));
    }
    SUBCASE("for another confinement that protects it") {
        auto other = project.closed;
        other.trusted_names = {".envrc", ".vscode"};
        other.write.push_back(project.outside.path());
        const auto now = trees.of(other)->look();
        CHECK_FALSE(now->complete);
        CHECK(holds(now->paths, project.workspace / "a/b/c/.envrc"));
        CHECK_FALSE(holds(now->paths, project.workspace / "sub/.git/config"));
    }
    SUBCASE("not for a worker that writes another folder") {
        auto other = project.closed;
        other.write = {project.outside.path()};
        CHECK(trees.of(other)->look()->paths.empty());
    }
}

TEST_CASE("a locked folder stays known if a walk ends before it") {
    const Project project;
    CHECK(try_as_user(project, [&] {
              const auto folder = project.workspace / "a/b";
              if (::chmod(folder.c_str(), 0) != 0) return 98;
              TrustedTree tree(project.closed);
              const bool first = holds(tree.look()->locked, folder);
              fill(project, ".vscode");
              const auto now = next_walk(tree);
              const bool then = !now->complete && holds(now->locked, folder);
              (void)::chmod(folder.c_str(), 0755);
              const bool unlocked = holds(next_walk(tree)->locked, folder);
              return first && then && !unlocked ? 0 : 1;
          }) == 0);
}

TEST_CASE("a wait for a walk ends at its deadline or cancellation") {
    const Project project;
    TrustedTree tree(project.closed);
    CHECK_FALSE(tree.look(std::chrono::steady_clock::now()));
    std::stop_source cancelled;
    cancelled.request_stop();
    CHECK_FALSE(tree.look({}, cancelled.get_token()));
    CHECK_FALSE(tree.known());
    const auto found = tree.look();
    CHECK(found->complete);
    CHECK(found->paths.size() == 5);
    // Known files are returned without waiting.
    CHECK(tree.known() == found);
}

TEST_CASE("unused trees are dropped when there are many, but their files stay known") {
    const Project project;
    TrustedTrees trees;
    CHECK(holds(trees.of(project.closed)->look()->paths, project.workspace / "a/b/c/.envrc"));
    const auto used = trees.of(project.strict);
    for (std::size_t i = 0; i <= TrustedTrees::kMax; ++i) {
        auto other = project.closed;
        other.write = {project.outside / std::to_string(i)};
        CHECK(trees.of(other)->look()->paths.empty());
    }
    CHECK(trees.size() == TrustedTrees::kMax);
    CHECK(trees.of(project.strict) == used);
    fill(project, ".vscode");
    CHECK(holds(trees.of(project.closed)->look()->paths, project.workspace / "a/b/c/.envrc"));
}
