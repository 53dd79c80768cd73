// A host with plugins in workers, for tests of runtime::Isolated.
#pragma once

#include <atomic>
#include <condition_variable>
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

// A call that is posted: keeps its texts, and what became of it.
struct RecordingCall final : PluginCall {
    explicit RecordingCall(std::string of, std::string with = "{}", std::string whose = "")
        : tool(std::move(of)), input(std::move(with)), principal(std::move(whose)) {}

    void emit(std::string_view, std::string_view) override { count(begun_); }
    bool cancelled() const override { return false; }
    void log(int, std::string_view message) override {
        const std::lock_guard lock(mutex_);
        logged_ += message;
    }
    std::pair<tool_status, std::string> call_tool(std::string_view, std::string_view) override {
        return {TOOL_FAILED, "{}"};
    }
    std::pair<tool_status, std::string> interrupt(std::string_view name,
                                                  std::string_view) override {
        return {TOOL_OK, '"' + std::string(name) + '"'};
    }
    std::pair<tool_status, std::string> ask_client(std::string_view, std::string_view) override {
        return {TOOL_UNSUPPORTED, ""};
    }
    os::Deadline deadline() const override { return until; }
    void ended(const Result<loading::Outcome>& outcome) override {
        {
            const std::lock_guard lock(mutex_);
            outcome_ = outcome;
            ended_on_ = std::this_thread::get_id();
            if (on_end) on_end();
        }
        count(ended_);
    }

    // What its tool has said: that it has begun.
    [[nodiscard]] bool await_begun() { return await(begun_); }
    [[nodiscard]] bool await_end() { return await(ended_); }
    [[nodiscard]] int times_ended() const {
        const std::lock_guard lock(mutex_);
        return ended_;
    }
    // Once it has ended.
    [[nodiscard]] const Result<loading::Outcome>& outcome() const { return *outcome_; }
    [[nodiscard]] bool is_well() const { return *outcome_ && (*outcome_)->status == TOOL_OK; }
    [[nodiscard]] std::optional<ErrorCode> error() const {
        return *outcome_ ? std::nullopt : std::optional(outcome_->error().code);
    }
    [[nodiscard]] std::thread::id ended_on() const { return ended_on_; }
    [[nodiscard]] const std::string& logged() const { return logged_; }

    const std::string tool, input, principal;
    os::Deadline until;
    std::stop_source cancel, abandon;
    std::function<void()> on_end;

private:
    void count(int& what) {
        const std::lock_guard lock(mutex_);
        ++what;
        changed_.notify_all();
    }
    [[nodiscard]] bool await(const int& what) {
        std::unique_lock lock(mutex_);
        return changed_.wait_for(lock, std::chrono::seconds(30), [&] { return what > 0; });
    }

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    int begun_ = 0, ended_ = 0;
    std::optional<Result<loading::Outcome>> outcome_;
    std::thread::id ended_on_;
    std::string logged_;
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
    ~Workers() { isolated.reset(); }  // before what its calls use
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;
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

    // False: it was not taken. Calls are taken where the library has a worker.
    [[nodiscard]] bool post(const std::shared_ptr<RecordingCall>& call) {
        return isolated->try_post(library(call->tool), placed(*call), call,
                                  {call->cancel.get_token(), call->abandon.get_token()});
    }
    // Runs it on this thread.
    void invoke(const std::shared_ptr<RecordingCall>& call) {
        isolated->invoke(library(call->tool), placed(*call), call,
                         {call->cancel.get_token(), call->abandon.get_token()});
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
    [[nodiscard]] PlacedInvocation placed(const RecordingCall& call) {
        PlacedInvocation invocation{call.tool, "id", call.input, "{}", "{}", 0, ++chain_};
        invocation.isolation = runtime::Isolation::process;
        invocation.config = &terms_;
        invocation.version = "1.2.3";
        invocation.caller = invocation.principal = call.principal;
        invocation.may_call_tools = false;
        const std::lock_guard lock(mutex_);
        invocation.slot = &slots_[call.tool];
        return invocation;
    }

    TempFolder folder_, copies_, quarantine_;
    worker::WorkerConfig terms_;
    std::mutex mutex_;
    std::map<std::string, registry::Library> libraries_;
    std::map<std::string, worker::KnownSlot> slots_;
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
