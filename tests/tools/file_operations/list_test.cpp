#include "files_stage.hpp"
#include "made_repository.hpp"

namespace toolhost::test {
namespace {

TEST_SUITE("file_list") {
    TEST_CASE("flat and tree, filters, orders, limits, in both isolations") {
        for (const char* isolation : kIsolations) {
            CAPTURE(std::string(isolation));
            const FilesStage files(isolation);
            files.file("big.txt", std::string(3000, 'x'));
            files.file("small.txt", "1");
            files.file("d/e/deep.c", "12");
            fs::create_symlink("small.txt", files.workspace() / "link");
            fs::create_symlink("..", files.workspace() / "d/loop");
            fs::last_write_time(files.workspace() / "big.txt",
                                fs::file_time_type::clock::now() - std::chrono::hours(48));
            const auto list = [](Json input) { return asked("file_list", std::move(input)); };
            const auto r = files.call({
                list(Json::object()),
                list({{"format", "tree"}, {"depth", 5}}),
                list({{"pattern", "*.c"}, {"depth", 5}, {"format", "tree"}}),
                list({{"type", "file"}, {"depth", 5}, {"sort", "size"}}),
                list({{"type", "file"}, {"sort", "time"}, {"reverse", true}}),
                list({{"sort", "type"}}),
                list({{"max_results", 1}}),
                list({{"path", "small.txt"}}),
                list({{"type", "link"}, {"depth", 5}}),
                list({{"path", "none"}}),
                list({{"depth", 0}}),
                list({{"sort", "colour"}}),
            });
            const auto names = [&](std::size_t i) {
                std::string out;
                const Json said_of = facts(r[i]);
                for (const auto& entry : said_of.at("entries"))
                    out += entry["path"].get<std::string>() + ' ';
                return out;
            };
            CHECK(names(0) == "big.txt d link small.txt ");
            CHECK(facts(r[0])["entries"][0]["size"] == 3000);
            CHECK(facts(r[0])["entries"][2]["target"] == "small.txt");
            CHECK(contains(text(r[0]), "3 files, 1 folders, 2.9 KB\n"));
            CHECK(contains(text(r[1]),
                           ".\n\u251c\u2500\u2500 big.txt (2.9 KB)\n\u251c\u2500\u2500 "
                           "d/\n\u2502   \u251c\u2500\u2500 e/\n\u2502   \u2502   "
                           "\u2514\u2500\u2500 deep.c (2 bytes)\n"));
            CHECK(contains(text(r[1]), "loop -> ..\n"));
            CHECK(contains(text(r[2]), "deep.c"));
            CHECK_FALSE(contains(text(r[2]), "small"));
            CHECK(names(3) == "big.txt d/e/deep.c small.txt ");
            CHECK(names(4) == "big.txt small.txt ");
            CHECK(names(5) == "d big.txt small.txt link ");
            CHECK(names(6) == "big.txt ");
            CHECK(facts(r[6])["more"] == true);
            CHECK(names(7) == "small.txt ");
            CHECK(names(8) == "d/loop link ");
            CHECK(said(r[9]) == "tool_failed");
            CHECK(said(r[10]) == "invalid_input");
            CHECK(said(r[11]) == "invalid_input");
        }
    }

    TEST_CASE("the summary is complete even if not all entries are listed") {
        const FilesStage files;
        for (int i = 0; i < 900; ++i) files.file("a_file_with_a_name_" + std::to_string(i), "12");
        const auto r = files.call({asked("file_list", {{"max_results", 900}}),
                                   asked("file_list", {{"max_results", 2}}),
                                   asked("file_list", {{"hidden", true}, {"max_results", 2}})});
        for (const auto& result : r) {
            CHECK(contains(text(result), "900 files, 0 folders, 1.8 KB\n"));
            CHECK(facts(result)["files"] == 900);
            CHECK(facts(result)["more"] == true);
            CHECK_FALSE(contains(text(result), "[truncated: "));
        }
        CHECK(contains(facts(r[2]).dump(), "allow_hidden"));
    }
}

TEST_SUITE("specs") {
    TEST_CASE("each spec is complete, and its examples work as written") {
        const FilesStage files;
        MadeRepository repository(files.workspace());
        files.file("README.md", "how to install\n");
        files.file("docs/a.md", "install\n");
        files.file("src/main.c", std::string(40, '\n'));
        repository.commit("All");
        for (const char* name : {"file_read", "file_write", "file_list", "file_search"}) {
            CAPTURE(std::string(name));
            const Json spec = files.stage()
                                  .run({"show", name, "--json", "--only-plugins", TOOLHOST_SHIPPED},
                                       with_cache({.name_plugins = false}))
                                  .json()
                                  .at("spec");
            const bool writes = std::string(name) == "file_write";
            CHECK(contains(spec.at("description").get<std::string>(), "Use it"));
            CHECK(contains(spec.at("description").get<std::string>(), "Not for"));
            CHECK(spec.at("version") == "1.0.0");
            CHECK(spec.at("category") == "file_ops");
            CHECK(spec.at("denialReasons").contains("path_not_allowed"));
            CHECK(spec.at("needs") ==
                  Json{{"network", false}, {"read", true}, {"write", writes}, {"exec", false}});
            CHECK(spec.value("requiresConsent", false) == writes);
            CHECK(spec.at("annotations").at("readOnlyHint") == !writes);
            for (const char* schema : {"inputSchema", "outputSchema", "policySchema"})
                for (const auto& field : spec.at(schema).at("properties"))
                    CHECK(field.contains("description"));
            std::vector<Json> requests;
            for (const auto& example : spec.at("examples"))
                requests.push_back(asked(name, example.at("input")));
            CHECK(requests.size() >= 3);
            for (const auto& result : files.call(requests))
                CHECK_MESSAGE(said(result) == "ok", message(result));
        }
    }
}

}  // namespace
}  // namespace toolhost::test
