// Embeds toolhost in a program: opens a host, lists its tools, and calls them under the same
// policies, sandbox and events as the command line. Link toolhost::host; docs/embedding.md is the
// guide.
//
// All functions are thread-safe unless documented otherwise. Errors of tools, files and callers are
// values, never exceptions. Texts are UTF-8.
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
    std::string code;  // stable: one of docs/errors.md, or documented by the function
    std::string message;
    nlohmann::json details{};  // null if there are none
};

// A value or an error. A default-constructed HostResult<std::monostate> is success.
template <class T = std::monostate>
class HostResult {
public:
    HostResult() requires std::is_default_constructible_v<T> : value_(std::in_place_index<0>) {}
    HostResult(T value) : value_(std::in_place_index<0>, std::move(value)) {}
    HostResult(HostError error) : value_(std::in_place_index<1>, std::move(error)) {}

    [[nodiscard]] explicit operator bool() const { return value_.index() == 0; }
    // Valid on success only.
    [[nodiscard]] T& operator*() & { return std::get<0>(value_); }
    [[nodiscard]] const T& operator*() const& { return std::get<0>(value_); }
    // Returns by value, so that `for (auto& tool : *host.list())` does not refer to a temporary.
    [[nodiscard]] T operator*() && { return std::get<0>(std::move(value_)); }
    [[nodiscard]] T* operator->() { return &std::get<0>(value_); }
    [[nodiscard]] const T* operator->() const { return &std::get<0>(value_); }
    // Valid on failure only.
    [[nodiscard]] const HostError& error() const { return std::get<1>(value_); }

private:
    std::variant<T, HostError> value_;
};

struct HostOptions {
    // Plugin folders: `plugins` are added to the default ones, `only_plugins` replace them.
    std::vector<std::string> plugins{}, only_plugins{};
    std::string config{};   // config file; empty: the default one, if it exists
    std::string profile{};  // name or file; empty: TOOLHOST_PROFILE, the config file, or "default"
    // The toolhost binary, which runs plugins in worker processes; empty: the one that is installed
    // with this library.
    std::string program{};
    std::string events{};                  // file for events, one JSON line each; empty for none
    std::vector<std::string> own_files{};  // files of this program, which no tool may write
    std::chrono::milliseconds probe_timeout{5000};  // time for a plugin to describe itself
    bool use_cache = true;
    // Receives warnings for the user, from any thread; without it they are dropped.
    std::function<void(const std::string& text)> warn{};
};

struct CallRequest {
    std::string tool;  // any reference: "file_read", "native:file_read@^1"
    nlohmann::json input = nlohmann::json::object();
    std::string tool_use_id{};  // empty: generated
    std::string profile{};      // empty: the host's own
    // The caller's name, and an identity by which stateful tools separate callers; empty: one user.
    std::string principal{}, caller{};
    nlohmann::json state{};  // the caller's state, readable by the tool; may be null
    std::optional<std::chrono::milliseconds> timeout{};  // can shorten the limit, not lengthen it
    bool consented = false;  // the user consented to this call beforehand
};

enum class Consent { no, once, always };

// Observes and controls a call. Called on the caller's thread or on threads of the host, until
// call() returns. Without it, events and logs are dropped and questions are not answered.
struct CallObserver {
    std::function<void(const std::string& kind, const nlohmann::json& data)> event{};
    std::function<void(int level, const std::string& message)> log{};
    // `question` is {"id", "name", "tool", "reason", "kind", "askedBy"}. Return nothing for no
    // answer.
    std::function<std::optional<Answer>(const nlohmann::json& question)> ask{};
    // `question` is {"id", "tool", "input", "text"}. Return nothing for no answer.
    std::function<std::optional<Consent>(const nlohmann::json& question)> consent{};
    std::stop_token cancel{};  // asks the tool to stop, and ends it if it does not
};

class TOOLHOST_PUBLIC Host {
public:
    // Loads the configuration and scans the plugin folders. Fails if the config file or the profile
    // cannot be used.
    [[nodiscard]] static HostResult<Host> open(HostOptions options = {});
    Host(Host&&) noexcept;
    Host& operator=(Host&&) noexcept;
    ~Host();  // calls shutdown()

    // The specs of the tools that the profile allows, as an array.
    [[nodiscard]] HostResult<nlohmann::json> list(const std::string& profile = {}) const;
    // Runs a tool and waits for it. Always returns a result, which contains any error.
    [[nodiscard]] CallResult call(CallRequest request, CallObserver observer = {});

    // Adds a tool whose code is part of this program. It is listed, checked, logged and called like
    // others, runs in this process, and is kept by reload(). `spec` has the form of a plugin's
    // spec; its family defaults to "embedder". Errors: `already_exists` if there is a tool with
    // that name, `invalid_spec` with the `reason` in its details.
    [[nodiscard]] HostResult<> create_tool(const nlohmann::ordered_json& spec,
                                           ToolFunction function,
                                           Concurrency concurrency = Concurrency::serial);
    // Removes a created tool. Its running calls continue, and keep its function until they end.
    // Error: `unknown_tool` if no tool with that name was created.
    [[nodiscard]] HostResult<> delete_tool(const std::string& name);

    // Scans the folders and reads the config file and profiles again. Warns about anything unusable
    // and keeps the previous state of it. Returns whether the set of allowed tools changed.
    bool reload();
    // Scans the folders whenever something in them changes, from now on. `changed` is called on a
    // thread of the host when the tools have changed. Call it once, and not during shutdown().
    void watch(std::function<void()> changed);

    // Ends the watch and all worker processes, cancels running calls and waits for them. Later
    // calls fail. Must not be called from a function that this host calls.
    void shutdown();

    // The version of this library: "1.0.0".
    [[nodiscard]] static std::string version();

private:
    struct Parts;
    explicit Host(std::unique_ptr<Parts> parts);
    std::unique_ptr<Parts> parts_;
};

}  // namespace v1
}  // namespace toolhost
