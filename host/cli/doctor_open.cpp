#include "host/cli/doctor_open.hpp"

#include <boost/filesystem/operations.hpp>
#include <chrono>

#include "host/discovery/reason.hpp"
#include "host/loading/library_files.hpp"
#include "host/runtime/isolated.hpp"

namespace toolhost::cli {
namespace {

// A call without content, with a deadline.
class Opening : public loading::CallHost {
public:
    explicit Opening(std::chrono::milliseconds time)
        : deadline_(std::chrono::steady_clock::now() + time) {}

    void emit(std::string_view, std::string_view) override {}
    [[nodiscard]] bool cancelled() const override { return false; }
    void log(int, std::string_view) override {}
    std::pair<tool_status, std::string> call_tool(std::string_view, std::string_view) override {
        return {TOOL_UNSUPPORTED, ""};
    }
    std::pair<tool_status, std::string> interrupt(std::string_view, std::string_view) override {
        return {TOOL_UNSUPPORTED, ""};
    }
    std::pair<tool_status, std::string> ask_client(std::string_view, std::string_view) override {
        return {TOOL_UNSUPPORTED, ""};
    }
    [[nodiscard]] os::Deadline deadline() const override { return deadline_; }

private:
    const os::Deadline deadline_;
};

// The configuration of the tool's calls, but always with a sandbox, since no call was requested.
// Errors of the profile (a missing workspace, a sandbox that the kernel does not support) are not
// the library's and are ignored.
worker::WorkerConfig closed_config(const call::ReadyTool& tool) {
    auto config = tool.worker_config;
    auto& confinement = config.confinement;
    confinement.sandbox = sandbox::Enforcement::best_effort;
    if (tool.refusal) confinement.write.clear();
    for (auto* folders : {&confinement.read, &confinement.write})
        std::erase_if(*folders, [](const std::string& folder) {
            boost::system::error_code fault;
            return boost::filesystem::canonical(folder, fault).string() != folder;
        });
    return config;
}

}  // namespace

void open_libraries(core::Host& host, std::map<std::string, Json>& by_path) {
    // Crashes here must not quarantine the library, so it has a separate state.
    const auto& cache = host.folders().cache;
    runtime::Isolated workers(
        {host.options().program, cache.empty() ? "" : cache + "/libraries", ""});
    const auto view = host.invoker().view();
    std::map<std::string, bool> seen;
    for (const auto& tool : view->catalogue().all()) {
        const auto& library = *tool.library;
        auto& entry = by_path[library.path];
        if (entry.value("status", "") != "ok" || !tool.usable() || seen[library.path]) continue;
        const auto ready = view->ready(tool);
        // Calls are refused for another reason.
        if (!ready || !(*ready)->granted.missing.empty()) continue;
        seen[library.path] = true;
        Opening opening(host.options().probe_timeout);
        const auto opened = workers.open(library, closed_config(**ready), opening);
        if (opened) continue;
        // A file that was replaced since the scan is not the one to check.
        const auto identity = loading::library_identity(library.path, library.own_folder);
        const bool is_same = identity && *identity == library.identity;
        const auto& reason = discovery::info(is_same ? discovery::Reason::open_failed
                                                     : discovery::Reason::changed_during_scan);
        entry["status"] = "refused";
        entry["reason"] = reason.code;
        entry["message"] = opened.error().message;
        entry["advice"] = reason.advice;
    }
}

}  // namespace toolhost::cli
