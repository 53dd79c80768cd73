// A plugin's code in this process: opened once, never unmapped.
#pragma once

#include <string>

#include "host/loading/invocation.hpp"

namespace toolhost::loading {

class LoadedLibrary {
public:
    // Loads `path` and calls tool_open(). Messages use `name`. Runs foreign code.
    [[nodiscard]] Result<void> open(const std::string& path, const std::string& name);
    // Requires open(). Runs foreign code, which may never return.
    [[nodiscard]] Outcome invoke(const Invocation& invocation, CallHost& host) const;
    // Calls tool_close() if the library exports it.
    void close() const;

private:
    decltype(&tool_invoke) invoke_ = nullptr;
    decltype(&tool_close) close_ = nullptr;
};

}  // namespace toolhost::loading
