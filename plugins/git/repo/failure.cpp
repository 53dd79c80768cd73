#include "repo/failure.hpp"

#include <git2.h>

namespace git {

void check(int code, std::string_view what) {
    if (code >= 0) return;
    if (code == GIT_EUSER) throw Stopped{};  // returned only by our own callbacks
    const git_error* last = git_error_last();
    std::string message(what);
    if (last != nullptr && last->message != nullptr && *last->message != '\0') {
        message.append(": ").append(last->message);
    } else {
        message.append(": libgit2 error ").append(std::to_string(code));
    }
    throw Failure{std::move(message)};
}

}  // namespace git
