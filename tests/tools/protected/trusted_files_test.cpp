// Files in a workspace that other programs run or trust are not writable, unless the profile says
// so.
#include <cstdlib>
#include <thread>

#include "host/policy/protected_paths.hpp"
#include "tests/integration/serve_run.hpp"
#include "tests/tools/protected/home_stage.hpp"

namespace toolhost::test {
namespace {

void make_repository(const fs::path& at) {
    fs::create_directories(at / ".git/hooks");
    fs::create_directories(at / ".git/objects");
    fs::create_directories(at / ".git/refs/heads");
    write_file(at / ".git/HEAD", "ref: refs/heads/main\n");
    write_file(at / ".git/config", "[core]\n\trepositoryformatversion = 0\n\tbare = false\n");
}

Json write_request(const std::string& path) {
    return {{"tool", "file_write"}, {"input", {{"path", path}, {"content", "x"}}}};
}

TEST_SUITE("trusted files") {
    TEST_CASE("programs of the shell cannot change or replace existing trusted files") {
        const HomeStage stage;
        make_repository(stage.home());
        fs::create_directories(stage.home() / "settings");
        write_file(stage.home() / "settings/tasks.json", "{}");
        fs::create_directory_symlink("settings", stage.home() / ".vscode");
        write_file(stage.home() / ".bashrc", "true\n");
        const auto codes = stage.shell(
            {"echo x >> .git/config", "echo x > .git/hooks/post-commit", "mv .git old",
             "cp .git/config c && mv c .git/config", "rm -rf .git/hooks", "echo x >> .bashrc",
             "echo x > n && mv -f n .bashrc", "rm -f .bashrc", "ln -f .bashrc b && echo x > b",
             "chmod 777 .bashrc", "echo x > .vscode/tasks.json", "rm .vscode",
             "echo x > settings/tasks.json", "mv settings s"});
        CAPTURE(codes);
        CHECK_FALSE(contains(" " + codes + " ", " 0 "));
        CHECK(read_file(stage.home() / ".bashrc") == "true\n");
        CHECK(fs::is_symlink(stage.home() / ".vscode"));
        // Other files of a repository are writable.
        CHECK(stage.shell({"echo x > .git/index && mkdir .git/objects/ab && echo x > .git/l && "
                           "mv .git/l .git/ORIG_HEAD",
                           "echo x > file"}) == "0 0");
    }

    TEST_CASE("programs of the shell cannot change trusted files in deeper folders either") {
        const HomeStage stage;
        make_repository(stage.home() / "src/sub");
        write_file(stage.home() / "src/sub/.envrc", "true\n");
        fs::create_directories(stage.home() / "src/module");
        write_file(stage.home() / "src/module/.git", "gitdir: elsewhere\n");
        const auto codes =
            stage.shell({"echo x >> src/sub/.git/config", "echo x > src/sub/.git/hooks/post-commit",
                         "mv src/sub src/s", "mv src s", "echo x > src/sub/.envrc",
                         "rm src/sub/.envrc", "echo x > n && mv -f n src/sub/.envrc",
                         "echo gitdir: ./evil > src/module/.git", "rm -rf src/sub/.git/hooks"});
        CHECK(codes == "1 1 1 1 1 1 1 1 1");
        CHECK(read_file(stage.home() / "src/sub/.envrc") == "true\n");
        CHECK(stage.shell({"echo x > src/sub/.git/index && echo x > src/sub/file",
                           "mkdir src/new && mv src/new src/other"}) == "0 0");
        CHECK(stage.shell({"echo x > src/sub/.envrc", "echo x >> src/sub/.git/config"},
                          "unprotect: [.envrc]\n") == "0 1");
    }

    TEST_CASE("a path that is not UTF-8 is protected like any other") {
        const HomeStage stage;
        make_repository(stage.home() / "caf\xe9");
        write_file(stage.home() / "caf\xe9/.envrc", "true\n");
        CHECK(stage.shell({"cd caf* && echo x > .envrc", "cd caf* && echo x >> .git/config",
                           "mv caf* other", "cd caf* && echo x > file"}) == "1 1 1 0");
        CHECK(read_file(stage.home() / "caf\xe9/.envrc") == "true\n");
    }

    TEST_CASE("of many files that a program creates, the first are reported by name") {
        const HomeStage stage;
        std::string command = "true";
        std::size_t count = 0;
        for (const auto& [path, read_by] : policy::kProtectedPaths) {
            if (path.find('/') != path.npos || count == 25) continue;
            ++count;
            command += " && echo x > " + std::string(path);
        }
        CHECK(stage.shell({command}) == "0");
        int told = 0;
        for (const auto& line : lines_of(read_file(stage.events()))) {
            const auto event = Json::parse(line);
            if (event.value("event", "") != "hook.tool.trusted_files") continue;
            ++told;
            CHECK(event.at("paths").size() == 20);
            CHECK(event.at("count") == count);
        }
        CHECK(told == 1);
    }

    TEST_CASE("a repository that is created while a worker runs is protected too") {
        const HomeStage stage;
        const auto profile = stage.stage().root() / "test.yml";
        write_file(profile, std::string("name: test\nextends: default\nconsent: bypass\n") +
                                "policies: { shell: { allow_shell: true } }\nworkspace: " +
                                stage.home().string() + '\n');
        ServeRun run(stage.stage(), {"--profile", profile.string()},
                     {.name_plugins = false, .folder = stage.home()});
        run.initialize();
        int id = 0;
        const auto say = [&](const std::string& what) {
            run.call(++id, "shell", {{"command", "(" + what + " && printf wr%s ote) 2>&1; true"}});
            return run.answer(id).dump();
        };
        const auto check_says = [&](const std::string& what, const std::string& said) {
            const auto answer = say(what);
            CAPTURE(answer);
            CHECK(contains(answer, said));
        };
        check_says("echo x > file", "wrote");
        make_repository(stage.home() / "sub");
        // The interval between searches is a multiple of their duration. The number of calls per
        // minute is limited.
        for (int i = 0; i < 10; ++i) {
            if (contains(say("echo '#' >> sub/.git/config"), "Read-only")) break;
            std::this_thread::sleep_for(std::chrono::milliseconds(200));
        }
        check_says("echo '#' >> sub/.git/config", "Read-only");
        check_says("mv sub other", "busy");
        check_says("echo x > sub/file", "wrote");
        run.close_stdin();
        CHECK(run.exit_code() == 0);
    }

    TEST_CASE("a trusted file that a program creates in a deeper folder is reported") {
        const HomeStage stage;
        std::vector<std::string> commands{"mkdir -p a/b && echo 1 > a/b/.envrc"};
        for (int i = 0; i < 20; ++i) commands.push_back("true");
        (void)stage.shell(commands);
        int told = 0;
        for (const auto& line : lines_of(read_file(stage.events()))) {
            const auto event = Json::parse(line);
            if (event.value("event", "") != "hook.tool.trusted_files") continue;
            ++told;
            CHECK(event.at("paths") == Json::array({(stage.home() / "a/b/.envrc").string()}));
        }
        CHECK(told == 1);
    }

    TEST_CASE("a tree that is too deep, and a file with two names, are reported once") {
        const HomeStage stage;
        std::string path = "x";
        for (int i = 0; i < 30; ++i) path += "/x";
        fs::create_directories(stage.home() / path);
        write_file(stage.home() / ".bashrc", "true\n");
        fs::create_hard_link(stage.home() / ".bashrc", stage.home() / "other");
        const auto said = stage.run({"call", "--batch", "-", "--sequential"}, "",
                                    {.input = R"({"tool":"shell","input":{"command":"true"}})"
                                              "\n"
                                              R"({"tool":"shell","input":{"command":"true"}})"
                                              "\n"});
        CAPTURE(said);
        const auto times = [&](const std::string& text) {
            int count = 0;
            for (auto at = said.err.find(text); at != said.err.npos;
                 at = said.err.find(text, at + 1))
                ++count;
            return count;
        };
        CHECK(times("cannot find all files that other programs trust") == 1);
        CHECK(times(".bashrc: another hard link exists") == 1);
        const auto doctor = stage.run({"doctor", "--json"});
        const auto found = doctor.json().at("profile").at("trustedFiles");
        CHECK(found.at("complete") == false);
        CHECK(contains(unwrapped(stage.run({"doctor"}).out),
                       "cannot find all files that other programs trust in the workspace"));
    }

    TEST_CASE("file_write refuses trusted files in every folder and spelling") {
        const HomeStage stage;
        const auto said = stage.say(
            {write_request(".git/config"), write_request("sub/.git/hooks/post-commit"),
             write_request("sub/.git"), write_request(".envrc"), write_request("a/.VSCode/x"),
             write_request(".mcp.json"), write_request(".config"), write_request(".gitignore"),
             write_request("a/.config/app/x"), write_request("a/git/hooks")});
        for (std::size_t i = 0; i < 7; ++i) check_begins(said[i], "policy_denied protected_path: ");
        for (std::size_t i = 7; i < 10; ++i) check_begins(said[i], "File write success");
        CHECK_FALSE(fs::exists(stage.home() / "sub"));
    }

    TEST_CASE("git refuses to check out or stash trusted files") {
        const HomeStage stage;
        const auto git = [&](const std::string& what) {
            return std::system(("cd " + stage.home().string() +
                                " && HOME=/nonexistent git -c user.name=a -c user.email=a@b " +
                                what + " >/dev/null 2>&1")
                                   .c_str());
        };
        REQUIRE(git("init -b main") == 0);
        write_file(stage.home() / "file", "1");
        REQUIRE(git("add file") == 0);
        REQUIRE(git("commit -m one") == 0);
        REQUIRE(git("checkout -b evil") == 0);
        write_file(stage.home() / ".envrc", "evil");
        REQUIRE(git("add .envrc") == 0);
        REQUIRE(git("commit -m two") == 0);
        REQUIRE(git("checkout main") == 0);
        const auto request = [](Json input) { return Json{{"tool", "git"}, {"input", input}}; };
        auto said = stage.say({request({{"action", "checkout"}, {"branch", "evil"}})});
        check_begins(said[0], "policy_denied protected_path: ");
        CHECK_FALSE(fs::exists(stage.home() / ".envrc"));
        CHECK(contains(read_file(stage.home() / ".git/HEAD"), "main"));
        said = stage.say({request({{"action", "checkout"}, {"branch", "evil"}})},
                         "unprotect: [.envrc]\n");
        check_begins(said[0], "on branch evil");
        said = stage.say({request({{"action", "checkout"}, {"branch", "main"}})});
        check_begins(said[0], "policy_denied protected_path: ");
        write_file(stage.home() / ".envrc", "mine");
        said = stage.say({request({{"action", "stash"}, {"operation", "save"}})});
        check_begins(said[0], "policy_denied protected_path: ");
        CHECK(read_file(stage.home() / ".envrc") == "mine");
    }

    TEST_CASE("a profile unprotects a file by name, and others stay protected") {
        const HomeStage stage;
        make_repository(stage.home());
        write_file(stage.home() / ".bashrc", "true\n");
        const std::string lifted = "unprotect: [.git/config, .envrc]\n";
        CHECK(stage.shell({"echo x >> .git/config", "echo x >> .bashrc", "echo x > .git/hooks/x"},
                          lifted) == "0 1 1");
        const auto said = stage.say({write_request(".envrc"), write_request(".mcp.json")}, lifted);
        check_begins(said[0], "File write success");
        check_begins(said[1], "policy_denied protected_path: ");
        const auto wrong = stage.run({"list"}, "unprotect: [.git/confg]\n");
        CAPTURE(wrong);
        CHECK(wrong.exit_code == 3);
        CHECK(contains(wrong.err,
                       "test.yml:9:13: '.git/confg' is not a protected path; did you mean "
                       "'.git/config' or '.gitconfig'?\n"));
    }

    TEST_CASE("a granted path with a trailing slash or dot is protected like any other") {
        const HomeStage stage;
        write_file(stage.home() / ".bashrc", "true\n");
        for (const char* path : {"./", ".", "../home/"}) {
            CAPTURE(path);
            CHECK(stage.shell({"echo x > plain.txt", "echo x >> .bashrc"},
                              std::string("inheritGrants: false\ngrants: {'shipped:shell': "
                                          "[exec, 'write=") +
                                  path + "']}\n") == "0 1");
        }
    }

    TEST_CASE("the .git file of a linked worktree is protected") {
        const HomeStage stage;
        write_file(stage.home() / ".git", "gitdir: elsewhere\n");
        CHECK(stage.shell({"echo gitdir: ./evil > .git", "rm .git", "mv .git other"}) == "1 1 1");
        CHECK(read_file(stage.home() / ".git") == "gitdir: elsewhere\n");
    }

    TEST_CASE("a trusted file that a program creates is reported, and then protected") {
        const HomeStage stage;
        const auto codes = stage.shell({"echo 1 > .envrc", "echo 2 > .envrc", "rm .envrc"});
        CHECK(codes == "0 1 1");
        CHECK(read_file(stage.home() / ".envrc") == "1\n");
        int told = 0;
        for (const auto& line : lines_of(read_file(stage.events()))) {
            const auto event = Json::parse(line);
            if (event.value("event", "") != "hook.tool.trusted_files") continue;
            ++told;
            CHECK(event.at("paths") == Json::array({(stage.home() / ".envrc").string()}));
            CHECK(event.at("tool") == "shell");
        }
        CHECK(told == 1);
    }

    TEST_CASE("a file that replaces a protected one while a worker runs is protected too") {
        const HomeStage stage;
        make_repository(stage.home());
        const auto profile = stage.stage().root() / "test.yml";
        write_file(profile, std::string("name: test\nextends: default\nconsent: bypass\n") +
                                "policies: { shell: { allow_shell: true } }\nworkspace: " +
                                stage.home().string() + '\n');
        ServeRun run(stage.stage(), {"--profile", profile.string()},
                     {.name_plugins = false, .folder = stage.home()});
        run.initialize();
        const auto writes = [&](int id) {
            run.call(id, "shell",
                     {{"command", "touch ran; echo x >> .git/config && printf wr%s ote; true"}});
            return contains(run.answer(id).dump(), "wrote");
        };
        CHECK_FALSE(writes(1));
        CHECK(fs::exists(stage.home() / "ran"));
        // As `git config` does.
        write_file(stage.home() / ".git/config.lock", "[core]\n");
        fs::rename(stage.home() / ".git/config.lock", stage.home() / ".git/config");
        CHECK_FALSE(writes(2));
        CHECK(read_file(stage.home() / ".git/config") == "[core]\n");
        run.close_stdin();
        CHECK(run.exit_code() == 0);
    }
}

}  // namespace
}  // namespace toolhost::test
