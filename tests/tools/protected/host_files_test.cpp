// A workspace that holds toolhost's own files: no tool can write them, and all else can be written.
#include <sys/stat.h>

#include "tests/integration/child.hpp"
#include "tests/tools/protected/home_stage.hpp"

namespace toolhost::test {
namespace {

const char* const kOwnFolders[] = {".config/toolhost", ".local/share/toolhost", ".cache/toolhost"};

TEST_SUITE("host files") {
    TEST_CASE("a shell can neither write them nor put others in their place") {
        const HomeStage stage;
        fs::create_directories(stage.home() / ".config/toolhost");
        write_file(stage.home() / ".config/toolhost/config.yml", "allow: []\n");
        const std::vector<std::string> attempts = {
            "echo 'profile: ci' > .config/toolhost/config.yml",
            "rm .config/toolhost/config.yml",
            "echo x > .config/toolhost/new",
            "mv .config/toolhost .config/old",
            "mv .config old",
            "cp -r .config copy && rm -rf .config && mv copy .config",
            "chmod 777 .config/toolhost",
            "ln .config/toolhost/config.yml link && echo x > link",
            // Folders that were not there before this host started its worker.
            "mkdir -p .local/share/toolhost/plugins && cp /bin/true "
            ".local/share/toolhost/plugins/x.so",
            "mv .local/share other",
            "mv .local other",
            "echo x > .cache/toolhost/new",
        };
        const auto codes = stage.shell(attempts);
        CAPTURE(codes);
        for (const auto& code : lines_of(unwrapped(codes))) CHECK_FALSE(contains(" " + code, " 0"));
        CHECK(read_file(stage.home() / ".config/toolhost/config.yml") == "allow: []\n");
        for (const auto* folder : kOwnFolders) CHECK(fs::is_directory(stage.home() / folder));
        CHECK_FALSE(fs::exists(stage.home() / ".local/share/toolhost/plugins/x.so"));
    }

    TEST_CASE("what is beside them can be written, made and moved") {
        const HomeStage stage;
        CHECK(stage.shell({"echo x > new && mv new other && mkdir folder && echo x > folder/file",
                           "mkdir .config/app && echo x > .config/app/file", "rm -r folder other",
                           "cat .config/app/file"}) == "0 0 0 0");
    }

    TEST_CASE("python code cannot write them") {
        const HomeStage stage;
        const auto said = stage.say(
            {{{"tool", "python_exec"},
              {"input",
               {{"code", "open('" + (stage.home() / "note").string() + "','w').write('x')"}}}},
             {{"tool", "python_exec"},
              {"input",
               {{"code", "import os\nos.makedirs('" +
                             (stage.home() / ".config/toolhost/profiles").string() + "')"}}}},
             {{"tool", "python_exec"},
              {"input",
               {{"code", "import os\nos.rename('" + (stage.home() / ".config").string() + "', '" +
                             (stage.home() / "c").string() + "')"}}}}});
        CHECK(fs::exists(stage.home() / "note"));
        CAPTURE(said[1]);
        CHECK(contains(said[1], "Read-only file system"));
        CAPTURE(said[2]);
        CHECK(contains(said[2], "busy"));
    }

    TEST_CASE("file_write says why") {
        const HomeStage stage;
        const auto said = stage.say(
            {{{"tool", "file_write"},
              {"input", {{"path", ".config/toolhost/config.yml"}, {"content", "x"}}}},
             {{"tool", "file_write"}, {"input", {{"path", ".config"}, {"content", "x"}}}},
             {{"tool", "file_write"},
              {"input", {{"path", ".local/share/toolhost/plugins/x.so"}, {"content", "x"}}}},
             {{"tool", "file_write"}, {"input", {{"path", "notes/x"}, {"content", "x"}}}}});
        for (int i : {0, 1, 2})
            check_begins(said[static_cast<std::size_t>(i)], "policy_denied protected_path: ");
        check_begins(said[3], "File write success");
    }

    TEST_CASE("files that were given on the command line, through links, and the event log") {
        const HomeStage stage;
        fs::create_directories(stage.home() / "dotfiles/config/toolhost/profiles");
        fs::create_directory_symlink("dotfiles/config", stage.home() / ".config");
        for (const char* folder :
             {"plugins", "profiles", "kept", ".cache/toolhost", ".local/share/toolhost"})
            fs::create_directories(stage.home() / folder);
        write_file(stage.home() / "given.yml", "allow: []\n");
        write_file(stage.home() / "own.yml",
                   "name: own\nextends: default\nconsent: bypass\n"
                   "policies: { shell: { allow_shell: true } }\n");
        const std::string tries =
            "for f in given.yml own.yml events.jsonl profiles/default.yml plugins/x.so kept/x "
            ".cache/toolhost/x .local/share/toolhost/x dotfiles/config/toolhost/x; do (echo x >> "
            "$f) 2>/dev/null && echo wrote $f; done; "
            "(rm .config || mv dotfiles d || ln -sfn d .config) 2>/dev/null && echo moved; echo "
            "end";
        const auto ended = stage.stage().run(
            {"call", "shell", "command=" + tries, "--config", "given.yml", "--profile", "./own.yml",
             "--events", "events.jsonl", "--plugins", "plugins", "--plugins", TOOLHOST_SHIPPED},
            {.env = {{"TOOLHOST_CACHE", (stage.home() / "kept").string()}},
             .name_plugins = false,
             .folder = stage.home()});
        CAPTURE(ended);
        CHECK(ended.exit_code == 0);
        CHECK(contains(ended.out, "end"));
        CHECK_FALSE(contains(ended.out, "wrote"));
        CHECK_FALSE(contains(ended.out, "moved"));
    }

    TEST_CASE("a host that is installed in the workspace: its program and its plugins") {
        const HomeStage stage;
        const auto program = stage.home() / "app/bin/toolhost";
        const auto library = stage.home() / "app/plugins/shell.so";
        for (const auto& [from, to] : {std::pair{fs::path(TOOLHOST_BINARY), program},
                                       {fs::path(TOOLHOST_SHIPPED) / "shell.so", library}}) {
            fs::create_directories(to.parent_path());
            fs::copy_file(from, to);
        }
        write_file(stage.stage().root() / "own.yml",
                   "name: own\nextends: default\nconsent: bypass\n"
                   "policies: { shell: { allow_shell: true } }\n"
                   "grants: { shell: [exec, write] }\n");
        auto command = stage.stage().command(
            {"call", "shell", "--profile", (stage.stage().root() / "own.yml").string(),
             "command=for f in app/bin/toolhost app/plugins/shell.so app/bin app; do (rm -rf $f || "
             "mv $f other) 2>/dev/null && echo changed $f; done; "
             "echo x > app/plugins/new.so && echo made; echo x > app/beside && echo end"},
            {.name_plugins = false});
        command.args[0] = program.string();
        auto without_its_plugins = command;
        without_its_plugins.args.insert(without_its_plugins.args.end(),
                                        {"--only-plugins", TOOLHOST_SHIPPED});
        for (const auto& start : {command, without_its_plugins}) {
            const auto ended = run_child({.args = start.args,
                                          .env = start.env,
                                          .input = "",
                                          .folder = stage.home(),
                                          .user = {},
                                          .deadline = Options().deadline});
            CAPTURE(ended.err);
            CHECK(ended.exit_code == 0);
            CHECK(contains(ended.out, "end"));
            CHECK_FALSE(contains(ended.out, "changed"));
            CHECK_FALSE(contains(ended.out, "made"));
        }
        CHECK(fs::exists(program));
        CHECK(fs::exists(library));
    }

    TEST_CASE("a workspace that is toolhost's own is refused to tools that write") {
        const HomeStage stage;
        fs::create_directories(stage.home() / ".config/toolhost/profiles");
        const auto said =
            stage.say({{{"tool", "file_write"}, {"input", {{"path", "x"}, {"content", "x"}}}},
                       {{"tool", "file_list"}, {"input", {{"path", "."}}}}},
                      "", {.folder = stage.home() / ".config/toolhost/profiles"});
        check_begins(said[0],
                     "policy_denied protected_path: tool 'file_write' could write to a folder "
                     "that toolhost itself uses (its configuration)");
        CHECK_FALSE(contains(said[0], stage.home().string()));
        CHECK_FALSE(contains(said[1], "protected_path"));
    }

    TEST_CASE("the same for a user who is not root") {
        if (!is_root()) return;
        const HomeStage stage;
        ::chmod(stage.stage().root().c_str(), 0777);
        CHECK(
            stage.shell({"echo x > .config/toolhost/config.yml", "mv .config old", "echo x > new"},
                        "", {.user = kNobody}) == "1 1 0");
    }
}

}  // namespace
}  // namespace toolhost::test
