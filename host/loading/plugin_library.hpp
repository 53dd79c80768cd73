// The shared library of a plugin, loaded into this process at its first use.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "host/base/mutex.hpp"
#include "host/loading/loaded_library.hpp"
#include "host/loading/local_code.hpp"
#include "host/loading/private_copy.hpp"

namespace toolhost::loading {

class PluginLibrary : public LocalCode {
public:
    PluginLibrary(registry::Library library, std::shared_ptr<PrivateCopies> copies)
        : library_(std::move(library)), copies_(std::move(copies)) {}
    ~PluginLibrary() override;  // calls tool_close() if it was opened

    // Loads a private copy and calls tool_open() at the first call. Tries again after a failure,
    // because missing files may appear.
    [[nodiscard]] Result<void> open() override;
    // Without the lock: the library does not change once it is open.
    [[nodiscard]] Outcome invoke(const Invocation& invocation, CallHost& host) const override
        TOOLHOST_THREAD_ANNOTATION(no_thread_safety_analysis) {
        return loaded_.invoke(invocation, host);
    }

    [[nodiscard]] bool is_open() const { return opened_; }
    [[nodiscard]] bool concurrent() const override {
        return (library_.flags & TOOL_CONCURRENT) != 0;
    }
    [[nodiscard]] std::string name() const override { return library_.name(); }
    [[nodiscard]] const std::string& identity() const { return library_.identity; }

private:
    const registry::Library library_;
    const std::shared_ptr<PrivateCopies> copies_;
    Mutex opening_;
    std::atomic<bool> opened_{false};
    LoadedLibrary loaded_ GUARDED_BY(opening_);
};

}  // namespace toolhost::loading
