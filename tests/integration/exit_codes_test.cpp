// Every exit code in docs/cli.md, produced by commands. The codes of failed calls are in
// errors_test.cpp, one row each.
#include <doctest/doctest.h>

#include <set>

#include "host/base/error.hpp"
#include "tests/integration/harness.hpp"

namespace toolhost::test {
namespace {

using Typed = std::vector<std::string>;

struct CommandEnd {
    Exit exit;
    Typed words;
    std::vector<std::string> fixtures{"echo"};
};

const std::vector<CommandEnd>& command_ends() {
    using enum Exit;
    static const std::vector<CommandEnd> command_ends = {
        {ok, {}},
        {ok, {"list"}},
        {ok, {"list", "--family", "nosuch"}},
        {ok, {"show", "echo"}},
        {ok, {"call", "echo", "a=1"}},
        {ok, {"call", "--batch", "good.jsonl"}},
        {ok, {"doctor"}},
        {ok, {"profile", "list"}},
        {ok, {"grant"}},
        {ok, {"retry", "--all"}},
        {ok, {"--help"}},
        {ok, {"call", "--help"}},
        {ok, {"help"}},
        {ok, {"help", "profile", "show"}},
        {ok, {"--version"}},
        {ok, {"version"}},

        {usage, {"lst"}},
        {usage, {"help", "lst"}},
        {usage, {"list", "--nosuch"}},
        {usage, {"list", "--log-level", "loud"}},
        {usage, {"show"}},
        {usage, {"call"}},
        {usage, {"call", "echo", "--timeout", "soon"}},
        {usage, {"call", "echo", "--set", "timeoutMs"}},
        {usage, {"call", "echo", "--batch", "good.jsonl"}},
        {usage, {"call", "--batch", "good.jsonl", "--set", "timeoutMs=5"}},
        {usage, {"call", "echo", "neither"}},
        {usage, {"serve", "--token-file", "t"}},
        {usage, {"serve", "--http", "nowhere"}},
        {usage, {"token", "a b", "--file", "t"}},
        {usage, {"grant", "echo", "netwrok"}},
        {usage, {"retry"}},
        {usage, {"new", "a/b"}},

        {invalid, {"call", "echo", "{"}},
        {invalid, {"call", "echo", "--state", "[]"}},
        {invalid, {"call", "echo", "--answer", "x"}},
        {invalid, {"call", "echo", "--set", "timeoutMs=soon"}},
        {invalid, {"call", "echo", "--set", "nosuch=1"}},
        {invalid, {"list", "--profile", "nosuch"}},
        {invalid, {"list", "--profile", "broken.yml"}},
        {invalid, {"list", "--config", "broken.yml"}},
        {invalid, {"profile", "show", "nosuch"}},
        {invalid, {"grant", "--config", "broken.yml"}},
        {invalid, {"token", "--file", "broken.yml"}},

        {tool_error, {"call", "failer"}, {"failer"}},
        {tool_error, {"call", "--batch", "bad.jsonl"}},

        {trouble, {"call", "echo", "@missing.json"}},
        {trouble, {"call", "echo", "a=@missing.txt"}},
        {trouble, {"call", "--batch", "missing.jsonl"}},
        {trouble, {"call", "echo", "--events", "missing/e.jsonl"}},
        {trouble, {"list", "--profile", "missing.yml"}},
        {trouble, {"list", "--config", "missing.yml"}},
        {trouble, {"list", "--profile", "orphan.yml"}},
        {trouble, {"profile", "show", "missing.yml"}},
        {trouble, {"token", "--file", "missing"}},
        {trouble, {"serve", "--events", "missing/e.jsonl"}},
        {trouble, {"serve", "--http", "127.0.0.1:0", "--token-file", "missing"}},
        {trouble,
         {"serve", "--http", "127.0.0.1:0", "--tls-cert", "missing", "--tls-key", "missing"}},
        {trouble, {"retry", "/missing.so"}},
        {trouble, {"new", "plugins"}},

        {denied, {"call", "echo", "--profile", "locked-down"}},
        {denied, {"call", "careful"}, {"careful"}},

        {unsupported, {"show", "nosuch"}},
        {unsupported, {"call", "nosuch"}},
        {unsupported, {"retry", "nosuch"}},

        {waiting, {"call", "asker"}, {"asker"}},
    };
    return command_ends;
}

std::string command_text(const Typed& words) {
    std::string out;
    for (const auto& word : words) out += (out.empty() ? "" : " ") + word;
    return out;
}

TEST_SUITE("exit-codes") {
    TEST_CASE("commands") {
        for (const auto& row : command_ends()) {
            const auto command = command_text(row.words);
            SUBCASE(command.c_str()) {
                const Stage stage(row.fixtures);
                write_file(stage.root() / "good.jsonl", "{\"tool\":\"echo\"}\n");
                write_file(stage.root() / "bad.jsonl", "{\"tool\":\"nosuch\"}\n");
                write_file(stage.root() / "broken.yml", "nosuch: [\n");
                fs::permissions(stage.root() / "broken.yml",
                                fs::perms::owner_read | fs::perms::owner_write);
                write_file(stage.root() / "orphan.yml", "name: orphan\nextends: missing.yml\n");
                const auto run = stage.run(row.words, {.folder = stage.root()});
                CAPTURE(run);
                CHECK(run.exit_code == static_cast<int>(row.exit));
                // The reason of a failure goes to stderr; a batch prints its results on stdout.
                const bool failed_batch =
                    row.exit == Exit::tool_error && contains(command, "--batch");
                CHECK(run.err.empty() == (row.exit == Exit::ok || failed_batch));
                CHECK(run.out.empty() == !(row.exit == Exit::ok || failed_batch));
                if (failed_batch) {
                    REQUIRE(lines_of(run.out).size() == 1);
                    CHECK(run.json().value("status", "") == "error");
                    CHECK(code_of(run) == "unknown_tool");
                }
            }
        }
    }

    TEST_CASE("docs/cli.md and the manual page list the same codes") {
        const Exit all[] = {Exit::ok,         Exit::check_failed, Exit::usage,  Exit::invalid,
                            Exit::tool_error, Exit::trouble,      Exit::denied, Exit::unsupported,
                            Exit::waiting,    Exit::internal};
        const auto docs = read_file(TOOLHOST_SOURCE "/docs/cli.md");
        const auto table = docs.substr(docs.find("## Exit codes"));
        const auto manual = read_file(TOOLHOST_SOURCE "/docs/man/toolhost.1.in");
        const auto status = manual.substr(manual.find(".Sh EXIT STATUS"));
        for (const auto code : all) {
            const auto number = std::to_string(static_cast<int>(code));
            CAPTURE(number);
            CHECK(contains(table, "\n| " + number + " | "));
            CHECK(contains(status, "\n.It " + number + "\n"));
        }
    }
}

}  // namespace
}  // namespace toolhost::test
