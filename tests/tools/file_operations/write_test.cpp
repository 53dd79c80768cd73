#include "files_stage.hpp"

namespace toolhost::test {
namespace {

TEST_SUITE("file_write") {
    TEST_CASE("create, append, replace, edit, in both isolations") {
        for (const char* isolation : kIsolations) {
            CAPTURE(std::string(isolation));
            const FilesStage files(isolation);
            files.file("script.sh", "old");
            fs::permissions(files.workspace() / "script.sh", fs::perms::owner_all);
            const auto write = [](Json input) { return asked("file_write", std::move(input)); };
            const auto r = files.call({
                write({{"path", "new/a.txt"}, {"content", "one\n"}}),
                write({{"path", "new/a.txt"}, {"content", "two\n"}, {"append", true}}),
                write({{"path", "new/a.txt"}, {"content", "three\n"}, {"mode", "a"}}),
                write({{"path", "new/a.txt"},
                       {"expected_content", "two"},
                       {"content", "2"},
                       {"replace", true}}),
                write({{"path", "script.sh"}, {"content", "new"}, {"expected_content", "old"}}),
                write({{"path", "script.sh"}, {"content", "x"}, {"expected_content", "old"}}),
                write({{"path", "new/a.txt"},
                       {"expected_content", "e\n"},
                       {"content", "2"},
                       {"replace", true}}),
                write({{"path", "new"}, {"content", ""}}),
                write({{"path", "no/b"}, {"content", ""}, {"create_dirs", false}}),
                write({{"path", "b"}, {"content", ""}, {"replace", true}}),
                write(
                    {{"path", "b"}, {"content", ""}, {"replace", true}, {"expected_content", ""}}),
                write({{"path", "b"},
                       {"content", ""},
                       {"replace", true},
                       {"append", true},
                       {"expected_content", "x"}}),
                write({{"path", "b"}}),
                write({{"path", "b"}, {"content", ""}, {"mode", "x"}}),
            });
            for (std::size_t i = 0; i < 5; ++i) CHECK_MESSAGE(said(r[i]) == "ok", message(r[i]));
            CHECK(facts(r[0])["action"] == "created");
            CHECK(facts(r[0])["folders_created"] == 1);
            CHECK(facts(r[1])["action"] == "appended");
            CHECK(facts(r[3])["line"] == 2);
            CHECK(read_file(files.workspace() / "new/a.txt") == "one\n2\nthree\n");
            CHECK(read_file(files.workspace() / "script.sh") == "new");
            CHECK(mode_of(files.workspace() / "script.sh") == 0700);
            CHECK(mode_of(files.workspace() / "new/a.txt") == 0644);
            CHECK(contains(message(r[5]), "first difference at byte 0"));
            CHECK(contains(message(r[6]), "more than once"));
            for (std::size_t i = 5; i < 9; ++i) CHECK(said(r[i]) == "tool_failed");
            for (std::size_t i = 9; i < r.size(); ++i) CHECK(said(r[i]) == "invalid_input");
            for (const auto& entry : fs::recursive_directory_iterator(files.workspace()))
                CHECK_FALSE(contains(entry.path().filename().string(), ".toolhost-"));
        }
    }

    TEST_CASE("without a human to ask, nothing is written") {
        const FilesStage files;
        const auto result =
            files.one("file_write", {{"path", "a"}, {"content", "x"}}, "consent: ask\n");
        CHECK(said(result) == "consent_required");
        CHECK_FALSE(fs::exists(files.workspace() / "a"));
    }
}

}  // namespace
}  // namespace toolhost::test
