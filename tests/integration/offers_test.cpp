// Resources and prompts of a library, and its questions to the client, through the real program.
#include <doctest/doctest.h>

#include "tests/integration/harness.hpp"

namespace toolhost::test {
namespace {

// Requests without sessions; the answers by id.
std::map<int, Json> served(const Stage& stage, const std::vector<std::pair<const char*, Json>>& all,
                           const Json& capabilities = Json::object()) {
    Options options;
    int id = 0;
    for (auto [method, params] : all) {
        params["_meta"] = {{"io.modelcontextprotocol/protocolVersion", "2026-07-28"},
                           {"io.modelcontextprotocol/clientCapabilities", capabilities}};
        options.input +=
            Json{{"jsonrpc", "2.0"}, {"id", ++id}, {"method", method}, {"params", params}}.dump() +
            '\n';
    }
    const auto run = stage.run({"serve"}, options);
    CAPTURE(run);
    CHECK(run.exit_code == 0);
    std::map<int, Json> answers;
    for (const auto& line : lines_of(run.out)) {
        const auto message = Json::parse(line);
        if (message.contains("id")) answers[message["id"].get<int>()] = message;
    }
    CHECK(answers.size() == all.size());
    return answers;
}

TEST_SUITE("offers") {
    TEST_CASE("a library's resources and prompts are served, and are not tools") {
        const Stage stage({"offers"});
        auto answers = served(
            stage,
            {{"resources/list", Json::object()},
             {"resources/read", {{"uri", "notes:today"}}},
             {"resources/read", {{"uri", "notes:day/monday"}}},
             {"resources/read", {{"uri", "notes:day/never"}}},
             {"prompts/get", {{"name", "remember"}, {"arguments", {{"what", "milk"}}}}},
             {"completion/complete",
              {{"ref", {{"type", "ref/prompt"}, {"name", "remember"}}},
               {"argument", {{"name", "what"}, {"value", ""}}}}},
             {"tools/list", Json::object()},
             {"tools/call", {{"name", "notes.resources/read"}, {"arguments", {{"uri", "a:b"}}}}}});
        CHECK(answers[1]["result"]["resources"][0]["uri"] == "notes:today");
        CHECK(answers[2]["result"]["contents"] ==
              Json{{{"uri", "notes:today"}, {"text", "sunny"}}});
        CHECK(answers[3]["result"]["contents"][0]["uri"] == "notes:day/monday");
        CHECK(answers[4]["error"]["data"]["uri"] == "notes:day/never");
        CHECK(answers[5]["result"]["messages"][0]["content"]["text"] == "Remember this.");
        CHECK(answers[6]["result"]["completion"]["values"] == Json{"milk", "bread"});
        CHECK(answers[7]["result"]["tools"].size() == 1);
        CHECK(answers[8]["error"]["code"] == -32602);
    }

    TEST_CASE("doctor and show list offers, and their hidden tools cannot be called") {
        const Stage stage({"offers"});
        for (int warm = 0; warm < 2; ++warm) {
            const auto entry = candidate(stage.run({"doctor", "--json"}).json(), "offers.so");
            CHECK(entry["tools"] == Json{"noted"});
            CHECK(entry["offers"] == Json{{"resources", {"notes:today"}},
                                          {"resourceTemplates", {"notes:day/{day}"}},
                                          {"prompts", {"remember"}}});
            CHECK(stage.run({"list", "--names", "--all"}).out == "noted\n");
        }
        CHECK(contains(stage.run({"show", "noted"}).out, "1 prompts"));
        for (const char* name : {"resources/read", "native:notes.resources/read"})
            CHECK(stage.run({"call", name, "uri=notes:today"}).exit_code == 18);
    }

    TEST_CASE("a tool asks the client's model if there is one") {
        const Stage stage({"sampler"});
        const auto alone = stage.run({"call", "sampler", "--json"});
        CHECK(code_of(alone) == "tool_failed");
        CHECK(alone.json()["error"]["details"]["capability"] == "roots");
        const Json can{{"sampling", Json::object()}, {"roots", Json::object()}};
        auto answers = served(stage, {{"tools/call", {{"name", "sampler"}}}}, can);
        CHECK(answers[1]["result"]["resultType"] == "input_required");
        CHECK(answers[1]["result"]["inputRequests"]["sampling"]["method"] ==
              "sampling/createMessage");
        CHECK(answers[1]["result"]["inputRequests"]["roots"]["method"] == "roots/list");
    }
}

}  // namespace
}  // namespace toolhost::test
