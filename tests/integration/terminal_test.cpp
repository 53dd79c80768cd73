// A terminal session: questions, Ctrl-C, the progress bar.
#include <doctest/doctest.h>

#include "tests/integration/live_run.hpp"

namespace toolhost::test {
namespace {

constexpr const char* kCtrlC = "\x03";

TEST_SUITE("terminal") {
    TEST_CASE("consent is requested, and the answer applies") {
        const Stage stage({"careful"});
        LiveRun yes(stage, {"call", "careful"});
        REQUIRE(yes.await("[n]o: "));
        CHECK(contains(yes.shown(), "cannot be undone"));
        yes.type("perhaps\n");
        yes.type("y\n");
        CHECK(yes.await("done"));
        CHECK(yes.exit_code() == 0);

        LiveRun no(stage, {"call", "careful"});
        REQUIRE(no.await("[n]o: "));
        no.type("n\n");
        CHECK(no.exit_code() == 13);
        CHECK(contains(no.shown(), "consent_denied"));
    }

    TEST_CASE("always applies to this process, once does not") {
        const Stage stage({"careful"});
        write_file(stage.root() / "two.jsonl", "{\"tool\":\"careful\"}\n{\"tool\":\"careful\"}\n");
        LiveRun always(stage, {"call", "--batch", "two.jsonl", "--sequential"});
        REQUIRE(always.await("[n]o: "));
        always.type("a\n");
        CHECK(always.exit_code() == 0);

        LiveRun once(stage, {"call", "--batch", "two.jsonl", "--sequential"});
        REQUIRE(once.await("[n]o: "));
        once.type("y\n");
        REQUIRE(once.await("success"));
        once.type("n\n");
        CHECK(once.exit_code() == 10);
    }

    TEST_CASE("consent shows the tool, its callers, and escaped control characters") {
        const Stage stage({"caller", "careful"});
        stage.grant("caller", "tools=careful");
        LiveRun run(stage, {"call", "caller", "ref=careful", "note=a\u202Eb\x1b[2J"});
        REQUIRE(run.await("[n]o: "));
        const auto shown = run.shown();
        CHECK(
            contains(shown, "Allow careful 1.0.0 (family careful, library careful.so, identity "));
        CHECK(contains(shown, "), called by caller 1.0.0 (family caller, library caller.so"));
        CHECK(contains(shown, "ref: \"careful\""));
        CHECK(contains(shown, "note: \"a\\u202eb\\u001b[2J\""));
        run.type("n\n");
        CHECK(run.exit_code() == 0);  // the caller replies the result
        CHECK(contains(run.shown(), "consent_denied"));
    }

    TEST_CASE("a tool's question is asked at the terminal") {
        const Stage stage({"asker"});
        LiveRun run(stage, {"call", "asker"});
        REQUIRE(run.await("Answer (text or JSON): "));
        CHECK(contains(run.shown(), "go on?"));
        run.type("true\n");
        CHECK(run.await("went on"));
        CHECK(run.exit_code() == 0);
    }

    TEST_CASE("a question with a form is asked field by field, and again after an invalid answer") {
        const Stage stage({"asks_form"});
        LiveRun run(stage, {"call", "asks_form", "--json"});
        REQUIRE(run.await("2) green: Green"));
        CHECK(contains(run.shown(), "What shall it be?"));
        run.type("3\n");
        REQUIRE(run.await("enter one number from 1 to 2"));
        run.type("2\n");
        REQUIRE(run.await("How many"));
        run.type("twelve\n");
        REQUIRE(run.await("enter a whole number"));
        run.type("12\n");
        REQUIRE(run.await("must be at most 9"));
        run.type("3\n");
        REQUIRE(run.await("[Y/n]: "));
        run.type("\n");
        REQUIRE(run.await("for the card (optional)"));
        run.type("\n");
        REQUIRE(run.await("\n}"));  // the end of the result
        CHECK(run.exit_code() == 0);
        const auto& shown = run.shown();
        const auto result = Json::parse(shown.substr(shown.find("{\r\n")), nullptr, false);
        CHECK(result.at("/content/0/json"_json_pointer) ==
              Json{{"colour", "green"}, {"count", 3}, {"gift", true}});
    }

    TEST_CASE("the end of input at a form's field leaves the question unanswered") {
        const Stage stage({"asks_form"});
        LiveRun run(stage, {"call", "asks_form"});
        REQUIRE(run.await("Number: "));
        run.type("\x04");
        CHECK(run.exit_code() == 19);
    }

    TEST_CASE("a list of objects is a table on a terminal, and JSON in a pipe") {
        const Stage stage({"rows"});
        LiveRun run(stage, {"call", "rows"});
        CHECK(run.exit_code() == 0);
        CHECK(contains(run.shown(), "count: 2\r\n"));
        CHECK(contains(run.shown(), " 7  a\r\n12  b\\u001b[2J\r\n"));
        CHECK(stage.run({"call", "rows"}).json().at("/rows/0/id"_json_pointer) == 7);
    }

    TEST_CASE("only a long page goes to the pager") {
        const Stage stage({"echo"});
        Options options;
        options.env = {{"PAGER", "sed 's/^/paged: /'"}, {"TERM", "dumb"}};
        LiveRun paged(stage, {"show", "echo", "--json"}, options);
        CHECK(paged.exit_code() == 0);
        CHECK(contains(paged.shown(), "paged: {"));
        LiveRun told(stage, {"show", "echo", "--json", "--no-pager"}, options);
        CHECK(told.exit_code() == 0);
        CHECK_FALSE(contains(told.shown(), "paged: "));
        CHECK_FALSE(contains(stage.run({"show", "echo", "--json"}, options).out, "paged: "));
        LiveRun brief(stage, {"show", "echo"}, options);  // fits on the screen
        CHECK(brief.exit_code() == 0);
        CHECK_FALSE(contains(brief.shown(), "paged: "));
        options.env["PAGER"] = "no-such-pager-here";
        LiveRun none(stage, {"show", "echo", "--json"}, options);
        CHECK(none.exit_code() == 0);
        CHECK(contains(none.shown(), "\"references\""));
        options.env["PAGER"] = "true";  // ends without reading everything
        LiveRun left(stage, {"show", "echo", "--json"}, options);
        CHECK(left.exit_code() == 0);
    }

    TEST_CASE("Ctrl-C asks the tool to stop") {
        const Stage stage({"waiter"});
        LiveRun run(stage, {"call", "waiter", "ms=600000"});
        REQUIRE(run.await("started"));
        run.type(kCtrlC);
        CHECK(run.exit_code() == 10);
        CHECK(contains(run.shown(), "cancelled"));
    }

    TEST_CASE("a second Ctrl-C ends the call without waiting") {
        const Stage stage({"waiter"});
        LiveRun run(stage, {"call", "waiter", "ms=600000", "heeds=false"});
        REQUIRE(run.await("started"));
        run.type(kCtrlC);
        REQUIRE(run.await("Press Ctrl-C again"));
        run.type(kCtrlC);
        CHECK(run.exit_code() == 10);
        CHECK(contains(run.shown(), "cancelled"));
    }

    TEST_CASE("Ctrl-C at a question cancels the call") {
        const Stage stage({"careful"});
        LiveRun run(stage, {"call", "careful"});
        REQUIRE(run.await("[n]o: "));
        run.type(kCtrlC);
        CHECK(run.exit_code() == 10);
        CHECK(contains(run.shown(), "cancelled"));
    }

    TEST_CASE("progress is a bar that is cleared at the end") {
        const Stage stage({"streamer"});
        LiveRun run(stage, {"call", "streamer"});
        CHECK(run.exit_code() == 0);
        CHECK(contains(run.shown(), "[########................] 33%"));
        CHECK(contains(run.shown(), "step 1"));
        CHECK(run.shown().rfind("\x1b[K") < run.shown().rfind("streamed"));
    }
}

}  // namespace
}  // namespace toolhost::test
