#include "host/cli/session.hpp"

#include <spdlog/spdlog.h>

#include <boost/dll/runtime_symbol_info.hpp>
#include <cstdlib>
#include <iostream>

#include "host/cli/terminal.hpp"

namespace toolhost::cli {
namespace {

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

discovery::ScanReport run_scan(const Options& options, const discovery::Folders& folders,
                               bool retry_refused) {
    discovery::ScanOptions scan;
    scan.folders = folders.plugins;
    scan.cache = options.no_cache ? "" : folders.cache;
    scan.probe.program = boost::dll::program_location().string();
    scan.probe.deadline = std::chrono::milliseconds(options.probe_timeout_ms);
    scan.retry_refused = retry_refused;
    return discovery::scan(scan);
}

}  // namespace

Session::Session(const Options& options, bool retry_refused)
    : folders_(discovery::find_folders(options.plugins)),
      report_(run_scan(options, folders_, retry_refused)),
      runtime_(folders_.cache.empty() ? "" : folders_.cache + "/libraries"),
      invoker_(registry_, runtime_,
               {policy::parse_allow(environment("TOOLHOST_ALLOW")),
                environment("BYPASS_TOOL_CONSENT") == "true"}) {
    for (const auto& complaint : report_.complaints) spdlog::warn("{}", complaint);
    for (const auto& folder : report_.folders)
        if (!folder.problem.empty())
            spdlog::warn("folder {} cannot be read: {}", folder.folder, folder.problem);
    auto filled = registry_.change([&](registry::Draft& draft) -> Result<void> {
        draft = discovery::take_tools(report_);
        return {};
    });
    if (!filled) throw std::logic_error(filled.error().message);
    for (const auto& complaint : invoker_.view()->allowlist().complaints())
        spdlog::warn("{}", complaint);
    for (const auto& hidden : catalogue()->shadowed())
        spdlog::warn("tool '{}' {} of {} is shadowed by {}", hidden.tool.spec.name,
                     hidden.tool.spec.version.text(), hidden.tool.library->path, hidden.by);
}

Session::~Session() {
    spdlog::debug("session: loaded={}", runtime_.loaded());
}

Exit print_error(const Error& error) {
    std::cerr << "toolhost: " << printable(error.message) << '\n';
    return info(error.code).exit;
}

}  // namespace toolhost::cli
