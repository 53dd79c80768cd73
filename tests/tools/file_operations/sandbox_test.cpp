// The sandbox enforces limits even if the tool's policy allows everything.
#include <chrono>

#include "files_stage.hpp"

namespace toolhost::test {
namespace {

const std::string kOpenPolicy =
    "policies:\n"
    "  file_read: { roots: ['.', '..'] }\n"
    "  file_write: { roots: ['.', '..'] }\n"
    "  file_list: { roots: ['.', '..'] }\n"
    "  file_search: { roots: ['.', '..'] }\n";

std::vector<Json> outside() {
    return {to_read("../outside.txt", "view"), asked("file_list", {{"path", "../other"}}),
            asked("file_search", {{"path", "../other"}, {"pattern", "secret"}}),
            asked("file_write", {{"path", "../outside.txt"}, {"content", "overwritten"}}),
            asked("file_write", {{"path", "../new.txt"}, {"content", "new"}})};
}

TEST_SUITE("sandbox") {
    TEST_CASE("a policy that allows paths outside the workspace does not make them accessible") {
        const FilesStage files("process");
        write_file(files.stage().root() / "outside.txt", "secret");
        fs::create_directories(files.stage().root() / "other");
        write_file(files.stage().root() / "other/x.txt", "secret");
        const auto r = files.call(outside(), kOpenPolicy);
        CHECK(said(r[0]) == "tool_failed");
        CHECK_FALSE(contains(r[1].dump(), "x.txt"));
        CHECK_FALSE(contains(text(r[2]), "secret"));
        CHECK(said(r[3]) == "tool_failed");
        CHECK(said(r[4]) == "tool_failed");
        CHECK(read_file(files.stage().root() / "outside.txt") == "secret");
        CHECK_FALSE(fs::exists(files.stage().root() / "new.txt"));
        for (const auto& result : r) CHECK_FALSE(contains(result.dump(), "overwritten"));
    }

    TEST_CASE("in the host's process only the policy applies") {
        const FilesStage files("in_process");
        write_file(files.stage().root() / "outside.txt", "secret");
        fs::create_directories(files.stage().root() / "other");
        write_file(files.stage().root() / "other/x.txt", "secret");
        for (const auto& result : files.call(outside(), kOpenPolicy)) {
            CAPTURE(result);
            CHECK(said(result) == "ok");
        }
        CHECK(read_file(files.stage().root() / "outside.txt") == "overwritten");
    }

    TEST_CASE("without a grant nothing is written, whatever the tool's policy says") {
        const FilesStage files("process");
        const auto result = files.one("file_write", {{"path", "a"}, {"content", "x"}},
                                      "grants: { 'shipped:file_write': [none] }\n");
        CAPTURE(result);
        CHECK(said(result) != "ok");
        CHECK_FALSE(fs::exists(files.workspace() / "a"));
    }

    TEST_CASE("unreadable folders are reported and skipped") {
        if (is_root()) return;  // root may read everything
        const FilesStage files;
        files.file("a/x.txt");
        files.file("closed/x.txt");
        fs::permissions(files.workspace() / "closed", fs::perms::none);
        const auto found = files.one("file_search", {{"pattern", "x"}});
        fs::permissions(files.workspace() / "closed", fs::perms::owner_all);
        CHECK(facts(found)["results"] == 1);
        CHECK(contains(facts(found)["notes"].dump(), "closed"));
    }

    TEST_CASE("a long search shows progress, and stops when cancelled") {
        for (const char* isolation : kIsolations) {
            CAPTURE(std::string(isolation));
            const FilesStage files(isolation);
            files.file("aaa.txt", "quick\n");
            // Each line takes the expression to its limit: minutes in total.
            std::string slow;
            for (int i = 0; i < 1000; ++i) slow += std::string(500, 'a') + '\n';
            for (int i = 0; i < 20; ++i) {
                files.file("d" + std::to_string(i) + "/slow.txt", slow);
                files.file("d" + std::to_string(i) + "/fast.txt");
            }
            const auto start = std::chrono::steady_clock::now();
            const Run run = files.run(
                {asked("file_search", {{"pattern", "(a*)*[bc]"}}),
                 asked("file_search", {{"pattern", "quick"}})},
                "policies: { file_search: { timeoutMs: 700 } }\nworkers: { graceMs: 5000 }\n",
                {"--stream"});
            const auto took = std::chrono::steady_clock::now() - start;
            CAPTURE(run);
            const auto lines = lines_of(run.out);
            REQUIRE(lines.size() >= 3);
            CHECK(contains(run.out, "\"emit\":\"progress\""));
            CHECK(said(Json::parse(lines[lines.size() - 2])) == "timeout");
            // The same worker answers at once; in the host's process the code may still be running.
            if (isolation == std::string("process")) CHECK(said(Json::parse(lines.back())) == "ok");
            CHECK(took < std::chrono::milliseconds(3000));
        }
    }
}

}  // namespace
}  // namespace toolhost::test
