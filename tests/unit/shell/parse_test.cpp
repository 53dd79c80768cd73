#include <doctest/doctest.h>

#include "command/parse.hpp"

namespace {

using shell::CommandLine;
using shell::parse;
using shell::Pipeline;
using shell::Redirection;

// "a b | c && d" as "a,b|c &&d"; wildcards in braces.
std::string shown(std::string_view text) {
    CommandLine line;
    if (const auto refused = parse(text, line))
        return (refused->reason.empty() ? "malformed" : std::string(refused->reason)) + ": " +
               refused->message;
    std::string out;
    for (const auto& pipeline : line) {
        if (!out.empty()) out += ' ';
        if (pipeline.when == Pipeline::When::after_success) out += "&&";
        if (pipeline.when == Pipeline::When::after_failure) out += "||";
        for (std::size_t i = 0; i < pipeline.commands.size(); ++i) {
            if (i > 0) out += '|';
            const auto& command = pipeline.commands[i];
            for (std::size_t k = 0; k < command.words.size(); ++k) {
                const auto& word = command.words[k];
                out += (k > 0 ? "," : "") +
                       (word.pattern.empty() ? word.text : "{" + word.pattern + "}");
            }
            for (const auto& one : command.redirections) {
                using Kind = Redirection::Kind;
                out += " " + std::to_string(one.fd);
                if (one.kind == Kind::copy) out += ">&" + std::to_string(one.from);
                if (one.kind == Kind::read) out += "<" + one.file.text;
                if (one.kind == Kind::write) out += ">" + one.file.text;
                if (one.kind == Kind::append) out += ">>" + one.file.text;
            }
        }
    }
    return out;
}

TEST_CASE("words and quotes") {
    CHECK(shown("ls -l  dir") == "ls,-l,dir");
    CHECK(shown("echo 'a b' \"c d\" e\\ f") == "echo,a b,c d,e f");
    CHECK(shown("echo a'b'\"c\"d") == "echo,abcd");
    CHECK(shown("echo '' \"\"") == "echo,,");
    CHECK(shown("echo '$HOME `x` \\n'") == "echo,$HOME `x` \\n");
    CHECK(shown(R"(echo "a\"b\\c\d \$x")") == R"(echo,a"b\c\d $x)");
    CHECK(shown("echo a\\\nb") == "echo,ab");
    CHECK(shown("echo a # b; c") == "echo,a");
    CHECK(shown("echo a#b") == "echo,a#b");
    CHECK(shown("grep 'x$' f") == "grep,x$,f");
    CHECK(shown("grep \"x$\" f") == "grep,x$,f");
    CHECK(shown("echo 5$ $") == "echo,5$,$");
}

TEST_CASE("pipes, lists and lines") {
    CHECK(shown("a | b|c") == "a|b|c");
    CHECK(shown("a && b || c; d") == "a &&b ||c d");
    CHECK(shown("a\nb\n\n ; c ;") == "a b c");
    CHECK(shown("a |\n b &&\n c") == "a|b &&c");
    CHECK(shown("echo ';' '|' '&&'") == "echo,;,|,&&");
}

TEST_CASE("redirections") {
    CHECK(shown("a >f") == "a 1>f");
    CHECK(shown("a > 'f g' 2>&1") == "a 1>f g 2>&1");
    CHECK(shown("a <in >>out 2>err") == "a 0<in 1>>out 2>err");
    CHECK(shown("a 2>/dev/null | b >&2") == "a 2>/dev/null|b 1>&2");
    CHECK(shown("echo 2 >f x2>f") == "echo,2,x2 1>f 1>f");
}

TEST_CASE("wildcards match files only if unquoted") {
    CHECK(shown("ls *.c") == "ls,{*.c}");
    CHECK(shown("ls '*'.c") == "ls,*.c");
    CHECK(shown("ls '*'a?") == "ls,{\\*a?}");
    CHECK(shown("ls \\*") == "ls,*");
}

TEST_CASE("shell-only syntax is refused") {
    for (const char* text :
         {"echo $HOME",     "echo ${HOME}",  "echo $(id)", "echo `id`",  "echo \"$HOME\"",
          "echo \"$(id)\"", "echo \"`id`\"", "echo $?",    "echo $'a'",  "sleep 1 &",
          "(ls)",           "ls (a)",        "if true",    "for x in y", "! true",
          "{ ls; }",        "A=1 ls",        "A=1",        "cat <<EOF",  "cat <<<x",
          "ls >| f",        "ls 3>f",        "ls 2>&3",    "ls &> f",    "cat <(ls)",
          "ls ~",           "ls ~/x",        "ls > ~/x"}) {
        CAPTURE(text);
        CHECK(shown(text).find("shell_not_allowed: ") == 0);
        CHECK(shown(text).find("allow_shell") != std::string::npos);
    }
}

TEST_CASE("the way to write it without a shell is named") {
    CHECK(shown("a &> f").find("instead of > FILE 2>&1") != std::string::npos);
}

TEST_CASE("an invalid command says why") {
    CHECK(shown("") == "malformed: the command is empty");
    CHECK(shown(" ; # x") == "malformed: the command is empty");
    CHECK(shown("echo 'a") == "malformed: an unclosed ' at character 6");
    CHECK(shown("echo \"a") == "malformed: an unclosed \" at character 6");
    CHECK(shown("echo \\") == "malformed: a trailing backslash");
    CHECK(shown("a |") == "malformed: missing program name at character 4");
    CHECK(shown("| a") == "malformed: missing program name at character 1");
    CHECK(shown("a | | b") == "malformed: missing program name at character 5");
    CHECK(shown("a && ") == "malformed: a command is missing after && or ||");
    CHECK(shown("a >") == "malformed: missing file name at character 4");
    CHECK(shown("> f") == "malformed: missing program name at character 4");
    CHECK(shown(std::string_view("a \0 b", 5)) == "malformed: a NUL character at character 3");
    CHECK(shown(std::string_view("a '\0'", 5)) == "malformed: a NUL character at character 4");
}

}  // namespace
