#include "command/run.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include "tests/unit/shell/workspace.hpp"

namespace {

using namespace shell;
using namespace std::chrono_literals;

struct World {
    shell_test::Workspace workspace;
    Settings settings;
    Job job;

    World() {
        settings.rules = {workspace.path,
                          {"cat", "echo", "ls", "sort", "head", "seq", "true", "false", "pwd",
                           "sleep", "mkdir", "ln", "wc", "yes", "env", "rm"},
                          {},
                          "/usr/bin:/bin"};
        settings.environment = {"PATH=/usr/bin:/bin", "LC_ALL=C"};
        settings.max_output = 1000;
        job = {"", workspace.path, 20s};
    }

    JobEnd run(const std::string& command) {
        job.command = command;
        return shell::run(settings, job);
    }
    std::string said(const std::string& command) {
        const auto end = run(command);
        CHECK_FALSE(end.refused);
        return end.output + end.error + std::to_string(end.exit_code);
    }
    std::string reason(const std::string& command) {
        auto folder = job.folder;
        const auto refused = check(settings, command, folder);
        return refused ? (refused->reason.empty() ? refused->message : std::string(refused->reason))
                       : "";
    }
};

TEST_CASE("a command, a pipeline, a list") {
    World world;
    CHECK(world.said("echo 'a  b'") == "a  b\n0");
    CHECK(world.said("seq 10 | sort -rn | head -n 2") == "10\n9\n0");
    CHECK(world.said("true && echo yes || echo no") == "yes\n0");
    CHECK(world.said("false && echo yes || echo no") == "no\n0");
    CHECK(world.said("false; echo x; false") == "x\n1");
    CHECK(world.said("yes | head -n 1") == "y\n0");
}

TEST_CASE("redirections") {
    World world;
    CHECK(world.said("echo one > f; echo two >> f; sort -r < f") == "two\none\n0");
    CHECK(world.said("ls no_such 2>&1 | wc -l") == "1\n0");
    CHECK(world.said("ls no_such 2>/dev/null") == "2");
    CHECK(world.said("cat < no_such") == "no_such: No such file or directory\n1");
    CHECK(world.said("echo x > no_such/f") == "no_such/f: No such file or directory\n1");
    CHECK(world.said("echo short > f; cat f") == "short\n0");
    REQUIRE(::mkfifo((world.workspace.path / "fifo").c_str(), 0600) == 0);
    CHECK(world.said("cat < fifo") == "fifo: Invalid argument\n1");
}

TEST_CASE("wildcards match files of the workspace") {
    World world;
    for (const char* name : {"a.c", "b.c", "c d.c", "x.h", "[y]"}) world.workspace.write(name, "");
    CHECK(world.said("echo *.c") == "a.c b.c c d.c\n0");
    CHECK(world.said("echo [ab].?") == "a.c b.c\n0");
    CHECK(world.said("echo '*.c'") == "*.c\n0");
    CHECK(world.said("echo \\[*") == "[y]\n0");
    CHECK(world.said("echo *.none") == "*.none\n0");
    CHECK(world.reason("ls /et*") == "path_not_allowed");
    CHECK(world.reason("ls ../*") == "path_not_allowed");
    CHECK(world.reason("ls */../../*") == "path_not_allowed");
}

TEST_CASE("wildcards match folders, and hidden files only if named") {
    World world;
    const auto& here = world.workspace.path;
    for (const char* name : {"a", "b", ".h", "a/x y"})
        std::filesystem::create_directory(here / name);
    for (const char* name : {"a/1.c", "b/2.c", ".h/3.c", "a/x y/4.c", "f"})
        world.workspace.write(name, "");
    CHECK(world.said("echo */*.c") == "a/1.c b/2.c\n0");
    CHECK(world.said("echo a/*/4.c") == "a/x y/4.c\n0");
    CHECK(world.said("echo */") == "a/ b/\n0");
    CHECK(world.said("echo .[h]") == ".h\n0");
    CHECK(world.said("echo " + here.string() + "/?") ==
          here.string() + "/a " + here.string() + "/b " + here.string() + "/f\n0");
    std::filesystem::create_symlink("/etc", here / "out");
    CHECK(world.said("echo o*") == "out\n0");
    CHECK(world.said("echo ?ut/pass*") == "?ut/pass*\n0");
}

TEST_CASE("wildcards are limited, and can be cancelled") {
    World world;
    for (const char* name : {"a", "b", "c", "d", "e", "f"})
        std::filesystem::create_symlink(".", world.workspace.path / name);
    const auto begin = std::chrono::steady_clock::now();
    CHECK(world.reason("echo */*/*/*/*/*/*/*") == "*/*/*/*/*/*/*/* matches too many files");
    CHECK(std::chrono::steady_clock::now() - begin < 10s);
    int asked = 0;
    world.settings.cancelled = [&] { return ++asked > 1; };
    CHECK(world.run("echo */*/*/*/*/*/*/*").cancelled);
    CHECK(asked < 10);
    world.settings.cancelled = nullptr;
    world.job.timeout = 1ms;
    CHECK(world.run("echo */*/*/*/*/*/*/*").timed_out);
}

TEST_CASE("cd applies to the following commands and stays inside the workspace") {
    World world;
    CHECK(world.said("mkdir sub && cd sub && pwd") ==
          (world.workspace.path / "sub").string() + "\n0");
    CHECK(world.said("cd ..; pwd") == world.workspace.path.string() + "\n0");
    CHECK(world.said("cd sub; cd; pwd") == world.workspace.path.string() + "\n0");
    CHECK(world.said("cd no_such || echo stays").find("stays") != std::string::npos);
    CHECK(world.reason("cd /") == "path_not_allowed");
    CHECK(world.reason("cd ../..") == "path_not_allowed");
    CHECK(world.reason("cd sub | ls") ==
          "cd requires exactly one folder and must be a separate command");
    world.settings.rules.confine_paths = false;
    CHECK(world.reason("cd /") == "path_not_allowed");
}

TEST_CASE("the target of a link is checked if it exists") {
    World world;
    world.settings.rules.allowed.push_back("./link_it");
    world.workspace.script("link_it", "ln -s /etc here");
    const auto end = world.run("./link_it; echo before; cat here/passwd; echo after");
    REQUIRE(end.refused);
    CHECK(end.refused->reason == "path_not_allowed");
    CHECK(end.output == "before\n");
}

TEST_CASE("every program of a text is checked before the first runs") {
    World world;
    CHECK(world.reason("echo a | dd of=x") == "command_not_allowed");
    CHECK(world.reason("echo a && dd of=x") == "command_not_allowed");
    CHECK(world.reason("echo a > /tmp/outside") == "path_not_allowed");
    CHECK(world.reason("cat < /etc/passwd") == "path_not_allowed");
    CHECK(world.reason("echo a > /dev/null") == "");
    CHECK(world.reason("echo $(id)") == "shell_not_allowed");
}

TEST_CASE("a shell, if allowed") {
    World world;
    world.settings.allow_shell = true;
    CHECK(world.said("x=1; for i in a b; do echo $i$x; done; (exit 3)") == "a1\nb1\n3");
    CHECK(world.said("mkdir sub") == "0");
    CHECK(world.said("cd sub") == "0");  // separate, it applies to the following commands
    CHECK(world.said("pwd") == (world.workspace.path / "sub").string() + "\n0");
}

TEST_CASE("time, cancellation and much output") {
    World world;
    world.job.timeout = 50ms;
    auto end = world.run("sleep 100; echo never");
    CHECK(end.timed_out);
    CHECK(end.exit_code == 124);
    CHECK(end.output.empty());
    world.job.timeout = 20s;
    end = world.run("seq 100000");
    CHECK(end.cut);
    CHECK(end.output.size() < 1100);
    CHECK(end.output.find("1\n2\n3\n") == 0);
    CHECK(end.output.find("100000\n") != std::string::npos);
    world.settings.cancelled = [] { return true; };
    end = world.run("sleep 100");
    CHECK(end.cancelled);
}

TEST_CASE("output is streamed in whole characters, up to the limit") {
    World world;
    std::size_t streamed = 0;
    world.settings.output = [&](int, std::string_view text) { streamed += text.size(); };
    world.run("yes | head -c 1000000");
    CHECK(streamed > 1000);
    CHECK(streamed < 200'000);
}

TEST_CASE("the environment contains only the chosen variables") {
    World world;
    CHECK(world.said("env") == "PATH=/usr/bin:/bin\nLC_ALL=C\n0");
}

}  // namespace
