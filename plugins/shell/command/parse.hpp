// Parses a command by the quoting rules of POSIX shells: words, pipes, redirections, && || and ;.
// Features that need a shell are refused, never passed on as plain text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "command/refusal.hpp"

namespace shell {

struct Word {
    std::string text;
    // The same with everything but wildcards escaped, for glob(3); empty without wildcards.
    std::string pattern{};
};

struct Redirection {
    enum class Kind { read, write, append, copy };
    Kind kind;
    int fd;
    int from = -1;  // for a copied descriptor
    Word file{};    // for all others
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
