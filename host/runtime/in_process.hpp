// Runs plugins in the host's own process: the quickest way, for code that is trusted.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "host/runtime/private_copy.hpp"
#include "host/runtime/runtime.hpp"

namespace toolhost::runtime {

class InProcess : public Runtime {
public:
    // `copies` is the folder for private copies of libraries.
    explicit InProcess(std::string copies);
    ~InProcess() override;  // tool_close() of every library that was opened

    Result<Outcome> invoke(const registry::Library& library, const Invocation& invocation,
                           CallHost& host) override;

    // How many libraries this process has mapped so far.
    [[nodiscard]] std::size_t loaded();

private:
    class Plugin;
    Result<std::shared_ptr<Plugin>> plugin(const registry::Library& library);

    PrivateCopies copies_;
    std::mutex mutex_;
    std::unordered_map<std::string, std::shared_ptr<Plugin>> plugins_;  // by path and content
};

}  // namespace toolhost::runtime
