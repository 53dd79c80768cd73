// Batches: one request per line, one result per line, in the order of the requests.
#include <doctest/doctest.h>

#include "tests/integration/harness.hpp"

namespace toolhost::test {
namespace {

TEST_SUITE("batch") {
    TEST_CASE("results have the order of the requests, and a bad line affects no other") {
        const Stage stage({"echo", "waiter", "adder"});
        const std::string requests =
            R"({"tool":"waiter","input":{"ms":200},"toolUseId":"slow"})"
            "\n"
            "\n"
            "{ not json\n"
            R"({"tool":"echo","input":{"a":1},"toolUseId":"quick"})"
            "\n"
            R"({"name":"no_such_tool","toolUseId":"unknown"})"
            "\n"
            R"({"tool":"echo","inputs":{},"toolUseId":"misspelt"})"
            "\n"
            R"([])"
            "\n"
            R"({"input":{}})"
            "\n"
            R"({"tool":"adder","input":{"a":1,"b":2}})";  // without a line end
        for (const auto& jobs :
             {std::vector<std::string>{"--jobs", "4"}, std::vector<std::string>{"--sequential"},
              std::vector<std::string>{}}) {
            std::vector<std::string> args{"call", "--batch", "-"};
            args.insert(args.end(), jobs.begin(), jobs.end());
            const auto run = stage.run(args, {.input = requests});
            CAPTURE(run);
            CHECK(run.exit_code == 10);
            const auto lines = lines_of(run.out);
            REQUIRE(lines.size() == 8);
            std::vector<Json> results;
            for (const auto& line : lines) results.push_back(Json::parse(line));
            CHECK(results[0]["toolUseId"] == "slow");
            CHECK(results[0]["status"] == "success");
            CHECK(results[1]["error"]["details"]["line"] == 3);
            CHECK(results[2]["toolUseId"] == "quick");
            CHECK(results[2]["status"] == "success");
            CHECK(results[3]["error"]["code"] == "unknown_tool");
            CHECK(contains(results[4]["error"]["message"].get<std::string>(), "\"inputs\""));
            CHECK(results[4]["toolUseId"] == "misspelt");
            CHECK(results[5]["error"]["code"] == "invalid_input");
            CHECK(contains(results[6]["error"]["message"].get<std::string>(), "line 8"));
            CHECK(results[7]["status"] == "success");
        }
    }

    TEST_CASE("serial libraries never run two calls at once, concurrent ones do") {
        const Stage stage({"overlap_serial", "overlap_concurrent"});
        auto most = [&](const std::string& tool) {
            std::string requests;
            for (int i = 0; i < 8; ++i) requests += "{\"tool\":\"" + tool + "\"}\n";
            const auto run =
                stage.run({"call", "--batch", "-", "--jobs", "8"}, {.input = requests});
            CAPTURE(run);
            CHECK(run.exit_code == 0);
            int seen = 0;
            for (const auto& line : lines_of(run.out))
                seen = std::max(seen, Json::parse(line)["content"][0]["json"].get<int>());
            return seen;
        };
        CHECK(most("overlap_serial") == 1);
        CHECK(most("overlap_concurrent") > 1);
    }

    TEST_CASE("--stream names the source of each line") {
        const Stage stage({"streamer"});
        const auto run = stage.run({"call", "--batch", "-", "--stream", "--jobs", "2"},
                                   {.input = "{\"tool\":\"streamer\",\"toolUseId\":\"a\"}\n"
                                             "{\"tool\":\"streamer\",\"toolUseId\":\"b\"}\n"});
        CAPTURE(run);
        std::map<std::string, int> emitted;
        for (const auto& line : lines_of(run.out)) {
            const auto value = Json::parse(line);
            if (value.contains("emit")) ++emitted[value.value("toolUseId", "")];
        }
        CHECK(emitted.size() == 2);
        CHECK(emitted["a"] > 0);
        CHECK(emitted["a"] == emitted["b"]);
    }

    TEST_CASE("invalid batch requests") {
        const Stage stage({"echo"});
        CHECK(stage.run({"call", "--batch", "/no/such/file"}).exit_code == 12);
        CHECK(stage.run({"call", "echo", "--batch", "-"}).exit_code == 2);
        CHECK(stage.run({"call", "echo", "--jobs", "2"}).exit_code == 2);
        const auto empty = stage.run({"call", "--batch", "-"}, {.input = "\n \n"});
        CHECK(empty.exit_code == 0);
        CHECK(empty.out.empty());
    }
}

}  // namespace
}  // namespace toolhost::test
