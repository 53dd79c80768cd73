// What a human reads before allowing a call (who would run, then with what) and where a tool asks
// something. The same text on a terminal and in a client.
#pragma once

#include <string>
#include <vector>

#include "host/call/lineage.hpp"

namespace toolhost::call {

// "git 1.2.0 (family git, library git.so, identity 0123456789abcdef0123456789abcdef)", and who
// called it, if a tool did: ", called by ...".
[[nodiscard]] std::string describe_call(const registry::Tool& tool,
                                        const std::vector<Caller>& callers);

// The tool and its callers, then the fields of the input: short ones in their author's order, then
// long ones with length, digest, head and tail. Characters that would deceive the eye are spelled
// out, runs of blanks are counted, and values cannot imitate the lines around them. At most about
// 8,000 characters; the last line counts what is not shown.
[[nodiscard]] std::string consent_text(const registry::Tool& tool,
                                       const std::vector<Caller>& callers, const Json& input);

// A tool's own question: "git 1.2.0 (...) asks (NAME): WORDS", several lines each behind "| ".
[[nodiscard]] std::string question_text(std::string_view asked_by, std::string_view name,
                                        std::string_view words);

}  // namespace toolhost::call
