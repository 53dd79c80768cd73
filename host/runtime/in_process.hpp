// Runs plugins in the host's own process, on the caller's thread: the quickest way, for code that
// is trusted. Tools of the program that embeds the host always run here.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>

#include "host/base/mutex.hpp"
#include "host/loading/plugin_library.hpp"
#include "host/runtime/runtime.hpp"
#include "host/runtime/watchdog.hpp"

namespace toolhost::runtime {

class InProcess : public Runtime {
public:
    // `copies` is the folder for private copies of libraries.
    explicit InProcess(const std::string& copies);
    ~InProcess() override;  // tool_close() of every library that was opened and is not in use

    void invoke(const registry::Library& library, const PlacedInvocation& invocation,
                std::shared_ptr<PluginCall> call, const loading::Stop& stop) override;
    [[nodiscard]] bool can_keep_threads(Isolation) const override { return true; }

    // How many libraries this process has opened so far.
    [[nodiscard]] std::size_t loaded();
    // The number of abandoned calls that still run. While there are any, the process must not
    // take itself apart: end it by _exit().
    [[nodiscard]] int overdue() const;

private:
    class Work;
    [[nodiscard]] std::shared_ptr<loading::LocalCode> code_of(const registry::Library& library);

    const std::shared_ptr<loading::PrivateCopies> copies_;
    // Shared with the work, which may outlive this.
    const std::shared_ptr<loading::SerialGates> gates_ = std::make_shared<loading::SerialGates>();
    const std::shared_ptr<std::atomic<int>> overdue_ = std::make_shared<std::atomic<int>>(0);
    Mutex mutex_;
    // By path; those of one path differ in content.
    std::unordered_map<std::string, std::vector<std::shared_ptr<loading::PluginLibrary>>> plugins_
        GUARDED_BY(mutex_);
    const std::shared_ptr<Watchdog> watchdog_ = std::make_shared<Watchdog>();
};

}  // namespace toolhost::runtime
