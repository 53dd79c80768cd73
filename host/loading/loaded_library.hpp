// A plugin's code in this process: opened once, never unmapped.
#pragma once

#include <string>

#include "host/loading/invocation.hpp"

namespace toolhost::loading {

class LoadedLibrary {
public:
    // Loads `path` and calls tool_open(); messages call it `name`. Runs foreign code.
    [[nodiscard]] Result<void> open(const std::string& path, const std::string& name);
    // After open(). Runs foreign code: it may take for ever.
    [[nodiscard]] Outcome invoke(const Invocation& invocation, CallHost& host) const;
    // tool_close(), if there is one.
    void close() const;

private:
    decltype(&tool_invoke) invoke_ = nullptr;
    decltype(&tool_close) close_ = nullptr;
};

}  // namespace toolhost::loading
