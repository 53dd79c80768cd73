// Asks the user at the terminal.
#pragma once

#include <optional>

#include "host/call/call_observer.hpp"

namespace toolhost::cli {

class CtrlC;

// Whether a user can be asked: stderr is a terminal, and the terminal can be read.
[[nodiscard]] bool can_ask();

// Returns nothing without an answer: end of input, or Ctrl-C.
[[nodiscard]] std::optional<call::Answer> ask(const call::Question& question, const CtrlC& ctrl_c);
[[nodiscard]] std::optional<call::ConsentAnswer> ask_consent(const call::ConsentQuestion& question,
                                                             const CtrlC& ctrl_c);

}  // namespace toolhost::cli
