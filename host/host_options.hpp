// Everything that a host is opened with.
#pragma once

#include <spdlog/common.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "host/call/view.hpp"
#include "host/configuration.hpp"
#include "host/discovery/folders.hpp"

namespace toolhost::core {

struct HostOptions {
    discovery::NamedFolders plugins{};
    ConfigChoice config{};
    // The toolhost binary, which runs probes and workers; empty: the running program.
    std::string program{};
    bool no_cache = false;
    std::chrono::milliseconds probe_timeout{5000};
    bool retry_refused = false;    // scan plugins again that were refused before
    bool allow_invalid_profile = false;  // fall back to the built-in profile if the chosen one is invalid
    std::shared_ptr<spdlog::logger> events{};
    std::vector<call::HostFile> files{};  // that no tool may write, beside those of every host
    // Receives warnings, from any thread; null: they are dropped.
    std::function<void(const std::string& warning)> warn{};
};

}  // namespace toolhost::core
