// What the policy forbids, for each tool, with the reason of the rule.
#include <map>

#include "files_stage.hpp"
#include "tests/tools/reasons.hpp"

namespace toolhost::test {
namespace {

std::string policy(const std::string& limits) {
    std::string out = "policies:\n";
    for (const char* tool : {"file_read", "file_write", "file_list", "file_search"})
        out += std::string("  ") + tool + ": { " + limits + " }\n";
    return out;
}

// The same path with all four tools.
std::vector<Json> all_tools(const std::string& path) {
    return {to_read(path, "view"), asked("file_write", {{"path", path}, {"content", "x"}}),
            asked("file_list", {{"path", path}}),
            asked("file_search", {{"path", path}, {"pattern", "x"}})};
}

void check_all(const FilesStage& files, const std::string& path, const std::string& reason,
               const std::string& limits = "") {
    for (const auto& result : files.call(all_tools(path), limits.empty() ? "" : policy(limits))) {
        CAPTURE(path);
        CAPTURE(result);
        CHECK(said(result) == reason);
    }
}

TEST_SUITE("denials") {
    TEST_CASE("paths, in both isolations") {
        for (const char* isolation : kIsolations) {
            CAPTURE(std::string(isolation));
            const FilesStage files(isolation);
            write_file(files.stage().root() / "outside.txt", "secret");
            files.file("inside.txt");
            files.file(".hidden", "secret");
            files.file("site.key", "secret");
            fs::create_symlink("../outside.txt", files.workspace() / "link.txt");
            fs::create_symlink("..", files.workspace() / "up");
            fs::create_symlink(".hidden", files.workspace() / "to_hidden");
            std::vector<Json> requests;
            std::vector<std::string> reasons;
            for (const auto& [path, reason] :
                 std::map<std::string, std::string>{{"../outside.txt", "path_not_allowed"},
                                                    {"/etc/hostname", "path_not_allowed"},
                                                    {"link.txt", "path_not_allowed"},
                                                    {"up/outside.txt", "path_not_allowed"},
                                                    {"~/x", "path_not_allowed"},
                                                    {"site.key", "path_not_allowed"},
                                                    {".hidden", "hidden_not_allowed"},
                                                    {"to_hidden", "hidden_not_allowed"}}) {
                for (auto& request : all_tools(path)) {
                    requests.push_back(std::move(request));
                    reasons.push_back(reason);
                }
            }
            const auto results = files.call(requests);
            for (std::size_t i = 0; i < results.size(); ++i) {
                CAPTURE(requests[i]);
                CHECK(said(results[i]) == reasons[i]);
            }
            CHECK(read_file(files.stage().root() / "outside.txt") == "secret");
            CHECK(read_file(files.workspace() / ".hidden") == "secret");
        }
    }

    TEST_CASE("extensions, sizes, numbers, read_only") {
        const FilesStage files;
        files.file("a.txt", "12345678901");
        files.file("b.bin");
        check_all(files, "b.bin", "extension_not_allowed", "allowed_extensions: [.txt]");
        const auto r =
            files.call({to_read(".", "view"), to_read(".", "find"), to_read("a.txt", "document"),
                        to_read("a.txt", "diff", {{"comparison_path", "b.bin"}}),
                        to_read("a.txt", "diff", {{"comparison_path", "/etc"}}),
                        asked("file_write", {{"path", "c"}, {"content", "12345678901"}})},
                       policy("max_files: 1, max_file_bytes: 10"));
        const std::vector<std::string> reasons{"too_many_files",   "ok",
                                               "file_too_large",   "file_too_large",
                                               "path_not_allowed", "file_too_large"};
        for (std::size_t i = 0; i < r.size(); ++i) CHECK(said(r[i]) == reasons[i]);
        CHECK(said(files.one("file_write", {{"path", "a.txt"}, {"content", ""}},
                             policy("read_only: true"))) == "read_only");
        CHECK(read_file(files.workspace() / "a.txt") == "12345678901");
        CHECK_FALSE(fs::exists(files.workspace() / "c"));
    }

    TEST_CASE("differences and documents have their own limits") {
        const FilesStage files;
        files.file("a.txt", std::string(3000, 'a'));
        files.file("b.txt", std::string(3000, 'b'));
        const auto r = files.call({to_read("a.txt", "diff", {{"comparison_path", "b.txt"}}),
                                   to_read("a.txt", "document"), to_read("*.txt", "document")},
                                  "policies: { file_read: { max_diff_bytes: 2000, "
                                  "max_document_bytes: 4000 } }\n");
        CHECK(said(r[0]) == "file_too_large");
        CHECK(contains(message(r[0]), "max_diff_bytes"));
        CHECK(said(r[1]) == "ok");
        CHECK(said(r[2]) == "too_many_bytes");
    }

    TEST_CASE("each tool declares exactly the reasons that the tests above have seen") {
        const std::set<std::string> paths{"path_not_allowed", "hidden_not_allowed",
                                          "extension_not_allowed"};
        const auto with = [&](std::set<std::string> more) {
            more.insert(paths.begin(), paths.end());
            return more;
        };
        check_reasons("file_list", paths);
        check_reasons("file_search", paths);
        check_reasons("file_read", with({"file_too_large", "too_many_files", "too_many_bytes"}));
        check_reasons("file_write", with({"file_too_large", "read_only", "protected_path"}));
    }

    TEST_CASE("paths that the policy opens are accessible") {
        const FilesStage files;
        files.file(".hidden", "shown x");
        files.file("home/x.txt", "x at home");
        const auto limits = policy("allow_hidden: true, home: home");
        CHECK(
            contains(text(files.one("file_read", {{"path", ".hidden"}, {"mode", "view"}}, limits)),
                     "shown"));
        CHECK(
            contains(text(files.one("file_read", {{"path", "~/x.txt"}, {"mode", "view"}}, limits)),
                     "at home"));
        CHECK(contains(text(files.one("file_search", {{"pattern", "x"}, {"hidden", true}}, limits)),
                       ".hidden:1:"));
        CHECK(contains(text(files.one("file_list", {{"hidden", true}}, limits)), ".hidden"));
    }

    TEST_CASE("an invalid policy is refused when it is loaded") {
        const FilesStage files;
        const auto run = files.run({to_read("a", "view")}, policy("max_files: none"));
        CHECK(run.exit_code != 0);
        CHECK(contains(run.err + run.out, "max_files"));
    }
}

}  // namespace
}  // namespace toolhost::test
