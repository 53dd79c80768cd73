// Why a command is refused. Empty if it may run.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <toolhost/denial_reasons.hpp>

namespace shell {

inline constexpr std::array<toolhost::DenialReason, 3> kReasons{{
    {"command_not_allowed",
     "the program is not in allowed_commands, is in denied_commands, or this option is denied"},
    {"shell_not_allowed", "the command needs a shell, and allow_shell is false"},
    {"path_not_allowed", "the command or work_dir refers to a file outside the workspace"},
}};
using Reason = toolhost::ReasonFrom<kReasons>;

struct Refusal {
    Reason reason;  // empty: the text is invalid
    std::string message;
};
using Refused = std::optional<Refusal>;

inline Refusal needs_shell(const std::string& what) {
    return {"shell_not_allowed",
            what +
                " needs a shell, but the policy has allow_shell: false. Write the command without "
                "a shell: words, quotes, | && || ; < > >> 2>&1 and * ? [ ] work."};
}
inline Refusal malformed(const std::string& what) {
    return {{}, what};
}

}  // namespace shell
