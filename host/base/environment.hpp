// Variables of the environment, and the folders that they decide.
#pragma once

#include <string>

namespace toolhost {

// Empty: the variable is not set, or empty.
[[nodiscard]] std::string environment(const char* name);

// $VARIABLE or $HOME/fallback, with /toolhost appended; empty without either. A relative $VARIABLE
// is ignored, as the XDG specification says.
[[nodiscard]] std::string user_folder(const char* variable, const char* fallback);

}  // namespace toolhost
