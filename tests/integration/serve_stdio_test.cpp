// `toolhost serve` over stdio, as agents start it.
#include <doctest/doctest.h>
#include <signal.h>

#include "tests/integration/hostile_stage.hpp"
#include "tests/integration/serve_run.hpp"

namespace toolhost::test {
namespace {

using namespace std::chrono_literals;

std::string profile(const Stage& stage, const std::string& isolation) {
    const auto file = stage.root() / (isolation + ".yml");
    write_file(file, "name: test\nextends: default\ndefaults: { isolation: " + isolation +
                         ", sandbox: off }\nworkers: { graceMs: 200 }\n");
    return file.string();
}

std::string text_of_answer(const Json& answer) {
    return answer.at("result").at("content").at(0).value("text", "");
}

bool started(ServeRun& run) {
    return run.await("method", "notifications/progress")["params"]["progressToken"].is_number();
}

// A way to stop a server.
struct Farewell {
    const char* how;
    void (*say)(ServeRun&);
};
const Farewell kFarewells[] = {{"SIGTERM", [](ServeRun& run) { run.signal(SIGTERM); }},
                               {"end of stdin", [](ServeRun& run) { run.close_stdin(); }}};

}  // namespace

TEST_SUITE("serve") {
    TEST_CASE("stdout contains only messages, whatever a plugin prints") {
        for (const char* isolation : {"in_process", "process"}) {
            CAPTURE(isolation);
            const Stage stage(
                {"prints_while_called", "prints_while_loading", "prints_through_cout", "adder"});
            ServeRun run(stage, {"--profile", profile(stage, isolation)});
            run.initialize();
            for (int id = 1; id <= 5; ++id) {
                run.call(id, id % 2 == 0 ? "prints_through_cout" : "prints_while_called");
                CHECK(text_of_answer(run.next()) == "printed");
            }
            run.call(6, "adder", {{"a", 1}, {"b", 2}});
            CHECK(text_of_answer(run.next()) == "3");
            run.close_stdin();
            CHECK(run.next().is_null());
            CHECK(run.exit_code() == 0);
            CHECK_FALSE(contains(run.stderr_text(), "rror"));
        }
    }

    TEST_CASE("referring: --schemas plain lists a schema that every provider accepts") {
        const Stage stage({"referring"});
        const auto schema = [&](const std::vector<std::string>& args) {
            ServeRun run(stage, args);
            run.initialize();
            run.request(1, "tools/list");
            return run.answer(1).at("result").at("tools").at(0).at("inputSchema");
        };
        CHECK(schema({}).contains("$defs"));
        const Json plain = schema({"--schemas", "plain"});
        CAPTURE(plain.dump());
        for (const char* word : {"$ref", "$defs", "oneOf", "const", "additionalProperties"})
            CHECK_FALSE(contains(plain.dump(), word));
        CHECK(plain.at("type") == "object");
        CHECK(plain.at("required") == Json{"points"});
        CHECK(plain.at("properties").at("points").at("items").at("properties").contains("x"));
        // Calls are checked against the author's schema.
        ServeRun run(stage, {"--schemas", "plain"});
        run.initialize();
        run.call(1, "referring", {{"points", Json::array()}, {"kind", "neither"}});
        CHECK(run.answer(1).at("result").value("isError", false));
    }

    TEST_CASE("a profile is reloaded at SIGHUP, and an invalid one changes nothing") {
        const Stage stage({"adder"});
        const auto file = stage.root() / "own.yml";
        const auto use = [&](const std::string& rest) {
            write_file(file, "name: own\nextends: default\n" + rest);
        };
        use("");
        ServeRun run(stage, {"--profile", file.string()});
        run.initialize();
        const auto ask = [&](int id) {
            run.call(id, "adder", {{"a", 1}, {"b", 2}});
            return run.answer(id).at("result");
        };
        CHECK_FALSE(ask(1).value("isError", false));

        use("tools: { deny: [\"native:adder\"] }\n");
        run.signal(SIGHUP);
        // Clients that have listed the tools must be notified of the change.
        CHECK(run.await("method", "notifications/tools/list_changed").is_object());
        const auto denied = ask(2);
        CHECK(denied.value("isError", false));
        CHECK(denied.at("_meta").at("toolhost/error").at("code") == "tool_not_allowed");

        use("tools: { dney: [] }\n");
        run.signal(SIGHUP);
        CHECK(run.await_stderr("cannot reload profile '" + file.string() +
                               "', keeping the old one: " + file.string() + ":3:"));
        CHECK(ask(3).value("isError", false));
        run.close_stdin();
        CHECK(run.exit_code() == 0);
    }

    TEST_CASE("a server that is stopped lets running calls finish") {
        for (const auto& farewell : kFarewells) {
            CAPTURE(farewell.how);
            const HostileStage hostile({"waiter"});
            {
                ServeRun run(hostile.stage(), {});
                run.initialize();
                run.call(1, "waiter", {{"ms", 500}});
                CHECK(started(run));
                farewell.say(run);
                CHECK(text_of_answer(run.answer(1)) == "waited");
                CHECK(run.next().is_null());
                CHECK(run.exit_code() == 0);
            }
            CHECK(hostile.is_clean_within(5s));
        }
    }

    TEST_CASE("calls that do not finish in time are cancelled and leave no processes") {
        for (const auto& farewell : kFarewells) {
            for (const bool heeds : {true, false}) {
                CAPTURE(farewell.how);
                CAPTURE(heeds);
                const HostileStage hostile({"waiter"});
                const auto start = std::chrono::steady_clock::now();
                {
                    ServeRun run(hostile.stage(), {"--grace", "0.2", "--profile",
                                                   profile(hostile.stage(), "process")});
                    run.initialize();
                    run.call(1, "waiter", {{"ms", 60'000}, {"heeds", heeds}});
                    CHECK(started(run));
                    farewell.say(run);
                    CHECK(run.next().is_null());  // a cancelled call has no answer
                    CHECK(run.exit_code() == 0);
                }
                CHECK(std::chrono::steady_clock::now() - start < 20s);
                CHECK(hostile.is_clean_within(5s));
            }
        }
    }

    TEST_CASE("requests before the end of stdin are answered") {
        const Stage stage({"adder"});
        for (int round = 0; round < 20; ++round) {
            ServeRun run(stage, {"--profile", profile(stage, "in_process")});
            std::string lines = R"({"jsonrpc":"2.0","id":"init","method":"initialize","params":{)"
                                R"("protocolVersion":"2025-11-25","capabilities":{}}})"
                                "\n";
            for (int id = 1; id <= 20; ++id)
                lines +=
                    R"({"jsonrpc":"2.0","id":)" + std::to_string(id) +
                    R"(,"method":"tools/call","params":{"name":"adder","arguments":{"a":1,"b":)" +
                    std::to_string(id) + "}}}\n";
            REQUIRE(run.write(lines));
            run.close_stdin();
            int answers = 0;
            for (auto message = run.next(); !message.is_null(); message = run.next()) {
                if (message["id"] == "init") continue;
                CAPTURE(message.dump());
                ++answers;
                CHECK(text_of_answer(message) == std::to_string(message["id"].get<int>() + 1));
            }
            CHECK(answers == 20);
            CHECK(run.exit_code() == 0);
        }
    }

    TEST_CASE("a message takes effect before the next one, however long it is") {
        const Stage stage({"adder", "waiter"});
        // Ignored, but takes longer to parse than a thread waits before another one reads.
        Json numbers = Json::array();
        for (int i = 0; i < 200'000; ++i) numbers.push_back(i);
        const auto long_request = [&](int id, const char* method, Json params) {
            params["ignored"] = numbers;
            return Json{{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", params}}
                       .dump() +
                   '\n';
        };
        const auto line = [](const Json& message) { return message.dump() + '\n'; };
        // Longer than the waiter's limit: a lost cancellation would show as an answer.
        ServeRun run(stage, {"--grace", "250"});
        REQUIRE(run.write(
            long_request(0, "initialize",
                         {{"protocolVersion", "2025-11-25"}, {"capabilities", Json::object()}}) +
            line({{"jsonrpc", "2.0"}, {"id", 1}, {"method", "tools/list"}}) +
            long_request(2, "tools/call", {{"name", "waiter"}, {"arguments", {{"ms", 60'000}}}}) +
            line({{"jsonrpc", "2.0"},
                  {"method", "notifications/cancelled"},
                  {"params", {{"requestId", 2}}}})));
        CHECK(run.answer(1).contains("result"));
        run.close_stdin();
        CHECK(run.next().is_null());  // a cancelled call has no answer
        CHECK(run.exit_code() == 0);
    }

    TEST_CASE("a client that does not read, or has disconnected, does not delay the shutdown") {
        const HostileStage hostile({});
        {
            // No call needs the grace period.
            ServeRun run(hostile.stage(), {"--grace", "250"});
            // More answers than fit into a pipe.
            const Json ping{{"jsonrpc", "2.0"}, {"id", std::string(200, 'i')}, {"method", "ping"}};
            std::string lines;
            for (int i = 0; i < 1000; ++i) lines += ping.dump() + '\n';
            std::thread writer([&] { run.write(lines); });
            run.await_full_stdout();
            run.signal(SIGTERM);
            CHECK(run.exit_code() == 0);
            writer.join();
        }
        {
            ServeRun run(hostile.stage(), {});
            run.close_stdout();
            run.request(1, "ping");
            run.request(2, "ping");
            run.close_stdin();
            CHECK(run.exit_code() == 0);
        }
        CHECK(hostile.is_clean_within(5s));
    }

    TEST_CASE("a new library is announced and can be called, even the first one") {
        const Stage stage;
        ServeRun run(stage, {});
        run.initialize();
        run.request(1, "tools/list");
        CHECK(run.answer(1)["result"]["tools"].empty());
        for (const char* tool : {"adder", "echo"}) {
            stage.add(tool);
            (void)run.await("method", "notifications/tools/list_changed");
            run.call(tool, tool, {{"a", 1}, {"b", 2}});
            CHECK(run.answer(tool)["result"].contains("content"));
        }
        fs::remove(stage.plugins() / "adder.so");
        (void)run.await("method", "notifications/tools/list_changed");
        run.request(2, "tools/list");
        CHECK(tool_names(run.answer(2)["result"]) == std::vector<std::string>{"echo"});
    }

    TEST_CASE("a replaced private library runs at the next call, in a new worker") {
        const Stage stage({"private_dependency"});
        ServeRun run(stage, {});
        run.initialize();
        const auto says = [&](int id) {
            run.call(id, "private_dependency");
            return run.answer(id)["result"]["content"][0].value("text", "");
        };
        CHECK(says(1) == "from the private part");
        replace_private_part(stage);
        (void)run.await("method", "notifications/tools/list_changed");
        CHECK(says(2) == "from the another part");
        run.close_stdin();
        CHECK(run.exit_code() == 0);
    }

    TEST_CASE("questions and consent are answered by the client") {
        const Stage stage({"asker", "careful"});
        ServeRun run(stage, {});
        run.initialize({{"elicitation", Json::object()}});
        for (const char* tool : {"asker", "careful"}) {
            CAPTURE(tool);
            run.call(tool, tool);
            const auto question = run.await("method", "elicitation/create");
            Json content = Json::object();
            for (const auto& [name, schema] :
                 question["params"]["requestedSchema"]["properties"].items())
                content[name] = schema.value("type", "") == "boolean" ? Json(true)
                                : schema.contains("enum")             ? schema["enum"][0]
                                                                      : Json("yes");
            run.send({{"jsonrpc", "2.0"},
                      {"id", question["id"]},
                      {"result", {{"action", "accept"}, {"content", content}}}});
            const auto answer = run.answer(tool);
            CAPTURE(answer.dump());
            CHECK_FALSE(answer["result"].value("isError", false));
        }
        run.call("no", "careful");
        const auto question = run.await("method", "elicitation/create");
        run.send({{"jsonrpc", "2.0"}, {"id", question["id"]}, {"result", {{"action", "decline"}}}});
        CHECK(run.answer("no")["result"]["isError"] == true);
    }

    TEST_CASE("a cancelled call has no answer, and frees its place") {
        const Stage stage({"waiter", "adder"});
        ServeRun run(stage, {"--max-calls", "1"});
        run.initialize();
        run.call(1, "waiter", {{"ms", 60'000}});
        CHECK(started(run));
        run.call(2, "adder", {{"a", 1}, {"b", 2}});
        CHECK(run.answer(2)["error"]["code"] == -32000);
        run.send({{"jsonrpc", "2.0"},
                  {"method", "notifications/cancelled"},
                  {"params", {{"requestId", 1}, {"reason", "enough"}}}});
        Json answer;
        for (int id = 3; !answer.contains("result"); ++id) {
            run.call(id, "adder", {{"a", 1}, {"b", 2}});
            answer = run.next();
            CHECK(answer["id"] != 1);
        }
        CHECK(text_of_answer(answer) == "3");
        run.close_stdin();
        for (auto message = run.next(); !message.is_null(); message = run.next())
            CHECK(message["id"] != 1);
        CHECK(run.exit_code() == 0);
    }
}

}  // namespace toolhost::test
