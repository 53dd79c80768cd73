// Embeds toolhost in a program: opens a host, lists its tools, and calls them under the same
// policies, sandbox and events as the command line. Link toolhost::host; docs/embedding.md is the
// guide.
//
// Every function may be called from any thread, unless it says otherwise. Nothing here throws for
// what a tool, a file or a caller does: errors are values. Texts are UTF-8.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "toolhost/created_tool.hpp"

#ifndef TOOLHOST_PUBLIC
#if defined(TOOLHOST_BUILDS_LIBRARY)
#define TOOLHOST_PUBLIC __attribute__((visibility("default")))
#else
#define TOOLHOST_PUBLIC
#endif
#endif

namespace toolhost {
inline namespace v1 {

struct HostError {
    std::string code;  // stable: one of docs/errors.md, or named by the function
    std::string message;
    nlohmann::json details{};  // null: none
};

// A value, or the error. A default-constructed HostResult<std::monostate> is success.
template <class T = std::monostate>
class HostResult {
public:
    HostResult() requires std::is_default_constructible_v<T> : value_(std::in_place_index<0>) {}
    HostResult(T value) : value_(std::in_place_index<0>, std::move(value)) {}
    HostResult(HostError error) : value_(std::in_place_index<1>, std::move(error)) {}

    [[nodiscard]] explicit operator bool() const { return value_.index() == 0; }
    // Only of success.
    [[nodiscard]] T& operator*() & { return std::get<0>(value_); }
    [[nodiscard]] const T& operator*() const& { return std::get<0>(value_); }
    // By value, so that `for (auto& tool : *host.list())` does not refer to a temporary.
    [[nodiscard]] T operator*() && { return std::get<0>(std::move(value_)); }
    [[nodiscard]] T* operator->() { return &std::get<0>(value_); }
    [[nodiscard]] const T* operator->() const { return &std::get<0>(value_); }
    // Only of failure.
    [[nodiscard]] const HostError& error() const { return std::get<1>(value_); }

private:
    std::variant<T, HostError> value_;
};

struct HostOptions {
    // Plugin folders: `plugins` are added to the usual ones, `only_plugins` replace those.
    std::vector<std::string> plugins{}, only_plugins{};
    std::string config{};   // config file; empty: the usual one, if it exists
    std::string profile{};  // name or file; empty: TOOLHOST_PROFILE, the config file, or "default"
    // The toolhost binary, which runs plugins in worker processes; empty: the one that is installed
    // with this library.
    std::string program{};
    std::string events{};                  // file for events, one JSON line each; empty: none
    std::vector<std::string> own_files{};  // files of this program, which no tool may write
    std::chrono::milliseconds probe_timeout{5000};  // how long a plugin may take to describe itself
    bool use_cache = true;
    // What the user should know and no call waits for. From any thread; null: dropped.
    std::function<void(const std::string& text)> warn{};
};

struct CallRequest {
    std::string tool;  // any reference: "file_read", "native:file_read@^1"
    nlohmann::json input = nlohmann::json::object();
    std::string tool_use_id{};  // empty: one is made
    std::string profile{};      // empty: the host's own
    // Who calls, by name, and an identity that tools with memory keep apart; empty: one user.
    std::string principal{}, caller{};
    nlohmann::json state{};  // the caller's own, which the tool can read; null: none
    std::optional<std::chrono::milliseconds> timeout{};  // shortens the limit, never lengthens it
    bool consented = false;  // the user consented to this call beforehand
};

enum class Consent { no, once, always };

// Follows and steers a call. Called on the caller's thread or on threads of the host, until call()
// returns; null: events and logs are dropped, and questions stay unanswered.
struct CallObserver {
    std::function<void(const std::string& kind, const nlohmann::json& data)> event{};
    std::function<void(int level, const std::string& message)> log{};
    // `question` is {"id", "name", "tool", "reason", "kind", "askedBy"}; nothing: no answer.
    std::function<std::optional<Answer>(const nlohmann::json& question)> ask{};
    // `question` is {"id", "tool", "input", "text"}; nothing: no answer.
    std::function<std::optional<Consent>(const nlohmann::json& question)> consent{};
    std::stop_token cancel{};  // the tool is asked to stop, and ended if it does not
};

class TOOLHOST_PUBLIC Host {
public:
    // Loads the configuration and scans the plugin folders. Fails if the config file or the profile
    // cannot be used.
    [[nodiscard]] static HostResult<Host> open(HostOptions options = {});
    Host(Host&&) noexcept;
    Host& operator=(Host&&) noexcept;
    ~Host();  // shutdown()

    // The specs of the tools that the profile allows, as an array.
    [[nodiscard]] HostResult<nlohmann::json> list(const std::string& profile = {}) const;
    // Runs a tool and waits for it. Always a result: what fails is its error.
    [[nodiscard]] CallResult call(CallRequest request, CallObserver observer = {});

    // Adds a tool whose code is part of this program. It is listed, checked, logged and called as
    // others are, runs in this process, and stays through reload(). `spec` is a tool's spec as a
    // plugin has it; its family defaults to "embedder". Errors: `already_exists` if there is a tool
    // of that name, `invalid_spec` with the `reason` in its details.
    [[nodiscard]] HostResult<> create_tool(const nlohmann::ordered_json& spec,
                                           ToolFunction function,
                                           Concurrency concurrency = Concurrency::serial);
    // Removes a created tool. Its calls that run go on, and keep its function until they end.
    // Error: `unknown_tool` if no tool of that name was created.
    [[nodiscard]] HostResult<> delete_tool(const std::string& name);

    // Scans the folders and reads the config file and profiles again. What cannot be used is warned
    // of and stays as it was. True: other tools may be called now.
    bool reload();
    // Scans the folders whenever something in them changes, from now on. `changed` is called on a
    // thread of the host when there are other tools. Once, and not beside shutdown().
    void watch(std::function<void()> changed);

    // Ends the watch and all worker processes, cancels the calls that run and waits for them. Calls
    // that come later fail. Not from a function that this host calls.
    void shutdown();

    // Of this library: "1.0.0".
    [[nodiscard]] static std::string version();

private:
    struct Parts;
    explicit Host(std::unique_ptr<Parts> parts);
    std::unique_ptr<Parts> parts_;
};

}  // namespace v1
}  // namespace toolhost
