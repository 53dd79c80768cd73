// A command's text, taken apart by the quoting rules of POSIX shells: words, pipes, redirections,
// && || and ; are understood; what only a shell can do is refused, never passed on as plain text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "command/refusal.hpp"

namespace shell {

struct Word {
    std::string text;
    // The same with all but the wildcards escaped, for glob(3); empty without wildcards.
    std::string pattern{};
};

struct Redirection {
    enum class Kind { read, write, append, copy };
    Kind kind;
    int fd;
    int from = -1;  // of a copy
    Word file{};    // of all others
};

struct Command {
    std::vector<Word> words;
    std::vector<Redirection> redirections;
};

struct Pipeline {
    enum class When { always, after_success, after_failure };
    When when = When::always;
    std::vector<Command> commands;
};

using CommandLine = std::vector<Pipeline>;

Refused parse(std::string_view text, CommandLine& line);

}  // namespace shell
