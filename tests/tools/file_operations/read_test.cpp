#include "files_stage.hpp"
#include "made_repository.hpp"

namespace toolhost::test {
namespace {

TEST_SUITE("file_read") {
    TEST_CASE("every mode, in both isolations") {
        for (const char* isolation : kIsolations) {
            CAPTURE(std::string(isolation));
            const FilesStage files(isolation);
            std::string numbers;
            for (int i = 1; i <= 100; ++i) numbers += "line " + std::to_string(i) + '\n';
            files.file("n.txt", numbers);
            files.file("docs/a.md", "# A\nNeedle here\n");
            files.file("docs/b.md", "# B\n");
            files.file("pic.dat", "\x89PNG\r\n\x1A\n rest");
            const auto r = files.call({
                to_read("docs/*.md,n.txt", "find"),
                to_read("docs/a.md", "view"),
                to_read("n.txt", "lines", {{"start_line", 99}}),
                to_read("n.txt", "lines", {{"start_line", 0}, {"end_line", 2}}),
                to_read("n.txt", "chunk", {{"chunk_offset", 5}, {"chunk_size", 3}}),
                to_read("docs", "search", {{"search_pattern", "NEEDLE"}, {"context_lines", 1}}),
                to_read("n.txt", "stats"),
                to_read("n.txt", "preview"),
                to_read("docs/a.md", "diff", {{"comparison_path", "docs/b.md"}}),
                to_read("docs/a.md", "document"),
                to_read("pic.dat", "view"),
                to_read("n.txt", "time_machine", {{"git_history", false}}),
            });
            for (const auto& result : r) CHECK_MESSAGE(said(result) == "ok", message(result));
            CHECK(text(r[0]) == "Found 3 files:\ndocs/a.md\ndocs/b.md\nn.txt\n");
            CHECK(text(r[1]) == "Content of docs/a.md:\n# A\nNeedle here\n");
            CHECK(text(r[2]) == "line 99\nline 100\n");
            CHECK(facts(r[2])["files"][0]["first_line"] == 99);
            CHECK(text(r[3]) == "line 1\nline 2\n");
            CHECK(text(r[4]) == "1\nl");
            CHECK(contains(text(r[5]), "  1: # A\n\u2192 2: Needle here\n"));
            CHECK(facts(r[5])["files"][0]["matches"] == 1);
            CHECK(facts(r[5])["files"][1]["matches"] == 0);
            CHECK(facts(r[6])["files"][0]["lines"] == 100);
            CHECK(facts(r[6])["files"][0]["encoding"] == "UTF-8");
            CHECK(contains(text(r[7]), "Total Lines: 100\n\nPreview:\nline 1\n"));
            CHECK(contains(text(r[7]), "line 50\n"));
            CHECK_FALSE(contains(text(r[7]), "line 51\n"));
            CHECK(contains(text(r[8]), "-Needle here\n"));
            const auto& document = r[9]["content"][0]["document"];
            CHECK(document["format"] == "md");
            CHECK(document["source"]["bytes"] == "IyBBCk5lZWRsZSBoZXJlCg==");
            CHECK(r[10]["content"][0]["image"]["format"] == "png");
            CHECK(contains(text(r[11]), "Permissions: rw"));
            // The shown content is in the JSON too, for clients that pass on only the JSON.
            for (const std::size_t i : {1u, 2u, 3u, 4u, 7u, 8u, 11u}) {
                CAPTURE(i);
                CHECK(facts(r[i])["files"][0]["content"] == text(r[i]));
                CHECK_FALSE(facts(r[i])["files"][0].contains("content_cut"));
            }
            CHECK(contains(facts(r[5])["files"][0]["content"].get<std::string>(), "Needle here"));
            CHECK_FALSE(facts(r[6])["files"][0].contains("content"));
        }
    }

    TEST_CASE("content that does not fit into the JSON is cut there, and marked") {
        const FilesStage files;
        std::string quotes;
        for (int i = 0; i < 1700; ++i) quotes += "\"\u00e9\u00e9\u00e9\u00e9\"\n";
        files.file("q.txt", quotes);
        files.file("small.txt", "small\n");
        const auto r = files.call({to_read("q.txt", "view"), to_read("q.txt,small.txt", "view")});
        for (const auto& result : r) CHECK_MESSAGE(said(result) == "ok", message(result));
        const auto file = facts(r[0])["files"][0];
        const auto content = file["content"].get<std::string>();
        CHECK(file["content_cut"] == true);
        CHECK(content.size() > 8000);
        CHECK(text(r[0]).starts_with(content));
        CHECK(Json(content).dump().size() < 20'000);
        // The facts of all files have precedence over content.
        CHECK(facts(r[1])["files"].size() == 2);
    }

    TEST_CASE("the commits that changed a file") {
        for (const char* isolation : kIsolations) {
            CAPTURE(std::string(isolation));
            const FilesStage files(isolation);
            MadeRepository repository(files.workspace());
            files.file("sub/a.txt", "one\n");
            repository.commit("First of all");
            files.file("other.txt");
            repository.commit("Something else");
            files.file("sub/a.txt", "one\ntwo\n");
            repository.commit("Add two");
            files.file("sub/a.txt", "two\n");
            repository.commit("Drop one");
            files.file("late.txt");
            const auto r = files.call({to_read("sub/a.txt", "time_machine"),
                                       to_read("sub/a.txt", "time_machine", {{"num_revisions", 1}}),
                                       to_read("late.txt", "time_machine")});
            for (const auto& result : r) CHECK_MESSAGE(said(result) == "ok", message(result));
            for (const char* part : {"Message: First of all\n", "Message: Add two\n",
                                     "Message: Drop one\n", "Author: An Author\n", "-one\n"}) {
                CHECK(contains(text(r[0]), part));
            }
            CHECK_FALSE(contains(text(r[0]), "Something else"));
            CHECK(contains(text(r[1]), "Drop one"));
            CHECK_FALSE(contains(text(r[1]), "Add two"));
            CHECK(facts(r[1])["files"][0]["truncated"] == true);
            CHECK(contains(text(r[2]), "no commit has this file"));
        }
    }

    TEST_CASE("the history of a deleted file and of a deleted folder") {
        const FilesStage files;
        MadeRepository repository(files.workspace());
        files.file("a.txt", "here\n");
        files.file("sub/deep/b.txt", "there\n");
        files.file("stays.txt");
        repository.commit("Add all");
        fs::remove(files.workspace() / "a.txt");
        fs::remove_all(files.workspace() / "sub");
        repository.commit("Remove two");
        write_file(files.stage().root() / "outside.txt", "x");
        const auto r = files.call(
            {to_read("a.txt", "time_machine"), to_read("sub/deep/b.txt", "time_machine"),
             to_read("never.txt", "time_machine"), to_read("sub/deep/never.txt", "time_machine"),
             to_read("stays.txt,never.txt", "time_machine"), to_read("../gone.txt", "time_machine"),
             to_read("sub/.hidden/x", "time_machine"), to_read("sub/x.key", "time_machine"),
             to_read("a.txt", "time_machine", {{"git_history", false}})});
        for (const std::size_t i : {0u, 1u, 4u}) CHECK_MESSAGE(said(r[i]) == "ok", message(r[i]));
        CHECK(contains(text(r[0]), "The file no longer exists.\n"));
        for (const char* part : {"Message: Add all\n", "Message: Remove two\n", "-here\n"})
            CHECK(contains(text(r[0]), part));
        CHECK(contains(text(r[1]), "-there\n"));
        for (const std::size_t i : {2u, 3u}) {
            CHECK(said(r[i]) == "tool_failed");
            CHECK(contains(message(r[i]), "no such file, and it is in no commit"));
        }
        CHECK(contains(text(r[4]), "no commit has this file"));
        CHECK(said(r[5]) == "path_not_allowed");
        CHECK(said(r[6]) == "hidden_not_allowed");
        CHECK(said(r[7]) == "path_not_allowed");
        CHECK(said(r[8]) == "tool_failed");
    }

    TEST_CASE("a repository with objects elsewhere, or above the workspace") {
        const FilesStage files("in_process");
        const fs::path outside = files.stage().root() / "outside";
        fs::create_directories(outside);
        {
            MadeRepository repository(outside);
            write_file(outside / "a.txt", "secret past\n");
            repository.commit("Secret");
        }
        files.file("a.txt", "present\n");
        files.file(".git", "gitdir: " + (outside / ".git").string() + '\n');
        CHECK(said(files.one("file_read", {{"path", "a.txt"}, {"mode", "time_machine"}})) ==
              "path_not_allowed");
        fs::remove(files.workspace() / ".git");
        const auto none = files.one("file_read", {{"path", "a.txt"}, {"mode", "time_machine"}});
        CHECK(said(none) == "tool_failed");
        CHECK(contains(message(none), "is not in a git repository"));
    }

    TEST_CASE("encodings, binary files, odd names") {
        using namespace std::string_literals;
        const FilesStage files;
        files.file("utf16.txt", "\xFF\xFE\xE9\0\n\0"s);
        files.file("latin.txt", "caf\xE9 au lait, s'il vous pla\xEEt\n");
        files.file("binary",
                   "\x7F"
                   "ELF\0\0\0"s);
        files.file("new\nline\xFF.txt", "odd");
        const auto r = files.call({to_read("utf16.txt", "view"), to_read("latin.txt", "view"),
                                   to_read("binary", "view"), to_read("new*", "find"),
                                   to_read("new\\x0aline\\xff.txt", "view")});
        CHECK(contains(text(r[0]), ":\n\u00e9\n"));
        CHECK(facts(r[0])["files"][0]["encoding"] == "UTF-16LE");
        CHECK(contains(text(r[1]), "caf\u00e9 au lait"));
        CHECK(contains(text(r[1]), "[converted from Windows-1252 to UTF-8]"));
        CHECK(contains(text(r[2]), "is a binary file of 7 bytes"));
        CHECK(contains(text(r[3]), "new\\x0aline\\xff.txt"));
        CHECK(contains(text(r[4]), "odd"));
    }

    TEST_CASE("a file of 10 GB in a worker with 512 MB") {
        const FilesStage files;
        std::string begin;
        for (int i = 0; i < 2000; ++i) begin += "begin " + std::to_string(i) + '\n';
        files.file("huge", begin);
        fs::resize_file(files.workspace() / "huge", std::uintmax_t{10} << 30);
        const auto r = files.call({
            to_read("huge", "lines", {{"start_line", 3}, {"end_line", 4}}),
            to_read("huge", "preview"),
            to_read("huge", "stats"),
            to_read("huge", "chunk", {{"chunk_offset", 0}, {"chunk_size", 5}}),
            to_read("huge", "view"),
            to_read("huge", "search", {{"search_pattern", "begin 1999"}, {"context_lines", 0}}),
            to_read("huge", "document"),
            asked("file_search", {{"pattern", "begin"}}),
        });
        CHECK(text(r[0]) == "begin 2\nbegin 3\n");
        CHECK(contains(text(r[1]), "Total Lines: 2001"));
        CHECK(facts(r[2])["files"][0]["size"] == std::int64_t{10} << 30);
        CHECK(facts(r[2])["files"][0]["lines"] == 2001);
        CHECK(text(r[3]) == "begin");
        CHECK(said(r[4]) == "ok");
        CHECK(contains(text(r[5]), "\u2192 2000: begin 1999\n"));
        CHECK(said(r[6]) == "file_too_large");
        CHECK(facts(r[7])["results"] == 0);
        CHECK(contains(facts(r[7])["notes"].dump(), "larger than the policy's max_file_bytes"));
    }

    TEST_CASE("output beyond the host's limit: the tool stops before, and says where to continue") {
        const FilesStage files;
        std::string numbers;
        for (int i = 1; i <= 30000; ++i) numbers += "line " + std::to_string(i) + '\n';
        files.file("n.txt", numbers);
        files.file("long.txt", std::string(50000, 'x'));
        const auto r = files.call({to_read("n.txt", "view"),
                                   to_read("n.txt", "chunk", {{"chunk_size", 100000}}),
                                   to_read("n.txt", "search", {{"search_pattern", "line"}}),
                                   to_read("long.txt", "view"), to_read("*.txt", "view")});
        for (const auto& result : r) {
            CAPTURE(text(result).substr(text(result).size() - 200));
            CHECK(said(result) == "ok");
            CHECK_FALSE(contains(text(result), "[truncated: "));
            CHECK(facts(result)["files"][0]["truncated"] == true);
        }
        const auto last = facts(r[0])["files"][0]["last_line"].get<int>();
        CHECK(last < 3000);
        CHECK(contains(text(r[0]), "\nline " + std::to_string(last) + '\n'));
        CHECK(
            contains(text(r[0]), "continue with mode lines from line " + std::to_string(last + 1)));
        CHECK(contains(text(r[1]), "continue with chunk_offset "));
        CHECK(contains(text(r[3]), "mode chunk"));
        CHECK(contains(facts(r[4])["files"][1]["note"].get<std::string>(), "separate call"));
    }

    TEST_CASE("several files: one that cannot be read does not affect the others") {
        const FilesStage files;
        files.file("a.txt", "fine\n");
        files.file("b.txt", std::string(3000, 'b'));
        const auto result =
            files.one("file_read", {{"path", "a.txt,b.txt,c.txt"}, {"mode", "document"}},
                      "policies: { file_read: { max_file_bytes: 100 } }\n");
        CHECK(said(result) == "ok");
        CHECK(result["content"][0].contains("document"));
        CHECK(contains(text(result), "Error: b.txt has 3000 bytes"));
        CHECK(contains(facts(result)["notes"].dump(), "c.txt"));
    }

    TEST_CASE("conflicting options are reported with their field") {
        const FilesStage files;
        files.file("a.txt", "text");
        const auto r = files.call({
            to_read("a.txt", "search"),
            to_read("a.txt", "diff"),
            to_read("a.txt", "lines", {{"start_line", 5}, {"end_line", 4}}),
            to_read("a.txt", "chunk", {{"chunk_offset", 5}}),
            to_read("a.txt", "guess"),
            to_read("", "view"),
            to_read("a.txt", "chunk", {{"chunk_size", 0}}),
            to_read("a.txt", "lines", {{"start_line", -1}}),
            to_read("a.txt", "diff", {{"comparison_path", "."}}),
            to_read(std::string("a\0b", 3), "view"),
            asked("file_read", {{"path", "a.txt"}}),
        });
        const std::vector<std::string> fields{"/search_pattern",
                                              "/comparison_path",
                                              "/end_line",
                                              "/chunk_offset",
                                              "/mode",
                                              "/path",
                                              "/chunk_size",
                                              "/start_line",
                                              "/comparison_path",
                                              "/path",
                                              "mode"};
        for (std::size_t i = 0; i < r.size(); ++i) {
            CAPTURE(r[i]);
            CHECK(said(r[i]) == "invalid_input");
            CHECK(contains(message(r[i]), fields[i]));
        }
    }
}

}  // namespace
}  // namespace toolhost::test
