// A host with plugins in workers, for tests of runtime::Isolated.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <set>
#include <thread>

#include "host/loading/library_files.hpp"
#include "host/os/content_hash.hpp"
#include "host/runtime/isolated.hpp"
#include "tests/unit/doctest.hpp"
#include "tests/unit/sandbox/closed_child.hpp"
#include "tests/unit/temp_folder.hpp"

namespace toolhost::runtime {

using toolhost::test::TempFolder;
using Clock = std::chrono::steady_clock;

// Answers a plugin's questions, and stores its output.
struct AnsweringHost : loading::CallHost {
    void emit(std::string_view, std::string_view) override { ++emitted; }
    bool cancelled() const override { return false; }
    void log(int, std::string_view message) override { logged += message; }
    std::pair<tool_status, std::string> call_tool(std::string_view reference,
                                                  std::string_view input) override {
        return {TOOL_OK, "{\"called\":\"" + std::string(reference) +
                             "\",\"with\":" + std::string(input) + "}"};
    }
    std::pair<tool_status, std::string> interrupt(std::string_view name,
                                                  std::string_view) override {
        return {answered, '"' + std::string(name) + '"'};
    }
    std::pair<tool_status, std::string> ask_client(std::string_view kind,
                                                   std::string_view params) override {
        return {answered, "{\"" + std::string(kind) + "\":" + std::string(params) + "}"};
    }
    os::Deadline deadline() const override { return until; }
    void trusted_files_appeared(const std::vector<std::string>& paths) override {
        appeared.insert(appeared.end(), paths.begin(), paths.end());
    }

    std::atomic<int> emitted{0};
    std::string logged;
    std::vector<std::string> appeared;
    tool_status answered = TOOL_OK;
    os::Deadline until;
};

inline const std::set<std::string> kConcurrent{"overlap_concurrent", "caller",
                                               "constructor_sleeps"};

// A host with its folders and libraries.
class Workers {
public:
    Workers() {
        terms_.confinement.sandbox = sandbox::Enforcement::best_effort;
        terms_.confinement.limits = {512, 60, 32, 64, 8};
        terms_.workers.grace_ms = 100;
        terms_.key = "test";
        start();
    }
    void start() {
        isolated = std::make_unique<Isolated>(
            IsolatedOptions{TOOLHOST_BINARY, copies_.path(), quarantine_.path()});
    }

    Result<loading::Outcome> call(const std::string& tool, const std::string& input = "{}",
                                  const std::shared_ptr<AnsweringHost>& host = {},
                                  const loading::Stop& stop = {}, std::uint32_t depth = 0,
                                  const std::function<void()>& placed = {}) {
        runtime::PlacedInvocation invocation{tool, "id", input, "{}", "{}", 0, ++chain_, depth};
        invocation.isolation = runtime::Isolation::process;
        invocation.config = &terms_;
        invocation.version = "1.2.3";
        const std::string who = caller, whose = principal;
        invocation.caller = who;
        invocation.principal = whose;
        if (placed) placed();
        AnsweringHost quiet;
        return isolated->run(library(tool), invocation, host ? *host : quiet, stop);
    }

    registry::Library library(const std::string& tool) {
        std::lock_guard lock(mutex_);
        auto& known = libraries_[tool];
        if (!known.path.empty()) return known;
        folder_.take(tool);
        known.path = folder_ / (tool + ".so");
        known.sha256 = os::hash_file(os::open_for_reading(known.path).get());
        known.identity = *loading::library_identity(known.path, false);
        known.flags = kConcurrent.contains(tool) || all_share || all_concurrent ? TOOL_CONCURRENT
                                                                                : TOOL_SERIAL;
        known.stateful = tool == "remembers" && !all_share;
        return known;
    }

    [[nodiscard]] worker::WorkerLimits& settings() { return terms_.workers; }
    [[nodiscard]] sandbox::Confinement& confinement() { return terms_.confinement; }
    [[nodiscard]] worker::Quarantine quarantine() const {
        return worker::Quarantine(quarantine_.path());
    }

    std::unique_ptr<Isolated> isolated;
    std::string caller, principal;  // of the following calls
    bool all_share = false;         // libraries are neither stateful nor serial
    bool all_concurrent = false;    // they are not serial

private:
    TempFolder folder_, copies_, quarantine_;
    worker::WorkerConfig terms_;
    std::mutex mutex_;
    std::map<std::string, registry::Library> libraries_;
    std::atomic<loading::Chain> chain_{0};
};

inline bool become(const std::function<bool()>& there, std::chrono::milliseconds within) {
    const auto end = Clock::now() + within;
    while (!there()) {
        if (Clock::now() >= end) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return true;
}

inline std::string crash(const char* how) {
    return std::string("{\"how\":\"") + how + "\"}";
}

}  // namespace toolhost::runtime
