// One plugin's shared library, loaded into this process and opened at its first use.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "host/base/mutex.hpp"
#include "host/loading/loaded_library.hpp"
#include "host/loading/private_copy.hpp"

namespace toolhost::loading {

class PluginLibrary {
public:
    PluginLibrary(registry::Library library, std::shared_ptr<PrivateCopies> copies)
        : library_(std::move(library)), copies_(std::move(copies)) {}
    ~PluginLibrary();  // tool_close(), if it was opened

    // Loads a private copy and calls tool_open(), unless that was done before. A failure is not
    // remembered: what was missing may come.
    [[nodiscard]] Result<void> open();
    // After open(). Runs foreign code, which may never return.
    [[nodiscard]] Outcome invoke(const Invocation& invocation, CallHost& host) const {
        return loaded_.invoke(invocation, host);
    }

    [[nodiscard]] bool is_open() const { return opened_; }
    [[nodiscard]] bool concurrent() const { return (library_.flags & TOOL_CONCURRENT) != 0; }
    [[nodiscard]] const std::string& path() const { return library_.path; }
    [[nodiscard]] const std::string& identity() const { return library_.identity; }

    SerialGate gate;  // of a library that is not concurrent
    // Abandoned calls that still run in it.
    const std::shared_ptr<std::atomic<int>> overdue = std::make_shared<std::atomic<int>>(0);

private:
    const registry::Library library_;
    const std::shared_ptr<PrivateCopies> copies_;
    Mutex opening_;
    std::atomic<bool> opened_{false};
    LoadedLibrary loaded_;
};

}  // namespace toolhost::loading
