// Why a command is not run. Empty where it may be.
#pragma once

#include <optional>
#include <string>

namespace shell {

struct Refusal {
    std::string
        reason;  // the policy's word, such as "command_not_allowed"; empty: the text is wrong
    std::string message;
};
using Refused = std::optional<Refusal>;

inline Refusal needs_shell(const std::string& what) {
    return {"shell_not_allowed",
            what +
                " needs a shell, and this profile's policy has allow_shell: false. Write the "
                "command without it: words, quotes, | && || ; < > >> 2>&1 and * ? [ ] work."};
}
inline Refusal malformed(const std::string& what) {
    return {"", what};
}

}  // namespace shell
