// A workspace that contains toolhost's own files: no tool can write them, but all others.
#include <sys/stat.h>

#include "tests/integration/child.hpp"
#include "tests/tools/protected/home_stage.hpp"

namespace toolhost::test {
namespace {

const char* const kOwnFolders[] = {".config/toolhost", ".local/share/toolhost", ".cache/toolhost"};

TEST_SUITE("host files") {
    TEST_CASE("a shell can neither write nor replace them") {
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
            // Folders that did not exist when this host started its worker.
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

    TEST_CASE("files beside them can be written, created and moved") {
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

    TEST_CASE("file_write gives the reason") {
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

    TEST_CASE("files given on the command line, through links, and the event log") {
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

    TEST_CASE("a host installed in the workspace: its program and its plugins") {
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

    TEST_CASE("a plugin that is linked from its folder, and all links on the way to it") {
        const HomeStage stage;
        const auto home = stage.home();
        const auto linked = stage.stage().root() / "linked";
        for (const auto& folder : {home / "build/v1", home / "build/folder", linked})
            fs::create_directories(folder);
        fs::copy_file(fixture_library("echo"), home / "build/v1/libecho.so");
        fs::create_directory_symlink("v1", home / "build/current");
        fs::create_symlink(home / "build/current/libecho.so", linked / "echo.so");
        fs::copy_file(fixture_library("crasher"), home / "build/folder/folder.so");
        write_file(home / "build/folder/libpart.so", "part");
        fs::create_directory_symlink(home / "build/folder", linked / "folder");
        const auto before = read_file(home / "build/v1/libecho.so");
        const auto ended = stage.run(
            {"call", "shell",
             "command=cd build; for f in v1/libecho.so current/libecho.so folder/folder.so "
             "folder/libpart.so folder/new.so; do (echo x >> $f) 2>/dev/null && echo wrote $f; "
             "done; for f in v1/libecho.so v1 current folder; do (mv $f moved) 2>/dev/null && echo "
             "moved $f; done; (ln -sfn /tmp current) 2>/dev/null && echo linked; "
             "echo x > v1/beside && echo end",
             "--plugins", linked.string()});
        CAPTURE(ended);
        CHECK(ended.exit_code == 0);
        CHECK(contains(ended.out, "end"));
        for (const auto* done : {"wrote", "moved", "linked"})
            CHECK_FALSE(contains(ended.out, done));
        CHECK(read_file(home / "build/v1/libecho.so") == before);
        const auto told = stage.run({"call", "file_write", "path=build/v1/libecho.so", "content=x",
                                     "mode=w", "--json", "--plugins", linked.string()});
        CAPTURE(told);
        CHECK(contains(told.out, "protected_path"));
    }

    TEST_CASE("private copies, if the cache is unusable") {
        const HomeStage stage;
        const auto runtime = stage.home() / "runtime";
        fs::create_directories(runtime);
        write_file(stage.stage().root() / "file", "not a folder");
        const auto ended = stage.run(
            {"call", "shell",
             "command=find . -name '*.so' | while read f; do echo found; (chmod u+w $f && echo x "
             ">> $f) 2>/dev/null && echo wrote $f; (mv ${f%/*/*} moved) 2>/dev/null && echo moved; "
             "done; echo end"},
            "",
            {.env = {{"TOOLHOST_CACHE", (stage.stage().root() / "file").string()},
                     {"XDG_RUNTIME_DIR", runtime.string()}}});
        CAPTURE(ended);
        CHECK(ended.exit_code == 0);
        CHECK(contains(ended.out, "found"));
        CHECK(contains(ended.out, "end"));
        CHECK_FALSE(contains(ended.out, "wrote"));
        CHECK_FALSE(contains(ended.out, "moved"));
    }

    TEST_CASE("temporary folders of other workers inside the workspace") {
        const HomeStage stage;
        const auto tmp = stage.home() / "tmp";
        fs::create_directories(tmp);
        // python_exec has a separate worker, which is alive while shell searches.
        const auto said = stage.say(
            {{{"tool", "python_exec"},
              {"input",
               {{"code",
                 "import os\nopen(os.environ['TMPDIR'] + '/../../mark', 'w').write('secret')"}}}},
             {{"tool", "shell"},
              {"input",
               {{"command",
                 "for f in $(find tmp -name mark); do echo seen $f; echo x >> $f && echo wrote; "
                 "done; echo x > $TMPDIR/own && cat $TMPDIR/own; echo x > tmp/beside; "
                 "mv -T tmp/toolhost-* other 2>/dev/null && echo moved; echo end"}}}},
             {{"tool", "python_exec"},
              {"input",
               {{"code", "import os\nprint(open(os.environ['TMPDIR'] + '/../../mark').read())"}}}}},
            "", {.env = {{"TMPDIR", tmp.string()}}});
        CAPTURE(said[1]);
        CAPTURE(said[2]);
        CHECK(contains(said[1], "end"));
        CHECK(contains(said[1], "x"));
        for (const auto* done : {"seen", "wrote", "moved"}) CHECK_FALSE(contains(said[1], done));
        CHECK(contains(said[2], "secret"));
        CHECK(fs::exists(tmp / "beside"));
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

    TEST_CASE("the same for an ordinary user") {
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
