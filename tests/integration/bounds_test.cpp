// Limits on what a plugin can cost the host and send through it, each with a library that tries to
// exceed one.
#include <doctest/doctest.h>

#include "host/os/instrumented.hpp"
#include "tests/integration/serve_run.hpp"

namespace toolhost::test {
namespace {

constexpr std::size_t kMb = 1'000'000;

fs::path write_profile(const Stage& stage, const std::string& more) {
    const auto file = stage.root() / "bounds.yml";
    write_file(file, "name: bounds\nextends: default\n" + more);
    return file;
}

Json costly_input() {
    return {{"value", std::vector<int>(200'000, 7)}};
}

// One call through the program, with the input in a file, because it exceeds the size of an
// argument.
Json called(const Stage& stage, const std::string& tool, const Json& input,
            const std::string& profile = "") {
    const auto requests = stage.root() / "requests.jsonl";
    write_file(requests, Json{{"tool", tool}, {"input", input}}.dump() + '\n');
    const auto run = stage.run({"call", "--batch", requests.string(), "--profile",
                                write_profile(stage, profile).string()});
    CAPTURE(run.err);
    const auto lines = lines_of(run.out);
    REQUIRE(lines.size() == 1);
    CHECK(run.out.size() < 200'000);
    return Json::parse(lines[0]);
}

std::string error_code(const Json& result) {
    return result.value("/error/code"_json_pointer, "");
}

Json output_of(const char* how, std::size_t bytes = 0) {
    return {{"how", how}, {"bytes", bytes}};
}

// A server with both, its call's `toolhost/error`, and the answer of the next request.
struct Served {
    Stage stage{{"hostile_output", "hostile_schema", "echo"}};
    ServeRun run;
    const std::size_t before_kb;

    explicit Served(const std::string& profile = "")
        : run(stage, {"--profile", write_profile(stage, profile).string()}), before_kb(begin()) {}
    ~Served() {
        run.call("echo", "echo", {{"a", 1}});
        CHECK_FALSE(run.answer("echo").at("result").value("isError", false));
        run.close_stdin();
        CHECK(run.exit_code() == 0);
    }

    std::size_t begin() {
        run.initialize({{"elicitation", Json::object()}});
        run.call("first", "echo", {{"a", 1}});
        CHECK(run.answer("first").contains("result"));
        return run.peak_kb();
    }
    Json answer(const std::string& tool, const Json& input) {
        run.call(1, tool, input);
        return run.answer(1);
    }
    [[nodiscard]] std::size_t grown_kb() const { return run.peak_kb() - before_kb; }
};

std::string served_code(const Json& answer) {
    return answer.at("result").at("_meta").at("toolhost/error").value("code", "");
}

}  // namespace

TEST_SUITE("bounds") {
    TEST_CASE("a schema that costs too much ends its call, not the host") {
        const Stage stage({"hostile_schema"});
        const auto input = called(stage, "costly_input", costly_input());
        CHECK(error_code(input) == "invalid_input");
        CHECK(contains(input.dump(), "takes too many steps"));
        const auto output = called(stage, "costly_output", Json::object());
        CHECK(error_code(output) == "invalid_output");
        CHECK(contains(output.dump(), "takes too many steps"));
    }

    TEST_CASE("an evaluation ends at its call's timeout") {
        const Stage stage({"hostile_schema"});
        const auto result = called(stage, "costly_input", costly_input(),
                                   "policies: { costly_input: { timeoutMs: 1 } }\n");
        CHECK(error_code(result) == "timeout");
        CHECK(result.at("error").at("details").at("timeoutMs") == 1);
    }

    TEST_CASE("an evaluation ends when its call is cancelled") {
        Served served;
        served.run.call(1, "costly_input", costly_input());
        served.run.send({{"jsonrpc", "2.0"},
                         {"method", "notifications/cancelled"},
                         {"params", {{"requestId", 1}}}});
        // Its destructor makes another call, which is answered.
    }

    TEST_CASE("defaults that insert too much are refused and not used") {
        const Stage stage({"hostile_schema"});
        const Json many{{"list", std::vector<Json>(500, Json::object())}};
        const auto result = called(stage, "costly_defaults", many);
        CHECK(error_code(result) == "input_too_large");
        CHECK(result.at("error").at("details").at("allowed") == 1 << 20);
        const Json one{{"list", std::vector<Json>(1, Json::object())}};
        // This call reached the tool, whose answer is long.
        CHECK(error_code(called(stage, "costly_defaults", one)) == "output_too_large");
    }

    TEST_CASE("replies and nested inputs of small values take limited memory") {
        if (os::kSanitized) return;  // they use more memory themselves
        Served served;
        for (const std::size_t bytes : {30 * kMb, 60 * kMb}) {
            CAPTURE(bytes);
            const auto answer = served.answer("hostile_output", output_of("values", bytes));
            CHECK(served_code(answer) == "output_too_large");
        }
        for (const std::size_t bytes : {30 * kMb, 38 * kMb}) {
            CAPTURE(bytes);
            auto input = output_of("call", bytes);
            input["ref"] = "echo";
            const auto answer = served.answer("hostile_output", input);
            CHECK(contains(answer.dump(), "input_too_large"));
        }
        MESSAGE("memory grew by " << served.grown_kb() << " kB");
        CHECK(served.grown_kb() < 400u << 10);
    }

    TEST_CASE("excess output of a tool is cut or refused by the program") {
        const Stage stage({"hostile_output", "echo"});
        struct Row {
            const char* how;
            std::size_t bytes;
            const char* code;
        };
        for (const auto& [how, bytes, code] : {Row{"blocks", 1 * kMb, "output_too_large"},
                                               {"image", 20 * kMb, "output_too_large"},
                                               {"uri", 1 * kMb, "output_too_large"},
                                               {"deny", 20 * kMb, "policy_denied"},
                                               {"log", 20 * kMb, ""},
                                               {"emit", 20 * kMb, ""}}) {
            const auto& shown_how = how;
            CAPTURE(shown_how);
            CHECK(error_code(called(stage, "hostile_output", output_of(how, bytes))) == code);
        }
        const auto promise = called(stage, "hostile_promise", Json::object());
        CHECK(error_code(promise) == "invalid_output");
        CHECK(promise.at("error").at("details").at("outputBytes") > 10 * kMb);
        CHECK(contains(promise.at("error").at("details").at("output").get<std::string>(),
                       "not an object not"));
    }

    TEST_CASE("binary content has its own limit, which the error names") {
        const Stage stage({"hostile_output"});
        const auto large = called(stage, "hostile_output", output_of("image", 100'000),
                                  "policies: { hostile_output: { maxOutputBytes: 1000 } }\n");
        CHECK(error_code(large) == "output_too_large");
        CHECK(contains(large.at("error").value("message", ""),
                       "raise policies.hostile_output.maxOutputBytes"));
        CHECK(called(stage, "hostile_output", output_of("image", 100'000)).at("status") ==
              "success");
    }

    TEST_CASE("log lines of one call are limited, each and in total") {
        const Stage stage({"hostile_output"});
        const auto run = stage.run({"call", "hostile_output", "how=log", "bytes=60000000"});
        CHECK(run.exit_code == 0);
        CHECK(run.err.size() < 2 * kMb);
        CHECK(contains(run.err, "[100"));  // bytes of each line
        CHECK(contains(run.err, "the rest is dropped"));
        const auto streamed =
            stage.run({"call", "hostile_output", "how=emit", "bytes=40000000", "--stream"});
        CHECK(streamed.exit_code == 0);
        CHECK(streamed.out.size() < 20 * kMb);
        CHECK(contains(streamed.err, "the rest is dropped"));
    }

    TEST_CASE("excess output of a tool is cut or refused by a server") {
        Served served;
        served.run.request(0, "logging/setLevel", {{"level", "debug"}});
        for (const char* how : {"image", "deny", "ask", "blocks"}) {
            CAPTURE(how);
            const auto answer = served.answer("hostile_output", output_of(how, 20 * kMb));
            CHECK(answer.dump().size() < 200'000);
            CHECK(answer.at("result").value("isError", false));
        }
        const auto promise = served.answer("hostile_promise", Json::object());
        CHECK(served_code(promise) == "invalid_output");
        CHECK(promise.dump().size() < 200'000);
        CHECK_FALSE(served.answer("hostile_output", output_of("log", 20 * kMb))
                        .at("result")
                        .value("isError", false));
    }
}

}  // namespace toolhost::test
