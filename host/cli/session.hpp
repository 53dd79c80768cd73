// Options to a host that is ready to answer: the scan done, the registry filled.
#pragma once

#include <memory>
#include <string>

#include "host/call/invoker.hpp"
#include "host/cli/app.hpp"
#include "host/discovery/folders.hpp"
#include "host/discovery/scan.hpp"
#include "host/registry/registry.hpp"
#include "host/runtime/in_process.hpp"

namespace toolhost::cli {

class Session {
public:
    explicit Session(const Options& options, bool retry_refused = false);
    ~Session();  // says at debug level how many libraries were loaded
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    [[nodiscard]] const discovery::Folders& folders() const { return folders_; }
    [[nodiscard]] const discovery::ScanReport& report() const { return report_; }
    [[nodiscard]] registry::Snapshot catalogue() const { return registry_.snapshot(); }
    [[nodiscard]] call::Invoker& invoker() { return invoker_; }

private:
    discovery::Folders folders_;
    discovery::ScanReport report_;
    registry::Registry registry_;
    runtime::InProcess runtime_;
    call::Invoker invoker_;
};

// An error on stderr, and the exit code that goes with it.
Exit print_error(const Error& error);

}  // namespace toolhost::cli
