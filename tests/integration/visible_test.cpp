// Printed text of plugins: it must not control a terminal or forge a log line, and programs that
// read it get it unchanged.
#include <doctest/doctest.h>

#include "tests/integration/live_run.hpp"

namespace toolhost::test {
namespace {

constexpr const char* kRaw =
    "\x1b[2J\xc2\x9b"
    "1m\xe2\x80\xae\x7f";
constexpr const char* kShown = "\\u001b[2J\\u009b1m\\u202e\\u007f";

// No raw control characters of a plugin; toolhost's own colours and line clearing are allowed.
void check_harmless(const std::string& shown) {
    CAPTURE(shown);
    CHECK_FALSE(contains(shown, "\x1b[2J"));
    CHECK_FALSE(contains(shown, "\x1b[5m"));
    CHECK_FALSE(contains(shown, "\x1b[6m"));
    CHECK_FALSE(contains(shown, "\xc2\x9b"));
    CHECK_FALSE(contains(shown, "\xe2\x80\xae"));
    CHECK_FALSE(contains(shown, "\x7f"));
}

std::string on_terminal(const Stage& stage, std::vector<std::string> words, int exit_code = 0) {
    LiveRun run(stage, std::move(words));
    CHECK(run.exit_code() == exit_code);
    check_harmless(run.shown());
    return run.shown();
}

TEST_SUITE("visible") {
    TEST_CASE("a result on a terminal shows control characters, and keeps its lines") {
        const Stage stage({"steers_terminal"});
        CHECK(contains(on_terminal(stage, {"call", "steers_terminal", "as=text"}),
                       std::string("said ") + kShown + "\r\nand more"));
        for (const auto& words : {std::vector<std::string>{"call", "steers_terminal", "as=json"},
                                  {"call", "steers_terminal", "as=json", "--json"},
                                  {"call", "steers_terminal", "as=stream", "--stream"},
                                  {"call", "steers_terminal", "as=progress"}})
            CHECK(contains(on_terminal(stage, words), kShown));
        write_file(stage.root() / "one.jsonl", "{\"tool\":\"steers_terminal\"}\n");
        CHECK(contains(on_terminal(stage, {"call", "--batch", "one.jsonl"}), kShown));
        // Events contain the input.
        CHECK(contains(on_terminal(stage, {"call", "steers_terminal", "--events", "-",
                                           "{\"as\":\"text\",\"x\":\"\xc2\x9b\"}"}),
                       "\"x\":\"\\u009b\""));
    }

    TEST_CASE("a result in a pipe is unchanged") {
        const Stage stage({"steers_terminal"});
        const auto text = stage.run({"call", "steers_terminal", "as=text"});
        CHECK(text.out == std::string("said ") + kRaw + "\nand more\n");
        const auto json = stage.run({"call", "steers_terminal", "as=json", "--json"}).json();
        CHECK(json.at("/content/0/json/said"_json_pointer) == kRaw);
    }

    TEST_CASE("an error's text neither controls the terminal nor starts a line") {
        const Stage stage({"steers_terminal"});
        const auto shown = on_terminal(stage, {"call", "steers_terminal", "as=error"}, 10);
        CHECK(contains(shown, kShown));
        CHECK_FALSE(contains(shown, "\ntoolhost: forged"));
        const auto piped = stage.run({"call", "steers_terminal", "as=error"});
        CHECK_FALSE(contains(piped.err, "\ntoolhost: forged"));
        check_harmless(piped.err);
    }

    TEST_CASE("a log message is one line, piped or not") {
        const Stage stage({"steers_terminal"});
        const auto piped = stage.run({"call", "steers_terminal", "as=log"});
        CAPTURE(piped);
        check_harmless(piped.err);
        CHECK(piped.err ==
              std::string("warning: tool: it ") + kShown + "\\nerror: forged\\r\\x9b2J\n");
        CHECK(contains(on_terminal(stage, {"call", "steers_terminal", "as=log"}),
                       "\\nerror: forged"));
    }

    TEST_CASE("control characters of a spec are escaped, also in a pipe") {
        const Stage stage({"steers_terminal"});
        for (const auto& words : {std::vector<std::string>{"list"},
                                  {"show", "steers_terminal"},
                                  {"show", "steers_terminal", "--markdown"}}) {
            const auto piped = stage.run(words);
            CHECK(piped.exit_code == 0);
            check_harmless(piped.out);
            CHECK(contains(piped.out, "\\u001b[2J"));
            CHECK_FALSE(contains(piped.out, "\x1b["));
        }
        for (const auto& words : {std::vector<std::string>{"list"},
                                  {"list", "--json"},
                                  {"show", "steers_terminal", "--json", "--no-pager"}})
            on_terminal(stage, words);
        CHECK(contains(stage.run({"list", "--json"}).json().dump(), "\xc2\x9b"));
    }
}

}  // namespace
}  // namespace toolhost::test
