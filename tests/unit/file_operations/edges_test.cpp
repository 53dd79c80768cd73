// Unusual cases of writing, listing and naming files, with the expected results.
#include <thread>

#include "access/folder.hpp"
#include "list/listing.hpp"
#include "read/paths.hpp"
#include "tree.hpp"
#include "write/atomic_write.hpp"

namespace file_operations::test {
namespace {

using namespace std::string_literals;

Outcome<Written> written(const Access& access, const std::string& path, const std::string& content,
                         std::optional<std::string> expected = {}, bool replace = false,
                         bool append = false) {
    WriteOrder order;
    order.path = path;
    order.content = content;
    if (expected) order.expected = *expected;
    order.replace = replace;
    order.append = append;
    return write_file(access, order);
}

TEST_SUITE("edges") {
    TEST_CASE("allowed_extensions apply to files: folders need no extension") {
        const MadeTree tree;
        Rules rules;
        rules.allowed_extensions = {".txt"};
        const Access access = tree.access(rules);
        CHECK(written(access, "new/deep/a.txt", "x"));
        CHECK(why(written(access, "new/other/a.exe", "x")) == "extension_not_allowed");
        CHECK_FALSE(fs::exists(tree.root / "new/other"));
    }

    TEST_CASE("a file keeps its encoding, and is compared in it") {
        const MadeTree tree;
        const Access access = tree.access();
        tree.file("bom", "\xEF\xBB\xBFone two\n");
        REQUIRE(written(access, "bom", "2", "two", true));
        CHECK(tree.content("bom") == "\xEF\xBB\xBFone 2\n");
        REQUIRE(written(access, "bom", "new", "one 2\n"));
        CHECK(tree.content("bom") == "\xEF\xBB\xBFnew");
        tree.file("wide", "\xFF\xFE\xE9\0\n\0"s);
        REQUIRE(written(access, "wide", "a\U0001F600", {}, false, true));
        CHECK(tree.content("wide") == "\xFF\xFE\xE9\0\n\0a\0\x3D\xD8\x00\xDE"s);
        REQUIRE(written(access, "wide", "b", "\u00e9\na\U0001F600"));
        CHECK(tree.content("wide") == "\xFF\xFE"s + "b\0"s);
        tree.file("latin", "caf\xE9 au lait, s'il vous pla\xEEt\n");
        REQUIRE(written(access, "latin", "th\u00e9", "caf\u00e9", true));
        CHECK(tree.content("latin") == "th\xE9 au lait, s'il vous pla\xEEt\n");
        const auto cannot = written(access, "latin", "\u4e2d", "lait", true);
        REQUIRE_FALSE(cannot);
        CHECK(cannot.failure().message.find("Windows-1252") != std::string::npos);
        tree.file("binary", "\x7F\0\1\2"s);
        CHECK(why(written(access, "binary", "x", {}, false, true)) == "failed");
        CHECK(tree.content("binary") == "\x7F\0\1\2"s);
    }

    TEST_CASE("a refused write leaves no folders; a folder's name creates no file") {
        const MadeTree tree;
        const Access access = tree.access();
        CHECK(why(written(access, "a/b/c", "x", "something")) == "failed");
        CHECK(why(written(access, "a/b/c", "x", "something", true)) == "failed");
        CHECK_FALSE(fs::exists(tree.root / "a"));
        CHECK(why(written(access, "zz/", "x")) == "/path");
        CHECK_FALSE(fs::exists(tree.root / "zz"));
    }

    TEST_CASE("no concurrent append is lost") {
        const MadeTree tree;
        tree.file("log", "");
        std::vector<std::thread> threads;
        for (int i = 0; i < 12; ++i) {
            threads.emplace_back([&] {
                const auto access = Access::open(tree.root.string(), Rules{});
                (void)written(*access, "log", "x", {}, false, true);
            });
        }
        for (auto& thread : threads) thread.join();
        CHECK(tree.content("log").size() == 12);
    }

    TEST_CASE("all entries are counted, including those that are not listed") {
        const MadeTree tree;
        for (int i = 0; i < 10; ++i) tree.file("f" + std::to_string(i), "12");
        tree.file("d/x");
        const Access access = tree.access();
        ListQuestion question{.access = access};
        question.max_results = 3;
        const auto listed = list_path(question);
        REQUIRE(listed);
        CHECK(listed->entries.size() == 3);
        CHECK(listed->files == 10);
        CHECK(listed->folders == 1);
        CHECK(listed->bytes == 20);
        CHECK(listed->more);
    }

    TEST_CASE("a walk of one large folder can be cancelled") {
        const MadeTree tree;
        for (int i = 0; i < 3000; ++i) tree.file("f" + std::to_string(i), "");
        const Access access = tree.access();
        int seen = 0;
        Walk walk;
        walk.visit = [&](const Found&) {
            ++seen;
            return true;
        };
        walk.cancelled = [&] { return seen > 0; };
        CHECK_FALSE(walk_tree(access, walk));
        CHECK(seen < 3000);
    }

    TEST_CASE("denied_globs ignore case") {
        const MadeTree tree;
        tree.file("Site.KEY");
        tree.file("Secret/a");
        Rules rules;
        rules.denied_globs = {"*.key", "secret/**", "[a-c]x"};
        const Access access = tree.access(rules);
        for (const char* path : {"Site.KEY", "Secret/a", "BX"}) {
            CAPTURE(std::string(path));
            CHECK(why(access.find(path)) == "path_not_allowed");
        }
    }

    TEST_CASE("a list keeps its order, and a single brace is a character") {
        const MadeTree tree;
        tree.file("b");
        tree.file("a");
        tree.file("x{y");
        const Access access = tree.access();
        const auto order = [&](const std::string& list) {
            PathQuestion question;
            question.list = list;
            std::string out;
            const auto paths = expand_paths(access, question);
            if (paths)
                for (const auto& path : paths->paths) out += path + ' ';
            return out;
        };
        CHECK(order("b,a,b") == "b a ");
        CHECK(order("x{y,b") == "x{y b ");
        CHECK(order("b,*") == "b a x{y ");
    }

    TEST_CASE("~ without a home folder names the variable to set") {
        const MadeTree tree;
        const auto place = tree.access().find("~/x");
        REQUIRE_FALSE(place);
        CHECK(place.failure().message.find("`home` in the policy") != std::string::npos);
    }
}

}  // namespace
}  // namespace file_operations::test
