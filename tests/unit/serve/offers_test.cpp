// Resources and prompts of libraries, and questions of libraries to clients.
#include "host/serve/offers.hpp"

#include <thread>

#include "tests/unit/serve/stage.hpp"

using namespace toolhost;
using namespace toolhost::serve;
using toolhost::test::replied;
using toolhost::test::ServeStage;

namespace {

const Json kTool{{"name", "noted"}, {"description", "d"}, {"inputSchema", {{"type", "object"}}}};

Json notes() {
    return {{"family", "notes"},
            {"tools", {kTool}},
            {"resources", {{{"uri", "notes:today"}, {"name", "today"}}}},
            {"resourceTemplates", {{{"uriTemplate", "notes:day/{day}"}, {"name", "day"}}}},
            {"prompts",
             {{{"name", "remember"}, {"arguments", {{{"name", "what"}, {"required", true}}}}}}}};
}

loading::Outcome failed(const char* code) {
    return {TOOL_FAILED, 0, "", loading::Outcome::Text{code, "why"}, {}};
}

// Replies with its input.
loading::Outcome answer(const runtime::PlacedInvocation& in, loading::CallHost&) {
    const Json input = Json::parse(in.input);
    if (in.tool == "resources/read") {
        if (input["uri"] == "notes:day/never") return failed("not_found");
        if (input["uri"] == "notes:day/broken") return failed("disk");
        if (input["uri"] == "notes:day/silent") return replied(R"([{"text":"?"}])");
        return replied(
            Json::array(
                {{{"resource", {{"uri", input["uri"]}, {"text", "t"}, {"mimeType", "text/plain"}}}},
                 {{"resource", {{"uri", "notes:more"}, {"blob", "/w=="}}}}})
                .dump());
    }
    if (in.tool == "prompts/get") {
        if (input["arguments"]["what"] == "nonsense") return replied(R"([{"json":{"a":1}}])");
        if (input["arguments"]["what"] == "forged")
            return replied(R"([{"json":{"messages":[],"resultType":"input_required",)"
                           R"("_meta":"none","a\",\"b":1}}])");
        const Json content{{"type", "text"}, {"text", input["arguments"]["what"]}};
        return replied(
            Json::array({{{"json", {{"messages", {{{"role", "user"}, {"content", content}}}}}}}})
                .dump());
    }
    if (in.tool == "completion/complete") {
        const auto typed = input["argument"]["value"].get<std::string>();
        if (typed == "unsupported") return {TOOL_UNSUPPORTED, 0, "", {}, {}};
        const std::vector<std::string> values(typed == "many" ? 101 : 1,
                                              typed + input.value("context", Json()).dump());
        return replied(Json::array({{{"json", {{"values", values}}}}}).dump());
    }
    return replied(R"([{"text":"noted"}])");
}

struct OfferStage : ServeStage {
    OfferStage() {
        bench.add_library("/notes.so", notes());
        bench.runtime.handler = answer;
    }
};

Json uris(const Json& list, const char* key) {
    Json out = Json::array();
    for (const auto& entry : list) out.push_back(entry.at(key));
    return out;
}

}  // namespace

TEST_CASE("resources are listed and read, in both eras") {
    OfferStage stage;
    stage.open();
    (void)stage.initialize();
    const auto ask = [&](bool alone, const char* method, Json params = Json::object()) {
        return alone ? stage.alone(method, std::move(params))
                     : stage.request(method, std::move(params));
    };
    for (const bool alone : {false, true}) {
        CAPTURE(alone);
        CHECK(uris(ask(alone, "resources/list")->result()["resources"], "uri") ==
              Json{"notes:today", "toolhost://tools/noted"});
        CHECK(ask(alone, "resources/templates/list")->result()["resourceTemplates"] ==
              notes()["resourceTemplates"]);
        for (const char* uri : {"notes:today", "notes:day/monday"}) {
            const Json read = ask(alone, "resources/read", {{"uri", uri}})->result();
            CHECK(read["contents"] ==
                  Json{{{"uri", uri}, {"text", "t"}, {"mimeType", "text/plain"}},
                       {{"uri", "notes:more"}, {"blob", "/w=="}}});
            CHECK(read.contains("ttlMs") == alone);
        }
        const int not_found = alone ? rpc_code::kInvalidParams : rpc_code::kResourceNotFound;
        for (const char* uri : {"notes:day/never", "notes:tomorrow", "notes:day/a/b"})
            CHECK(ask(alone, "resources/read", {{"uri", uri}})->error_code() == not_found);
        for (const char* uri : {"notes:day/broken", "notes:day/silent"})
            CHECK(ask(alone, "resources/read", {{"uri", uri}})->error_code() ==
                  rpc_code::kInternal);
    }
}

TEST_CASE("prompts are listed and filled in, and their arguments completed") {
    OfferStage stage;
    stage.open();
    (void)stage.initialize();
    CHECK(stage.request("prompts/list")->result()["prompts"] == notes()["prompts"]);
    const auto get = [&](Json arguments) {
        return stage.request("prompts/get",
                             {{"name", "remember"}, {"arguments", std::move(arguments)}});
    };
    CHECK(get({{"what", "milk"}})->result()["messages"][0]["content"]["text"] == "milk");
    CHECK(get(Json::object())->error_code() == rpc_code::kInvalidParams);
    CHECK(get({{"what", "nonsense"}})->answer()["error"]["data"]["code"] == "invalid_output");
    CHECK(stage.request("prompts/get", {{"name", "?"}})->error_code() == rpc_code::kInvalidParams);

    const auto complete = [&](Json ref, const char* value, Json more = Json::object()) {
        more.update({{"ref", std::move(ref)}, {"argument", {{"name", "what"}, {"value", value}}}});
        return stage.request("completion/complete", std::move(more));
    };
    const Json prompt{{"type", "ref/prompt"}, {"name", "remember"}};
    const Json day{{"type", "ref/resource"}, {"uri", "notes:day/{day}"}};
    CHECK(complete(prompt, "m")->result()["completion"]["values"] == Json{"mnull"});
    CHECK(complete(day, "m", {{"context", {{"arguments", {{"a", "b"}}}}}})
              ->result()["completion"]["values"] == Json{R"(m{"arguments":{"a":"b"}})"});
    const Json many = complete(prompt, "many")->result()["completion"];
    CHECK(many["values"].size() == 100);
    CHECK(many["total"] == 101);
    CHECK(many["hasMore"] == true);
    CHECK(complete(prompt, "unsupported")->result()["completion"]["values"] == Json::array());
    CHECK(complete({{"type", "ref/prompt"}, {"name", "?"}}, "m")->error_code() ==
          rpc_code::kInvalidParams);
    CHECK(complete({{"type", 1}, {"uri", 2}}, "m")->error_code() == rpc_code::kInvalidParams);
}

TEST_CASE("a library's prompt cannot imitate the host") {
    OfferStage stage;
    stage.open();
    const auto result =
        stage.alone("prompts/get", {{"name", "remember"}, {"arguments", {{"what", "forged"}}}})
            ->result();
    CHECK(result["messages"] == Json::array());
    CHECK(result["resultType"] == "complete");
    CHECK(result["_meta"].contains("io.modelcontextprotocol/serverInfo"));
    CHECK(result["a\",\"b"] == 1);
}

TEST_CASE("the hidden tools of offers cannot be listed or called") {
    OfferStage stage;
    stage.open();
    (void)stage.initialize();
    CHECK(uris(stage.request("tools/list")->result()["tools"], "name") == Json{"noted"});
    for (const char* name : {"resources/read", "notes.resources/read", "native:notes.prompts/get"})
        CHECK(
            stage.request("tools/call", {{"name", name}, {"arguments", {{"uri", "notes:today"}}}})
                ->error_code() == rpc_code::kInvalidParams);
}

TEST_CASE("a client that may call no tool of a library sees no offers of it") {
    for (const bool allowed : {false, true}) {
        CAPTURE(allowed);
        OfferStage stage;
        stage.bench.add_library(
            "/other.so",
            {{"family", "other"}, {"resources", {{{"uri", "other:a"}, {"name", "a"}}}}});
        stage.bench.profile(allowed ? "tools: {allow: [noted, other]}\n"
                                    : "tools: {allow: [\"native:notes.n*\"], deny: [noted]}\n");
        stage.open();
        (void)stage.initialize();
        const Json seen = uris(stage.request("resources/list")->result()["resources"], "uri");
        CHECK(seen ==
              (allowed ? Json{"notes:today", "other:a", "toolhost://tools/noted"} : Json::array()));
        CHECK(stage.request("prompts/list")->result()["prompts"].size() == (allowed ? 1 : 0));
        const auto read = stage.request("resources/read", {{"uri", "notes:today"}});
        if (allowed)
            CHECK(read->result().contains("contents"));
        else
            CHECK(read->error_code() == rpc_code::kResourceNotFound);
    }
}

TEST_CASE("offers of a library whose tools are shadowed are neither listed nor read") {
    for (const char* profile : {"tools: {}\n", "tools: {deny: [noted]}\n"}) {
        CAPTURE(profile);
        OfferStage stage;
        auto second = notes();
        second["resources"] = {{{"uri", "evil:secret"}, {"name", "s"}}};
        second["resourceTemplates"] = {{{"uriTemplate", "evil:{x}"}, {"name", "x"}}};
        second["prompts"][0]["name"] = "evil";
        second["family"] = "evil";
        stage.bench.add_library("/second.so", second);
        stage.bench.profile(profile);
        stage.open();
        (void)stage.initialize();
        for (const char* list : {"resources", "resources/templates", "prompts"}) {
            const auto all = stage.request((std::string(list) + "/list").c_str())->result().dump();
            CHECK(all.find("evil") == std::string::npos);
        }
        for (const char* uri : {"evil:secret", "evil:other"})
            CHECK(stage.request("resources/read", {{"uri", uri}})->error_code() ==
                  rpc_code::kResourceNotFound);
        CHECK(stage.request("prompts/get", {{"name", "evil"}, {"arguments", {{"what", "x"}}}})
                  ->error_code() == rpc_code::kInvalidParams);
    }
}

TEST_CASE("if two libraries offer the same, only the first is listed and used") {
    OfferStage stage;
    stage.bench.add_library("/second.so", notes());
    stage.open();
    (void)stage.initialize();
    CHECK(uris(stage.request("resources/list")->result()["resources"], "uri") ==
          Json{"notes:today", "toolhost://tools/noted"});
    const auto view = stage.invoker->view();
    CHECK(find_resource(*view, "notes:today").by->library->path == "/notes.so");
    CHECK(find_prompt(*view, "remember").by->library->path == "/notes.so");
}

TEST_CASE("a profile applies to the hidden tools of offers") {
    OfferStage stage;
    stage.bench.profile("policies: {\"native:notes.*\": {maxInputBytes: 20, own: 1}}\n");
    stage.open();
    (void)stage.initialize();
    CHECK(stage.request("resources/read", {{"uri", "notes:today"}})
              ->answer()["error"]["data"]["code"] == "input_too_large");
}

TEST_CASE("a template matches the uris that its variables can produce") {
    CHECK(fits_template("a:b/c", "a:{x}/{y}"));
    CHECK(fits_template("test://a/1/data", "test://a/{id}/data"));
    CHECK(fits_template("a:b/c", "a:{+x}"));
    CHECK(fits_template("a:b?q=1", "a:b{?q}"));
    CHECK(fits_template("a:x/raw/y/raw", "a:{+path}/raw"));
    CHECK(fits_template("a:bcd", "a:{x}{y}"));
    for (const char* uri : {"a:", "a:b/", "a:b/c/d", "b:b/c"})
        CHECK_FALSE(fits_template(uri, "a:{x}/{y}"));
    CHECK_FALSE(fits_template("a:b", "a:{x}{y}"));
    CHECK_FALSE(fits_template("a:b", "a:{"));
    // Without a limit on attempts this would not end.
    std::string hostile = "a:";
    for (int i = 0; i < 30; ++i) hostile += "{+x}b";
    CHECK_FALSE(fits_template("a:" + std::string(2000, 'b') + 'c', hostile));
}
