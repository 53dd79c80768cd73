// The same plugin file behaves equally in the host's process and in a worker.
#include <doctest/doctest.h>

#include <regex>

#include "tests/integration/hostile_stage.hpp"

namespace toolhost::test {
namespace {

struct Said {
    std::string out;
    int exit_code = -1;
};

// Removes generated ids of nested calls, and the remaining time.
std::string without_random_parts(const std::string& text) {
    static const std::regex ids("tooluse-[-0-9a-f]+"), budgets("\"budgetMs\":-?[0-9]+");
    return std::regex_replace(std::regex_replace(text, ids, "ID"), budgets, "\"budgetMs\":0");
}

class BothIsolations {
public:
    explicit BothIsolations(const std::vector<std::string>& fixtures) : stage_(fixtures) {}

    [[nodiscard]] Said say(const std::string& isolation, const std::vector<Json>& requests,
                           const std::string& profile = "") const {
        const auto file = stage_.root() / (isolation + ".yml");
        // Messages contain the profile's name.
        write_file(file, "name: test\nextends: default\ndefaults: { isolation: " + isolation +
                             ", sandbox: " + (isolation == "process" ? "required" : "off") +
                             " }\nworkers: { graceMs: 200 }\n" + profile);
        std::string lines;
        for (auto request : requests) {
            request["toolUseId"] = "call";
            lines += request.dump() + '\n';
        }
        const auto run = stage_.run(
            {"call", "--batch", "-", "--sequential", "--stream", "--profile", file.string()},
            {.input = lines});
        CAPTURE(run);
        CHECK_FALSE(run.out.empty());
        return {without_random_parts(run.out), run.exit_code};
    }

private:
    Stage stage_;
};

Json asked(const std::string& tool, Json input = Json::object()) {
    return {{"tool", tool}, {"input", std::move(input)}};
}

// One host for all of them in each isolation.
void check_same(const std::vector<Json>& requests, const std::string& profile = "") {
    std::vector<std::string> fixtures{"echo"};
    for (const auto& request : requests) fixtures.push_back(request.value("tool", ""));
    const BothIsolations both(fixtures);
    const auto inside = both.say("in_process", requests, profile);
    const auto apart = both.say("process", requests, profile);
    const auto one = lines_of(inside.out), other = lines_of(apart.out);
    REQUIRE(one.size() == other.size());
    CHECK(one.size() >= requests.size());
    for (std::size_t i = 0; i < one.size(); ++i) CHECK(one[i] == other[i]);
    CHECK(inside.exit_code == apart.exit_code);
}

TEST_SUITE("isolations") {
    TEST_CASE("valid tools") {
        if (!can_be_closed()) return;
        check_same({asked("echo", {{"a", "\u00e9\n"}, {"b", {1, nullptr, 2.5}}}),
                    asked("adder", {{"a", 1}, {"b", 2}}), asked("failer"), asked("denier"),
                    asked("streamer"), asked("talker", {{"chars", 25000}, {"as", "text"}}),
                    asked("talker", {{"chars", 25000}, {"as", "json"}}), asked("careful"),
                    asked("referring", {{"points", Json::array()}}),
                    asked("referring", {{"points", 1}}), asked("inspector", {{"x", 1}}),
                    asked("logger"), asked("prints_while_called"), asked("policied"),
                    asked("larger_struct_size"), asked("newer_abi_minor"), asked("opens_once"),
                    asked("opens_once"), asked("waiter", {{"ms", 1}})});
    }

    TEST_CASE("nested calls, and questions to a human") {
        if (!can_be_closed()) return;
        check_same(
            {asked("caller", {{"ref", "echo"}}), asked("caller", {{"ref", "caller"}}),
             asked("caller", {{"ref", "no_such_tool"}}), asked("serial_caller", {{"ref", "echo"}}),
             asked("serial_caller", {{"ref", "serial_caller"}}), asked("asker"),
             asked("caller", {{"ref", "asker"}}), asked("caller", {{"ref", "failer"}}),
             asked("failer")},
            "grants: { caller: [tools], serial_caller: [tools=echo, tools=serial_*] }\n");
    }

    TEST_CASE("invalid replies") {
        if (!can_be_closed()) return;
        std::vector<Json> requests;
        for (const char* tool :
             {"two_replies", "no_reply", "reply_not_an_array", "reply_not_content",
              "reply_not_json", "reply_not_utf8", "reply_null", "bad_status", "bad_input",
              "fails_in_silence", "fails_not_utf8", "emits_not_json", "output_not_as_promised",
              "open_fails"})
            requests.push_back(asked(tool));
        check_same(requests);
    }

    TEST_CASE("a call that times out has the same code, and the host keeps running") {
        if (!can_be_closed()) return;
        const BothIsolations both({"waiter", "echo"});
        for (const char* isolation : {"in_process", "process"})
            for (const bool heeds : {true, false}) {
                CAPTURE(std::string(isolation));
                CAPTURE(heeds);
                const auto said = both.say(
                    isolation, {asked("waiter", {{"ms", 600000}, {"heeds", heeds}}), asked("echo")},
                    "policies: { waiter: { timeoutMs: 200 } }\n");
                const auto lines = lines_of(said.out);
                REQUIRE(lines.size() == 3);  // a message about its start, and two results
                CHECK(code_of(Json::parse(lines[1])) == "timeout");
                CHECK(code_of(Json::parse(lines[2])).empty());
                CHECK(said.exit_code == 10);
            }
    }
}

}  // namespace
}  // namespace toolhost::test
