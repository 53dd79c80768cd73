#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "access/folder.hpp"
#include "access/link_walk.hpp"
#include "text/file_text.hpp"
#include "tree.hpp"

namespace file_operations::test {
namespace {

TEST_SUITE("access") {
    TEST_CASE("paths inside are found, and displayed relative to the workspace") {
        const MadeTree tree;
        tree.file("a/b.txt", "text");
        const Access access = tree.access();
        for (const std::string& path :
             {std::string("a/b.txt"), std::string("./a//b.txt"), std::string("a/../a/b.txt"),
              (tree.root / "a/b.txt").string()}) {
            CAPTURE(path);
            const auto place = access.find(path);
            REQUIRE(place);
            CHECK(place->exists);
            CHECK(access.shown(*place) == "a/b.txt");
            CHECK(access.open_file(*place));
        }
        const auto missing = access.find("a/none");
        REQUIRE(missing);
        CHECK_FALSE(missing->exists);
        CHECK(why(access.open_file(*missing)) == "failed");
        CHECK(why(access.find("none/none")) == "failed");
        CHECK(why(access.find("a/b.txt/c")) == "failed");
        const auto root = access.find(".");
        REQUIRE(root);
        CHECK(access.shown(*root) == ".");
        CHECK(why(access.open_file(*root)) == "failed");
    }

    TEST_CASE("neither text nor links, nor links to links, lead out") {
        const MadeTree tree;
        tree.file("inside/ok.txt", "ok");
        tree.file("outside/secret.txt", "secret");
        tree.link("inside/out", "../outside");
        tree.link("inside/out_absolute", (tree.root / "outside").string());
        tree.link("inside/file_out", "../outside/secret.txt");
        tree.link("inside/two_steps", "file_out");
        tree.link("inside/deep/up", "../..");
        tree.link("inside/round", "round");
        tree.link("inside/magic", "/proc/self/root");
        const Access access = tree.access({}, "inside");
        for (const char* path :
             {"../outside/secret.txt", "out/secret.txt", "out_absolute/secret.txt", "file_out",
              "two_steps", "deep/up/outside/secret.txt", "out/../../outside/secret.txt",
              "/etc/passwd", "/", "..", "magic/etc/passwd"}) {
            CAPTURE(std::string(path));
            CHECK(why(access.find(path)) == "path_not_allowed");
        }
        CHECK(why(access.find("round")) == "failed");
        CHECK(why(access.find("~/x")) == "path_not_allowed");
        CHECK(why(access.find(std::string("a\0b", 3))) == "/path");
    }

    TEST_CASE("links that stay inside are followed, relative and absolute") {
        const MadeTree tree;
        tree.file("real/file.txt", "content");
        tree.link("near", "real/file.txt");
        tree.link("far", (tree.root / "real").string());
        tree.link("around", "real/../far/file.txt");
        const Access access = tree.access();
        for (const char* path : {"near", "far/file.txt", "around"}) {
            CAPTURE(std::string(path));
            const auto place = access.find(path);
            REQUIRE(place);
            CHECK(place->path == "real/file.txt");
            auto file = access.open_file(*place);
            REQUIRE(file);
            CHECK(read_at(file->get(), 0, 100) == "content");
        }
        const auto folder = access.find("far");
        REQUIRE(folder);
        CHECK(folder->path == "real");
        CHECK(access.open_folder(*folder));
    }

    TEST_CASE("the policy applies to the target of a link, not to its name") {
        const MadeTree tree;
        tree.file(".hidden/x.txt");
        tree.file("keys/site.key");
        tree.file("data.bin");
        tree.link("plain.txt", ".hidden/x.txt");
        tree.link("harmless.txt", "keys/site.key");
        tree.link("text.txt", "data.bin");
        Rules rules;
        rules.denied_globs = {"*.key"};
        rules.allowed_extensions = {".txt", ".key"};
        const Access access = tree.access(rules);
        CHECK(why(access.find(".hidden/x.txt")) == "hidden_not_allowed");
        CHECK(why(access.find("plain.txt")) == "hidden_not_allowed");
        CHECK(why(access.find("keys/site.key")) == "path_not_allowed");
        CHECK(why(access.find("harmless.txt")) == "path_not_allowed");
        CHECK(why(access.find("data.bin")) == "extension_not_allowed");
        CHECK(why(access.find("text.txt")) == "extension_not_allowed");
        rules.allow_hidden = true;
        CHECK(tree.access(rules).find("plain.txt"));
        rules.read_only = true;
        CHECK(why(tree.access(rules).find("new.txt", Purpose::write)) == "read_only");
    }

    TEST_CASE("denied folders hide everything below them") {
        const MadeTree tree;
        tree.file("secret/deep/x.txt");
        Rules rules;
        for (const char* glob : {"secret", "secret/**", "**/deep"}) {
            rules.denied_globs = {glob};
            CAPTURE(std::string(glob));
            CHECK(why(tree.access(rules).find("secret/deep/x.txt")) == "path_not_allowed");
        }
    }

    TEST_CASE("several roots, and a home") {
        const MadeTree tree;
        tree.file("ws/a.txt");
        tree.file("lib/b.txt");
        tree.link("ws/lib", (tree.root / "lib").string());
        Rules rules;
        rules.roots = {".", "../lib"};
        rules.home = "../lib";
        const Access access = tree.access(rules, "ws");
        for (const char* path : {"../lib/b.txt", "lib/b.txt", "~/b.txt"}) {
            CAPTURE(std::string(path));
            const auto place = access.find(path);
            REQUIRE(place);
            CHECK(access.shown(*place) == (tree.root / "lib/b.txt").string());
        }
        rules.roots = {"nowhere"};
        CHECK(why(Access::open(tree.root.string(), rules)) == "failed");
    }

    TEST_CASE("FIFOs, sockets and devices are never opened") {
        const MadeTree tree;
        REQUIRE(::mkfifo((tree.root / "fifo").c_str(), 0600) == 0);
        const Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        const std::string name = (tree.root / "socket").string();
        REQUIRE(name.size() < sizeof address.sun_path);
        name.copy(address.sun_path, name.size());
        REQUIRE(::bind(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
        const Access access = tree.access();
        for (const char* path : {"fifo", "socket"}) {
            const auto place = access.find(path);
            REQUIRE(place);
            CHECK(why(access.open_file(*place)) == "failed");
        }
    }

    TEST_CASE("names that are not UTF-8 are displayed escaped, and found by that form") {
        const MadeTree tree;
        tree.file("line\nend.txt");
        tree.file("latin\xE9.txt");
        tree.file("back\\slash.txt");
        const Access access = tree.access();
        for (const char* path : {"line\\x0aend.txt", "latin\\xe9.txt", "back\\slash.txt"}) {
            CAPTURE(std::string(path));
            const auto place = access.find(path);
            REQUIRE(place);
            CHECK(place->exists);
            CHECK(access.shown(*place) == path);
        }
    }

    TEST_CASE("a walk skips hidden and denied entries, and link loops are harmless") {
        const MadeTree tree;
        tree.file("a/1.txt");
        tree.file("a/.h/2.txt");
        tree.file("b/3.key");
        tree.link("a/loop", "..");
        Rules rules;
        rules.denied_globs = {"*.key"};
        const Access access = tree.access(rules);
        std::string seen;
        Walk walk;
        walk.visit = [&](const Found& found) {
            seen += std::string(found.path) + ' ';
            return true;
        };
        CHECK(walk_tree(access, walk));
        CHECK(seen == "a b a/1.txt a/loop ");
        walk.cancelled = [] { return true; };
        CHECK_FALSE(walk_tree(access, walk));
    }
}

}  // namespace
}  // namespace file_operations::test
