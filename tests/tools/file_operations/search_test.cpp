#include "files_stage.hpp"
#include "tests/tools/cancel.hpp"

namespace toolhost::test {
namespace {

TEST_SUITE("file_search") {
    TEST_CASE("every mode and option, in both isolations") {
        for (const char* isolation : kIsolations) {
            CAPTURE(std::string(isolation));
            const FilesStage files(isolation);
            files.file("a.py", "import os\nclass FooError:\n    pass\nfooerror\n");
            files.file("b.c", "int foo;\n");
            files.file("build/x.py", "FooError\n");
            files.file(".gitignore", "build/\n");
            const auto search = [](Json input) { return asked("file_search", std::move(input)); };
            const auto r = files.call({
                search({{"pattern", "class \\w+Error"}}),
                search({{"pattern", "foo"}, {"case", "smart"}, {"mode", "count"}}),
                search({{"pattern", "Foo"}, {"case", "smart"}, {"mode", "files"}}),
                search({{"pattern", "foo"}, {"case", "ignore"}, {"word", true}}),
                search({{"pattern", "FooError"}, {"use_ignore_files", false}, {"mode", "files"}}),
                search({{"pattern", "class"}, {"context_lines", 1}}),
                search({{"pattern", "o"}, {"include", {"*.py"}}, {"max_results", 2}}),
                search({{"pattern", "o"}, {"exclude", {"*.py"}}, {"mode", "files"}}),
                search({{"pattern", "foo;"}, {"literal", true}, {"path", "b.c"}}),
                search({{"pattern", "nothing like it"}}),
            });
            for (const auto& result : r) CHECK_MESSAGE(said(result) == "ok", message(result));
            CHECK(text(r[0]) == "a.py:2:class FooError:\n");
            const Json line = facts(r[0])["files"][0]["lines"][0];
            CHECK(line["line"] == 2);
            CHECK(line["column"] == 1);
            CHECK(text(r[1]) == "a.py:2\nb.c:1\n");
            CHECK(text(r[2]) == "a.py\n");
            CHECK(text(r[3]) == "b.c:1:int foo;\n");
            CHECK(text(r[4]) == "a.py\nbuild/x.py\n");
            CHECK(text(r[5]) == "a.py-1-import os\na.py:2:class FooError:\na.py-3-    pass\n");
            CHECK(contains(text(r[6]),
                           "a.py:1:import os\na.py:2:class FooError:\n[more results exist"));
            CHECK(facts(r[6])["more"] == true);
            CHECK(text(r[7]) == "b.c\n");
            CHECK(text(r[8]) == "b.c:1:int foo;\n");
            CHECK(text(r[9]) == "No matches in 2 files\n");
        }
    }

    TEST_CASE("invalid search patterns") {
        const FilesStage files;
        const auto r = files.call({asked("file_search", {{"pattern", "a("}}),
                                   asked("file_search", {{"pattern", ""}}),
                                   asked("file_search", {{"pattern", "a"}, {"context_lines", 21}}),
                                   asked("file_search", {{"pattern", "a"}, {"mode", "some"}}),
                                   asked("file_search", {{"pattern", "a"}, {"path", "none"}})});
        for (std::size_t i = 0; i < 4; ++i) CHECK(said(r[i]) == "invalid_input");
        CHECK(contains(message(r[0]), "/pattern"));
        CHECK(said(r[4]) == "tool_failed");
    }

    TEST_CASE("skipped files are mentioned in the text too") {
        const FilesStage files;
        files.file("long.txt", std::string(9 << 20, 'a') + "b\n");
        files.file("large.txt", std::string(40, 'a') + '\n');
        const auto costly =
            files.one("file_search", {{"pattern", "(a*)*[bc]"}, {"path", "long.txt"}});
        CHECK(contains(text(costly), "[long.txt: lines that are too long, or take too many steps"));
        const auto large = files.one("file_search", {{"pattern", "a"}, {"include", {"large*"}}},
                                     "policies: { file_search: { max_file_bytes: 20 } }\n");
        CHECK(
            contains(text(large), "[1 files larger than the policy's max_file_bytes were skipped"));
    }

    TEST_CASE("a search over a large tree shows its progress, and Ctrl-C ends it within 100 ms") {
        for (const char* isolation : kIsolations) {
            CAPTURE(std::string(isolation));
            const FilesStage files(isolation);
            // One file with many names, and a pattern that is expensive at each letter: slow on any
            // machine, and created quickly.
            std::string line(70, 'a');
            line += "b\n";
            std::string content;
            while (content.size() < (64u << 10)) content += line;
            files.file("d0/f0", content);
            for (int folder = 0; folder < 40; ++folder) {
                const auto name = "d" + std::to_string(folder);
                fs::create_directories(files.workspace() / name);
                for (int i = folder == 0 ? 1 : 0; i < 100; ++i)
                    fs::create_hard_link(files.workspace() / "d0/f0",
                                         files.workspace() / name / ("f" + std::to_string(i)));
            }
            check_cancel(files.stage(),
                         {"call", "file_search", "pattern=a+a+[cd]", "--profile",
                          files.write_profile(kLongGracePeriod).string(), "--only-plugins",
                          TOOLHOST_SHIPPED},
                         "files searched", with_cache({.name_plugins = false}));
        }
    }

    TEST_CASE("more than a result can contain: text and list are cut, and both are marked") {
        const FilesStage files;
        std::string many;
        for (int i = 0; i < 900; ++i) many += "a match that takes some room in every line of it\n";
        files.file("a.txt", many);
        files.file("b.txt", many);
        const auto result =
            files.one("file_search", {{"pattern", "match"}, {"max_results", 100000}});
        CHECK(said(result) == "ok");
        CHECK(facts(result)["results"] == 1000);  // the policy's max_results
        CHECK(facts(result)["more"] == true);
        CHECK(facts(result)["list_cut"] == true);
        CHECK(contains(text(result), "[more results exist"));
    }
}

}  // namespace
}  // namespace toolhost::test
