// The tool `shell` through the real program, in both isolations.
#include <doctest/doctest.h>
#include <unistd.h>

#include "tests/tools/cancel.hpp"
#include "tests/tools/reasons.hpp"
#include "tests/tools/tool_stage.hpp"
#include "tests/unit/is_gone.hpp"

namespace toolhost::test {
namespace {

class ShellStage : public OneToolStage {
public:
    ShellStage() : OneToolStage("shell", "command") {}
};

TEST_CASE("commands, pipelines, lists, files and wildcards, in both isolations") {
    const ShellStage stage;
    stage.write("a.txt", "one\ntwo\n");
    for (const auto& mode : {kClosed, kOpen}) {
        CAPTURE(std::string(mode.isolation));
        const auto out = stage.say(
            mode, {"cat a.txt", "cat *.txt | sort -r | head -n 1", "false || echo no && echo yes",
                   "echo new > b.txt; echo more >> b.txt; cat < b.txt", "ls none 2>/dev/null",
                   "date +%Y > year && wc -c year", "find . -name '*.txt' | sort", "pwd"});
        CHECK(out[0] == "one\ntwo\n");
        CHECK(out[1] == "two\n");
        CHECK(out[2] == "no\nyes\n");
        CHECK(out[3] == "new\nmore\n");
        CHECK(out[4] == "tool_failed: 1 of 1 command failed:\n[exit code 2]\n");
        CHECK(out[5] == "5 year\n");
        CHECK(out[6] == "./a.txt\n./b.txt\n");
        CHECK(out[7] == fs::canonical(stage.workspace()).string() + "\n");
    }
}

TEST_CASE("lists of commands, in sequence and in parallel") {
    const ShellStage stage;
    fs::create_directory(stage.workspace() / "sub");
    for (const auto& mode : {kClosed, kOpen}) {
        const Json with_object = {"cd sub", "pwd", {{"command", "pwd"}, {"work_dir", "."}}, "pwd"};
        const auto results = stage.run(
            mode, {{{"command", with_object}},
                   {{"command", {"echo a", "false", "echo b"}}},
                   {{"command", {"echo a", "false", "echo b"}}, {"ignore_errors", true}},
                   {{"command", {"echo a", "echo b", "echo c", "echo d", "echo e", "echo f"}},
                    {"parallel", true}},
                   {{"command", {"sleep 100", "false"}}, {"parallel", true}},
                   {{"command", "[\"echo listed\", \"echo too\"]"}},
                   {{"command", {{"command", "pwd"}, {"work_dir", "sub"}}}},
                   {{"command", "pwd"}, {"work_dir", (stage.workspace() / "sub").string()}}});
        const auto root = fs::canonical(stage.workspace()).string();
        CHECK(said(results[0]) ==
              "$ cd sub\n$ pwd\n" + root + "/sub\n$ pwd\n" + root + "\n$ pwd\n" + root + "/sub\n");
        CHECK(said(results[1]) ==
              "tool_failed: 2 of 3 commands failed:\n$ echo a\na\n$ false\n[exit code 1]\n"
              "$ echo b\nnot run\n[exit code -1]\n");
        CHECK(json_of(results[2])["successful"] == 2);
        CHECK(json_of(results[2])["failed"] == 1);
        CHECK(json_of(results[2])["results"][1]["exit_code"] == 1);
        std::string order;
        const auto at_once = json_of(results[3]);
        for (const auto& one : at_once.at("results")) order += one["output"].get<std::string>();
        CHECK(order == "a\nb\nc\nd\ne\nf\n");
        CHECK(contains(said(results[4]), "ended because another command failed"));
        CHECK(contains(said(results[5]), "listed\n"));
        CHECK(said(results[6]) == root + "/sub\n");
        CHECK(said(results[7]) == root + "/sub\n");
    }
}

TEST_CASE("denials, each with its reason") {
    ShellStage stage;
    fs::create_directory_symlink("/etc", stage.workspace() / "link");
    stage.policy = "denied_commands: [tail]";
    for (const auto& mode : {kClosed, kOpen}) {
        const auto out =
            stage.say(mode, {"dd if=a", "tail x", "echo ok && rm x", "./ls", "/bin/ls",
                             "find . -exec id ';'", "sort --compress-program=sh", "echo $HOME",
                             "echo `id`", "sleep 1 &", "cat /etc/passwd", "cat link/passwd",
                             "cat ../test.yml", "cd ..", "echo x > ../out", "ls /et*"});
        for (std::size_t i = 0; i < 7; ++i)
            check_begins(out[i], "policy_denied command_not_allowed: ");
        for (std::size_t i = 7; i < 10; ++i)
            check_begins(out[i], "policy_denied shell_not_allowed: ");
        for (std::size_t i = 10; i < out.size(); ++i)
            check_begins(out[i], "policy_denied path_not_allowed: ");
        const auto folder = stage.run(mode, {{{"command", "ls"}, {"work_dir", ".."}},
                                             {{"command", "ls"}, {"work_dir", "link"}}});
        check_begins(said(folder[0]), "policy_denied path_not_allowed: work_dir '..'");
        check_begins(said(folder[1]), "policy_denied path_not_allowed: work_dir 'link'");
        CHECK_FALSE(fs::exists(stage.workspace() / "../out"));
    }
    check_reasons("shell", {"command_not_allowed", "shell_not_allowed", "path_not_allowed"});
}

TEST_CASE("the refusal of a bad input names the field") {
    const ShellStage stage;
    const Json many(2500, "ls");  // a list written as text has the same limits
    const auto results =
        stage.run(kClosed, {{{"command", "echo 'a"}},
                            {{"command", {"echo a", "echo |"}}},
                            {{"command", "ls"}, {"work_dir", "none"}},
                            {{"command", {{{"command", "ls"}, {"work_dir", "none"}}}}},
                            {{"command", ""}},
                            {{"command", Json::array()}},
                            {{"command", "ls"}, {"timeout", 0}},
                            {{"command", 5}},
                            Json::object(),
                            {{"command", many.dump()}},
                            {{"command", R"([{"command": "ls", "timeout": -5}])"}},
                            {{"command", R"(["ls", ""])"}},
                            {{"command", R"(["ls", 5])"}},
                            {{"command", R"(["ls", "echo |"])"}},
                            {{"command", "echo \"\\u0000\""}}});
    const char* places[] = {"/command: an unclosed '",
                            "/command/1: missing program name",
                            "/work_dir: no folder 'none'",
                            "/command/0/work_dir: no folder 'none'",
                            "/command",
                            "/command",
                            "/timeout",
                            "/command",
                            "command",
                            "/command: a list must have 1 to 30 commands",
                            "/command/0/timeout: must be 1 to 604800",
                            "/command/1: a command must not be empty",
                            "/command/1: ",
                            "/command/1: missing program name"};
    for (std::size_t i = 0; i < std::size(places); ++i) {
        CAPTURE(i);
        check_begins(said(results[i]), "invalid_input: ");
        CAPTURE(said(results[i]));
        CHECK(contains(said(results[i]), places[i]));
    }
}

TEST_CASE("time and size are limited") {
    ShellStage stage;
    stage.policy = "max_timeout_s: 1, max_output_chars: 400";
    for (const auto& mode : {kClosed, kOpen}) {
        const auto results =
            stage.run(mode, {{{"command", "echo before; sleep 100"}, {"timeout", 900}},
                             {{"command", "seq 100000"}}});
        CHECK(said(results[0]) ==
              "tool_failed: 1 of 1 command failed:\nbefore\ntimed out after 1000 ms; the command "
              "and all processes that it started were ended\n[exit code 124]\n");
        CHECK(json_of(results[1])["results"][0]["truncated"] == true);
        CHECK(said(results[1]).size() < 300);
        CHECK(contains(said(results[1]), "bytes omitted"));
    }
    stage.policy = "timeoutMs: 1500";  // the host's own limit: the tool still reports what happened
    check_begins(stage.say(kClosed, {"echo before; sleep 100"})[0],
                 "tool_failed: 1 of 1 command failed:\nbefore\ntimed out");
}

TEST_CASE("ordinary commands are not mistaken for an escape") {
    ShellStage stage;
    stage.write("f.txt", "a/b\nGET /api/users\n");
    CHECK(stage.say(kClosed, {"grep -rn /api/users .", "cut -d / -f 2 f.txt | head -n 1",
                              "tr / _ < f.txt | head -n 1", "[ -f f.txt ] && echo there"}) ==
          std::vector<std::string>{"./f.txt:2:GET /api/users\n", "b\n", "a_b\n", "there\n"});
}

TEST_CASE("with a shell: only a separate cd persists, and commands cannot kill the worker") {
    ShellStage stage;
    stage.policy = "allow_shell: true";
    fs::create_directory(stage.workspace() / "sub");
    stage.write("sub/inside", "");
    const auto results = stage.run(kClosed, {{{"command", {"cd sub", "ls"}}},
                                             {{"command", "kill -9 $PPID || echo refused"}},
                                             {{"command", "mv sub/inside . && ls"}}});
    CHECK(said(results[0]) == "$ cd sub\n$ ls\ninside\n");
    CHECK(contains(said(results[1]), "refused\n"));
    CHECK(said(results[2]) == "inside\nsub\n");
}

TEST_CASE("consent is required") {
    ShellStage stage;
    stage.more = "consent: deny\n";
    check_begins(stage.say(kClosed, {"ls"})[0], "consent_denied ");
}

TEST_CASE("the kernel denies what is not granted, whatever the shell policy allows") {
    ShellStage stage;
    write_file(stage.stage().root() / "secret", "secret\n");
    stage.policy = "confine_paths: false, allow_shell: false, allowed_commands: [cat, cp]";
    CHECK(contains(stage.say(kClosed, {"cat ../secret"})[0], "Permission denied"));
    CHECK(stage.say(kOpen, {"cat ../secret"})[0] == "secret\n");  // it is accessible there
    stage.policy = "allow_shell: true";
    const auto out = stage.say(
        kClosed, {"cat ../secret", "echo x > ../made", "echo x > $TMPDIR/y && cat $TMPDIR/y",
                  "cat /proc/1/environ", "env", "setsid true; echo $?"});
    CHECK(contains(out[0], "Permission denied"));
    CHECK(contains(out[1], "Permission denied"));
    CHECK_FALSE(fs::exists(stage.stage().root() / "made"));
    CHECK(out[2] == "x\n");
    CHECK(contains(out[3], "Permission denied"));
    CHECK_FALSE(contains(out[4], "HOME="));
    CHECK(contains(out[5], "not permitted"));
}

TEST_CASE("processes that a command leaves behind are killed") {
    ShellStage stage;
    stage.policy = "allow_shell: true";
    const std::string beating =
        "(while :; do echo x >> beat; sleep 0.01; done) >/dev/null 2>&1 & "
        "while [ ! -s beat ]; do sleep 0.01; done; echo $!";
    const auto closed =
        stage.say(kClosed, {beating, "wc -c < beat > 1; sleep 0.1; wc -c < beat | cmp - 1"});
    CHECK(closed[1] == "(no output)");
    const auto open = stage.say(kOpen, {beating});
    CHECK(is_gone(static_cast<pid_t>(std::stoi(open[0]))));
}

TEST_CASE("a command that signals every process kills at most itself, not the worker") {
    ShellStage stage;
    stage.policy = "allow_shell: true";
    const auto out = stage.say(
        kClosed, {"echo same > $TMPDIR/mark",
                  "i=1; while [ $i -lt 3000 ]; do [ $i = $$ ] || kill -9 $i 2>/dev/null && "
                  "[ $i != $$ ] && echo $i; i=$((i+1)); done; echo alive",
                  "kill -9 $$", "cat $TMPDIR/mark"});
    CHECK(out[1] == "alive\n");
    CHECK(contains(out[2], "tool_failed"));
    CHECK(out[3] == "same\n");  // the temporary folder is removed with its worker
}

TEST_CASE("output is streamed, and Ctrl-C ends the command within 100 ms, in both isolations") {
    ShellStage stage;
    stage.policy = "allow_shell: true";
    stage.more += kLongGracePeriod;
    for (const auto& mode : {kClosed, kOpen}) {
        CAPTURE(std::string(mode.isolation));
        const auto call = stage.streamed(mode, "printf '%s%s\\n' beg un; sleep 100");
        check_cancel(stage.stage(), call, "begun", {.name_plugins = false});
    }
}

}  // namespace
}  // namespace toolhost::test
