// Every error code that a call can end with, each produced on the command line, and docs/errors.md
// compared with the same table.
#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "host/base/error.hpp"
#include "tests/integration/harness.hpp"

namespace toolhost::test {
namespace {

struct Row {
    const char* code;
    std::vector<std::string> fixtures;
    std::vector<std::string> args;  // after `call`
    const char* profile = "";       // additions to the default profile
    std::map<std::string, std::string> env{};
};

const std::vector<Row>& rows() {
    static const std::vector<Row> rows = {
        {"unknown_tool", {"echo"}, {"unknown"}},
        {"ambiguous_tool", {"family_a", "family_b"}, {"shared_name"}},
        {"version_not_found", {"echo"}, {"echo@^9"}},
        {"tool_not_allowed", {"echo"}, {"echo"}, "tools: { deny: [echo] }"},
        {"tool_deprecated", {"versioned_2_0_0_deprecated"}, {"versioned"}},
        {"requirement_missing", {"requires_env"}, {"requires_env"}},
        {"plugin_unavailable", {"open_fails"}, {"open_fails"}},
        {"sandbox_unavailable",
         {"echo"},
         {"echo"},
         "defaults: { isolation: in_process, sandbox: required }"},
        {"policy_denied", {"denier"}, {"denier"}},
        {"consent_required", {"careful"}, {"careful"}},
        {"consent_denied", {"careful"}, {"careful"}, "consent: deny"},
        {"invalid_input", {"adder"}, {"adder", "a=x"}},
        {"invalid_output", {"output_not_as_promised"}, {"output_not_as_promised"}},
        {"invalid_reply", {"no_reply"}, {"no_reply"}},
        {"input_too_large", {"echo"}, {"echo", "a=12345"}, "defaults: { maxInputBytes: 5 }"},
        {"output_too_large",
         {"talker"},
         {"talker", "chars=9", "as=json"},
         "defaults: { maxOutputChars: 5 }"},
        {"timeout", {"waiter"}, {"waiter", "ms=600000"}, "policies: { waiter: { timeoutMs: 20 } }"},
        {"interrupted", {"asker"}, {"asker"}},
        {"tool_failed", {"failer"}, {"failer"}},
        {"plugin_crashed", {"crasher"}, {"crasher", "how=signal"}},
        {"resource_exhausted",
         {"hostile_greedy"},
         {"hostile_greedy", "how=descriptors"},
         "limits: { openFiles: 32 }"},
    };
    return rows;
}

// Produced elsewhere: by Ctrl-C (terminal_test), by a nested call (abi_test), by a second call
// (governed_test), by several crashes (hostile_test), without a call (below, and unit tests of call
// and serve); the others are for bugs.
const std::set<std::string> kElsewhere = {
    "cancelled",  "call_depth_exceeded", "rate_limited", "plugin_quarantined",
    "file_error", "listen_failed",       "internal"};

TEST_SUITE("errors") {
    TEST_CASE("each code, with its exit code and an event") {
        for (const auto& row : rows()) {
            SUBCASE(row.code) {
                const Stage stage(row.fixtures);
                write_file(stage.root() / "p.yml",
                           std::string("name: p\nextends: default\n") + row.profile + '\n');
                std::vector<std::string> args{"call"};
                args.insert(args.end(), row.args.begin(), row.args.end());
                args.insert(args.end(), {"--json", "--profile", "p.yml", "--events", "e.jsonl"});
                const auto run = stage.run(args, {.env = row.env, .folder = stage.root()});
                CAPTURE(run);
                const auto error = run.json().value("error", Json::object());
                CHECK(error.value("code", "") == row.code);
                CHECK_FALSE(error.value("message", "").empty());
                for (const auto& known : error_table())
                    if (known.name == row.code)
                        CHECK(run.exit_code == static_cast<int>(known.exit));
                const auto lines = lines_of(read_file(stage.root() / "e.jsonl"));
                REQUIRE_FALSE(lines.empty());
                CHECK(Json::parse(lines.back()).value("code", "") == row.code);
            }
        }
    }

    TEST_CASE("an unreadable input file has its own code") {
        const Stage stage({"echo"});
        const auto run =
            stage.run({"call", "echo", "@missing.json", "--json"}, {.folder = stage.root()});
        CHECK(run.exit_code == static_cast<int>(Exit::trouble));
        CHECK(run.json().at("/error/code"_json_pointer) == "file_error");
    }

    TEST_CASE("every code is tested") {
        std::set<std::string> seen = kElsewhere;
        for (const auto& row : rows()) seen.insert(row.code);
        for (const auto& known : error_table()) CHECK(seen.contains(std::string(known.name)));
        CHECK(seen.size() == error_table().size());
    }

    TEST_CASE("docs/errors.md has one row for each, equal to the table") {
        const auto text = read_file(TOOLHOST_SOURCE "/docs/errors.md");
        for (const auto& known : error_table()) {
            const auto row = "| `" + std::string(known.name) + "` | " +
                             std::to_string(static_cast<int>(known.exit)) + " | " +
                             std::string(known.meaning) + " |";
            CAPTURE(row);
            CHECK(contains(text, row));
        }
        // And no other: the second cell of these rows is an exit code.
        const auto is_code_row = [](const std::string& line) {
            const auto cell = line.find("` | ");
            return line.starts_with("| `") && cell != std::string::npos &&
                   std::isdigit(static_cast<unsigned char>(line[cell + 4])) != 0;
        };
        const auto lines = lines_of(text);
        CHECK(static_cast<std::size_t>(std::ranges::count_if(lines, is_code_row)) ==
              error_table().size());
    }
}

}  // namespace
}  // namespace toolhost::test
