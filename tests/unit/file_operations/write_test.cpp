#include "write/atomic_write.hpp"

#include <sys/stat.h>

#include "tree.hpp"

namespace file_operations::test {
namespace {

WriteOrder order(const std::string& path, std::string_view content) {
    WriteOrder out;
    out.path = path;
    out.content = content;
    return out;
}

std::size_t entries(const fs::path& folder) {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST_SUITE("write") {
    TEST_CASE("create, replace, append, with folders, mode and hash") {
        const MadeTree tree;
        const Access access = tree.access();
        auto written = write_file(access, order("a/b/c.txt", "abc"));
        REQUIRE(written);
        CHECK(written->action == "created");
        CHECK(written->folders_created == 2);
        CHECK(written->sha256 ==
              "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        REQUIRE(::chmod((tree.root / "a/b/c.txt").c_str(), 0750) == 0);
        written = write_file(access, order("a/b/c.txt", ""));
        REQUIRE(written);
        CHECK(written->action == "replaced");
        CHECK(written->bytes_before == 3);
        CHECK(tree.content("a/b/c.txt").empty());
        auto more = order("a/b/c.txt", "x");
        more.append = true;
        REQUIRE(write_file(access, more));
        REQUIRE(write_file(access, more));
        CHECK(tree.content("a/b/c.txt") == "xx");
        struct stat status {};
        REQUIRE(::stat((tree.root / "a/b/c.txt").c_str(), &status) == 0);
        CHECK((status.st_mode & 07777) == 0750);
        CHECK(entries(tree.root / "a/b") == 1);
        auto no_folders = order("q/r", "x");
        no_folders.create_dirs = false;
        CHECK(why(write_file(access, no_folders)) == "failed");
        CHECK_FALSE(fs::exists(tree.root / "q"));
    }

    TEST_CASE("safe edits: a file is changed only if it has the expected content") {
        const MadeTree tree;
        tree.file("f", "one two two\nthree\n");
        const Access access = tree.access();
        auto whole = order("f", "new");
        whole.expected = "something else";
        CHECK(why(write_file(access, whole)) == "failed");
        auto part = order("f", "3");
        part.replace = true;
        part.expected = "four";
        CHECK(why(write_file(access, part)) == "failed");
        part.expected = "two";
        CHECK(why(write_file(access, part)) == "failed");
        CHECK(tree.content("f") == "one two two\nthree\n");
        part.expected = "three";
        const auto written = write_file(access, part);
        REQUIRE(written);
        CHECK(written->action == "edited");
        CHECK(written->line == 2);
        CHECK(tree.content("f") == "one two two\n3\n");
        whole.expected = "one two two\n3\n";
        REQUIRE(write_file(access, whole));
        CHECK(tree.content("f") == "new");
        auto fresh = order("fresh", "x");
        fresh.expected = "";
        REQUIRE(write_file(access, fresh));
        CHECK(why(write_file(access, fresh)) == "failed");
    }

    TEST_CASE("a file with \\r\\n line ends is edited with plain ones, and keeps its own") {
        const MadeTree tree;
        tree.file("f", "one\r\ntwo\r\nthree\r\n");
        const Access access = tree.access();
        auto part = order("f", "2\n2.5");
        part.replace = true;
        part.expected = "one\ntwo";
        auto written = write_file(access, part);
        REQUIRE(written);
        CHECK(written->windows_lines);
        CHECK(written->line == 1);
        CHECK(tree.content("f") == "2\r\n2.5\r\nthree\r\n");
        auto whole = order("f", "a\nb\n");
        whole.expected = "2\n2.5\nfour\n";
        CHECK(why(write_file(access, whole)) == "failed");
        whole.expected = "2\n2.5\nthree\n";
        REQUIRE(write_file(access, whole));
        CHECK(tree.content("f") == "a\r\nb\r\n");
        // Explicit line ends in the content are kept.
        whole = order("f", "plain\n");
        whole.expected = "a\r\nb\r\n";
        written = write_file(access, whole);
        REQUIRE(written);
        CHECK_FALSE(written->windows_lines);
        CHECK(tree.content("f") == "plain\n");
        tree.file("mixed", "a\r\nb\n");
        part.path = "mixed";
        part.expected = "a\nb";
        CHECK(why(write_file(access, part)) == "failed");
    }

    TEST_CASE("an edit may leave an empty file") {
        const MadeTree tree;
        tree.file("f", "all");
        auto part = order("f", "");
        part.replace = true;
        part.expected = "all";
        REQUIRE(write_file(tree.access(), part));
        CHECK(tree.content("f").empty());
    }

    TEST_CASE("links, folders, FIFOs, policy") {
        const MadeTree tree;
        tree.file("in/real", "old");
        tree.file("out/victim", "old");
        tree.link("in/good", "real");
        tree.link("in/bad", "../out/victim");
        tree.link("in/bad_folder", "../out");
        tree.link("in/dangling", "../out/new");
        REQUIRE(::mkfifo((tree.root / "in/fifo").c_str(), 0600) == 0);
        Rules rules;
        rules.max_file_bytes = 10;
        rules.allowed_extensions = {"", ".txt"};
        const Access access = tree.access(rules, "in");
        REQUIRE(write_file(access, order("good", "new")));
        CHECK(tree.content("in/real") == "new");
        CHECK(fs::is_symlink(tree.root / "in/good"));
        for (const char* path :
             {"bad", "bad_folder/victim", "bad_folder/new", "dangling", "../x"}) {
            CAPTURE(std::string(path));
            CHECK(why(write_file(access, order(path, "x"))) == "path_not_allowed");
        }
        CHECK(entries(tree.root / "out") == 1);
        CHECK(tree.content("out/victim") == "old");
        CHECK(why(write_file(access, order("fifo", "x"))) == "failed");
        CHECK(why(write_file(access, order(".", "x"))) == "failed");
        CHECK(why(write_file(access, order(".hidden", "x"))) == "hidden_not_allowed");
        CHECK(why(write_file(access, order("a.exe", "x"))) == "extension_not_allowed");
        CHECK(why(write_file(access, order("big", "12345678901"))) == "file_too_large");
        auto more = order("real", "12345678");
        more.append = true;
        CHECK(why(write_file(access, more)) == "file_too_large");
        CHECK(tree.content("in/real") == "new");
        rules.read_only = true;
        CHECK(why(write_file(tree.access(rules, "in"), order("real", "x"))) == "read_only");
    }

    TEST_CASE("a cancelled write leaves no files and no changes") {
        const MadeTree tree;
        tree.file("f", "old");
        auto cancelled = order("f", "new");
        cancelled.cancelled = [] { return true; };
        const auto written = write_file(tree.access(), cancelled);
        REQUIRE_FALSE(written);
        CHECK(written.failure().why == Refusal::Why::cancelled);
        CHECK(tree.content("f") == "old");
        CHECK(entries(tree.root) == 1);
    }

    TEST_CASE("hard links are reported") {
        const MadeTree tree;
        tree.file("f", "old");
        fs::create_hard_link(tree.root / "f", tree.root / "g");
        const auto written = write_file(tree.access(), order("f", "new"));
        REQUIRE(written);
        CHECK(written->had_other_names);
        CHECK(tree.content("g") == "old");
    }
}

}  // namespace
}  // namespace file_operations::test
