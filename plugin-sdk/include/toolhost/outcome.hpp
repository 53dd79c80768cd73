// Ways for a call to end without returning a value. Context throws these; code without a Context
// may throw them too.
//
// Only ToolError is a std::exception. The others must pass a tool's own `catch (const
// std::exception&)`: an interrupted call that continued would act without the human's answer.
#ifndef TOOLHOST_OUTCOME_HPP
#define TOOLHOST_OUTCOME_HPP

#include <stdexcept>
#include <string>
#include <utility>

namespace toolhost {

// The tool failed; `code` is one of the host's error codes or a code of the tool.
class ToolError : public std::runtime_error {
public:
    ToolError(std::string code, const std::string& message)
        : std::runtime_error(message), code_(std::move(code)) {}

    [[nodiscard]] const std::string& code() const noexcept { return code_; }

private:
    std::string code_;
};

// The tool's own policy forbids the call; `reason` is short and stable, such as "path_not_allowed".
struct Denied {
    std::string reason;
    std::string message;
};

// The call was cancelled, and the tool stops.
struct Cancelled {};

// A human's answer is needed first; the call is repeated with the answer.
struct Interrupted {};

// A human declined, or dismissed the question without a choice. A tool that can continue without an
// answer catches it.
struct Declined {
    std::string question;
    bool dismissed = false;
};

// No client can answer, for example because it does not support sampling. A tool that can continue
// without an answer catches it.
struct Unsupported {
    std::string what;
};

}  // namespace toolhost

#endif  // TOOLHOST_OUTCOME_HPP
