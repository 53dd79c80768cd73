// Somebody sits at a terminal: questions, Ctrl-C, the progress bar.
#include <doctest/doctest.h>

#include "tests/integration/live_run.hpp"

namespace toolhost::test {
namespace {

constexpr const char* kCtrlC = "\x03";

TEST_SUITE("terminal") {
    TEST_CASE("consent is asked for, and the answer counts") {
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

    TEST_CASE("always holds for this process, once does not") {
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

    TEST_CASE("consent shows which tool would run, who calls it, and what deceives the eye") {
        const Stage stage({"caller", "careful"});
        stage.grant("caller", "tools=careful");
        LiveRun run(stage, {"call", "caller", "ref=careful", "note=a\u202Eb\x1b[2J"});
        REQUIRE(run.await("[n]o: "));
        const auto shown = run.shown();
        CHECK(contains(shown, "Allow careful 1.0.0 (family careful, library careful.so, sha256 "));
        CHECK(contains(shown, "), called by caller 1.0.0 (family caller, library caller.so"));
        CHECK(contains(shown, "ref: \"careful\""));
        CHECK(contains(shown, "note: \"a\\u202eb\\u001b[2J\""));
        run.type("n\n");
        CHECK(run.exit_code() == 0);  // the caller replies what became of it
        CHECK(contains(run.shown(), "consent_denied"));
    }

    TEST_CASE("a tool's question is asked here") {
        const Stage stage({"asker"});
        LiveRun run(stage, {"call", "asker"});
        REQUIRE(run.await("as text or JSON: "));
        CHECK(contains(run.shown(), "go on?"));
        run.type("true\n");
        CHECK(run.await("went on"));
        CHECK(run.exit_code() == 0);
    }

    TEST_CASE("Ctrl-C asks the tool to stop") {
        const Stage stage({"waiter"});
        LiveRun run(stage, {"call", "waiter", "ms=600000"});
        REQUIRE(run.await("started"));
        run.type(kCtrlC);
        CHECK(run.exit_code() == 10);
        CHECK(contains(run.shown(), "cancelled"));
    }

    TEST_CASE("a second Ctrl-C waits for it no longer") {
        const Stage stage({"waiter"});
        LiveRun run(stage, {"call", "waiter", "ms=600000", "heeds=false"});
        REQUIRE(run.await("started"));
        run.type(kCtrlC);
        REQUIRE(run.await("Ctrl-C again"));
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

    TEST_CASE("progress is a bar that goes away") {
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
