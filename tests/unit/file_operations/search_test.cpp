#include "search/search.hpp"

#include <chrono>

#include "tree.hpp"

namespace file_operations::test {
namespace {

struct SearchRequest {
    std::string pattern = "x";
    std::string path{};
    std::vector<std::string> include{}, exclude{};
    bool ignore_files = true;
    bool hidden = false;
    std::size_t max_results = 1000;
    SearchMode mode = SearchMode::files;
};

std::string paths_of(const SearchAnswer& answer) {
    std::string out;
    for (const FileHits& hits : answer.files) out += hits.path + ' ';
    return out;
}

SearchAnswer search(const MadeTree& tree, const SearchRequest& asked, const Rules& rules = {}) {
    const auto pattern = Pattern::compile(asked.pattern, {}, "/pattern");
    REQUIRE(pattern);
    const Access access = tree.access(rules);
    SearchQuestion question{.access = access, .pattern = *pattern};
    question.path = asked.path;
    question.include = globs_of(asked.include);
    question.exclude = globs_of(asked.exclude);
    question.honour_ignore_files = asked.ignore_files;
    question.hidden = asked.hidden;
    question.max_results = asked.max_results;
    question.mode = asked.mode;
    auto answer = search_tree(question);
    REQUIRE(answer);
    return *std::move(answer);
}

TEST_SUITE("search") {
    TEST_CASE("a tree with ignore files at several levels") {
        const MadeTree tree;
        tree.file(".gitignore", "*.log\n/build/\n");
        tree.file(".git/info/exclude", "private\n");
        tree.file("a.c");
        tree.file("a.log");
        tree.file("private");
        tree.file("build/out.c");
        tree.file("sub/.gitignore", "!keep.log\n");
        tree.file("sub/.ignore", "skip.c\n");
        tree.file("sub/keep.log");
        tree.file("sub/other.log");
        tree.file("sub/skip.c");
        tree.file("sub/build/x.c");
        CHECK(paths_of(search(tree, {})) == "a.c sub/build/x.c sub/keep.log ");
        CHECK(paths_of(search(tree, {.ignore_files = false})) ==
              "a.c a.log build/out.c private sub/build/x.c sub/keep.log sub/other.log sub/skip.c ");
        // If the search starts below, the files above still apply.
        CHECK(paths_of(search(tree, {.path = "sub"})) == "sub/build/x.c sub/keep.log ");
    }

    TEST_CASE("globs, hidden files, policy") {
        const MadeTree tree;
        tree.file("a.py");
        tree.file("a.c");
        tree.file("t/b.py");
        tree.file(".h/c.py");
        tree.file("d.key");
        CHECK(paths_of(search(tree, {.include = {"*.py"}})) == "a.py t/b.py ");
        CHECK(paths_of(search(tree, {.exclude = {"t", "*.key"}})) == "a.c a.py ");
        CHECK(paths_of(search(tree, {.include = {"*.py"}, .hidden = true})) == "a.py t/b.py ");
        Rules rules;
        rules.allow_hidden = true;
        rules.denied_globs = {"*.key"};
        CHECK(paths_of(search(tree, {.hidden = true}, rules)) == ".h/c.py a.c a.py t/b.py ");
    }

    TEST_CASE("binary and large files are counted and skipped; other encodings are read") {
        const MadeTree tree;
        tree.file("binary", std::string("x\0x", 3));
        tree.file("large", std::string(2000, 'x'));
        tree.file("wide", std::string("\xFF\xFEx\0\n\0", 6));
        tree.file("latin", "caf\xE9 x, and more text\n");
        Rules rules;
        rules.max_file_bytes = 1000;
        const auto answer = search(tree, {}, rules);
        CHECK(paths_of(answer) == "latin wide ");
        CHECK(answer.binary_files == 1);
        CHECK(answer.large_files == 1);
    }

    TEST_CASE("the first results are by path, whatever the timing of threads") {
        const MadeTree tree;
        for (int i = 0; i < 300; ++i) {
            tree.file("d" + std::to_string(i % 17) + "/f" + std::to_string(i), "x\nx\nx\n");
        }
        const auto all = search(tree, {.mode = SearchMode::matches});
        CHECK(all.results == 900);
        CHECK_FALSE(all.more);
        for (int round = 0; round < 10; ++round) {
            const auto some = search(tree, {.max_results = 40, .mode = SearchMode::matches});
            CHECK(some.more);
            CHECK(some.results == 40);
            REQUIRE(some.files.size() == 14);
            CHECK(some.files.back().lines.size() == 1);
            for (std::size_t i = 0; i < some.files.size(); ++i) {
                CHECK(some.files[i].path == all.files[i].path);
            }
        }
        CHECK_FALSE(search(tree, {.max_results = 300}).more);
        CHECK(search(tree, {.max_results = 299}).more);
    }

    TEST_CASE("an expensive search ends soon after cancellation") {
        const MadeTree tree;
        std::string slow;
        for (int i = 0; i < 2000; ++i) slow += std::string(500, 'a') + '\n';
        for (int i = 0; i < 20; ++i) tree.file("f" + std::to_string(i), slow);
        const auto pattern = Pattern::compile("(a*)*[bc]", {}, "/pattern");
        const Access access = tree.access();
        SearchQuestion question{.access = access, .pattern = *pattern};
        const auto start = std::chrono::steady_clock::now();
        std::chrono::steady_clock::time_point told{};
        question.cancelled = [&] {
            const auto now = std::chrono::steady_clock::now();
            if (now - start < std::chrono::milliseconds(100)) return false;
            told = now;
            return true;
        };
        const auto answer = search_tree(question);
        REQUIRE_FALSE(answer);
        // 100 ms on an idle machine.
        CHECK(std::chrono::steady_clock::now() - told < std::chrono::milliseconds(500));
    }

    TEST_CASE("cancelling, and folders that cannot be entered") {
        const MadeTree tree;
        tree.file("a/b");
        const auto pattern = Pattern::compile("x", {}, "/pattern");
        const Access access = tree.access();
        SearchQuestion question{.access = access, .pattern = *pattern};
        question.cancelled = [] { return true; };
        const auto answer = search_tree(question);
        REQUIRE_FALSE(answer);
        CHECK(answer.failure().why == Refusal::Why::cancelled);
        CHECK(search(tree, {.path = "none"}).notes.size() == 1);
    }
}

}  // namespace
}  // namespace file_operations::test
