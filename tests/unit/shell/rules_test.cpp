#include <doctest/doctest.h>
#include <sys/stat.h>

#include <fstream>

#include "command/rules.hpp"
#include "tests/unit/shell/workspace.hpp"

namespace {

using namespace shell;

std::string reason(const Refused& refused) {
    if (!refused) return "";
    return refused->reason.empty() ? "malformed" : std::string(refused->reason);
}

struct Judge {
    shell_test::Workspace workspace;
    Rules rules{workspace.path, {"ls", "c*", "/opt/tool/*", "./run.sh"}, {"cp"}, "/usr/bin:/bin"};

    std::string program(const std::string& name) {
        file.clear();
        return reason(find_allowed(rules, workspace.path, name, file));
    }
    std::string words(std::vector<std::string> all) {
        return reason(check_words(rules, workspace.path, all));
    }
    std::string file;
};

TEST_CASE("programs by name") {
    Judge judge;
    CHECK(judge.program("ls") == "");
    CHECK(judge.file == "/usr/bin/ls");
    CHECK(judge.program("cat") == "");
    CHECK(judge.program("cp") == "command_not_allowed");  // denied, though c* is allowed
    CHECK(judge.program("rm") == "command_not_allowed");
    CHECK(judge.program("cno_such_program") == "malformed");
    judge.rules.allowed = {};
    CHECK(judge.program("ls") == "command_not_allowed");
}

TEST_CASE("a file named ls is not the program ls") {
    Judge judge;
    judge.workspace.script("ls", "exit 0");
    judge.workspace.script("run.sh", "exit 0");
    CHECK(judge.program("./ls") == "command_not_allowed");
    CHECK(judge.program("/usr/bin/ls") == "command_not_allowed");
    CHECK(judge.program("./run.sh") == "");
    CHECK(judge.file == judge.workspace.path / "run.sh");
    CHECK(judge.program((judge.workspace.path / "run.sh").string()) == "");
    CHECK(judge.program("/opt/tool/x") == "");
    CHECK(judge.program("/opt/tool/../evil") == "command_not_allowed");
    // It is not found in the workspace either, whatever PATH says.
    judge.rules.path = judge.workspace.path.string() + ":/usr/bin";
    CHECK(judge.program("ls") == "command_not_allowed");
}

TEST_CASE("a link to a denied program is denied") {
    Judge judge;
    judge.rules.denied = {"dash", "bash"};
    judge.rules.allowed = {"sh", "./x"};
    CHECK(judge.program("sh") == "command_not_allowed");
    std::filesystem::create_symlink("/bin/sh", judge.workspace.path / "x");
    CHECK(judge.program("./x") == "command_not_allowed");
}

TEST_CASE("words that make a reading program run others") {
    Judge judge;
    for (auto words : std::vector<std::vector<std::string>>{{"find", ".", "-exec", "id", ";"},
                                                            {"find", ".", "-delete"},
                                                            {"sort", "--compress-program=sh"},
                                                            {"sort", "--comp=sh"},
                                                            {"sort", "--compress-prog", "sh"},
                                                            {"date", "-s", "now"},
                                                            {"date", "-us", "now"},
                                                            {"date", "--set=now"},
                                                            {"date", "--s=now"},
                                                            {"rg", "--pre=sh", "x"}}) {
        CAPTURE(words[1]);
        CHECK(judge.words(words) == "command_not_allowed");
    }
    CHECK(judge.words({"find", ".", "-name", "x"}) == "");
    CHECK(judge.words({"sort", "--check", "-c"}) == "");
    CHECK(judge.words({"date", "-d", "yesterday"}) == "");
    CHECK(judge.words({"date", "-dyesterday"}) == "");
}

TEST_CASE("words that lead outside") {
    Judge judge;
    const auto& here = judge.workspace.path;
    std::filesystem::create_directory(here / "dir");
    std::filesystem::create_symlink("/etc", here / "link");
    for (const char* word : {"/etc/passwd", "../x", "dir/../../x", "link/passwd", "link",
                             "-f/etc/x", "--file=/etc/x", "--file=../x", "/"}) {
        CAPTURE(word);
        CHECK(judge.words({"cat", word}) == "path_not_allowed");
    }
    for (const std::string& word :
         {std::string("x"), std::string("dir/../y"), std::string("/dev/null"), std::string("-"),
          std::string("-d/"), std::string("--color=auto"), std::string("a/b/c"), here.string(),
          (here / "new").string(), std::string(5000, 'x'), std::string()}) {
        CAPTURE(word);
        CHECK(judge.words({"cat", word}) == "");
    }
    CHECK(judge.words({"echo", "/etc/passwd"}) == "");
    judge.rules.confine_paths = false;
    CHECK(judge.words({"cat", "/etc/passwd"}) == "");
}

TEST_CASE("words that are not paths, or cannot exist") {
    Judge judge;
    for (auto words : std::vector<std::vector<std::string>>{{"grep", "-rn", "/api/users", "."},
                                                            {"grep", "-rn", "../x", "."},
                                                            {"grep", "-e", "/etc", "f"},
                                                            {"tr", "/", "_"},
                                                            {"cut", "-d", "/", "-f", "2", "f.txt"},
                                                            {"sort", "-t", "/", "f.txt"},
                                                            {"cat", "/no/such/folder"}}) {
        CAPTURE(words[1]);
        CHECK(judge.words(words) == "");
    }
    for (auto words : std::vector<std::vector<std::string>>{{"grep", "root", "/etc/passwd"},
                                                            {"grep", "-f", "/etc/passwd", "f"},
                                                            {"grep", "-rf", "/etc/passwd", "f"},
                                                            {"grep", "-e", "x", "/etc/passwd"},
                                                            {"grep", "--file", "/etc/passwd", "f"},
                                                            {"cut", "-f", "1", "/etc/passwd"},
                                                            {"sort", "-o", "/tmp/new", "f"}}) {
        CAPTURE(words[1]);
        CHECK(judge.words(words) == "path_not_allowed");
    }
    const auto refused = check_words(judge.rules, judge.workspace.path, {"cat", "/etc/passwd"});
    REQUIRE(refused);
    CHECK(refused->message.find("confine_paths") != std::string::npos);  // the way to allow it
}

TEST_CASE("a sibling of a folder is not inside of it") {
    CHECK(is_within("/a/b", "/a/b"));
    CHECK(is_within("/a/b", "/a/b/c"));
    CHECK_FALSE(is_within("/a/b", "/a/bc"));
    CHECK_FALSE(is_within("/a/b", "/a"));
}

}  // namespace
