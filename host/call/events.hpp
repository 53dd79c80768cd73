// The lifecycle of every call as events: one JSON line each, the same shape always, and a human
// form in the log at level info.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "host/base/error.hpp"
#include "host/policy/limits.hpp"

namespace spdlog {
class logger;
}

namespace toolhost::call {

enum class Event { tool_before, policy_before, policy_deny, trusted_files, tool_after };
// Of every event, in the order of the enumeration.
[[nodiscard]] std::span<const std::string_view> event_names();

// What is called, and under which profile: the same for all calls of a tool.
struct Subject {
    std::string tool;     // the name, or the requested reference if there is no such tool
    std::string version;  // empty: no tool
    std::string profile;  // which may be another one meanwhile
    std::string fields;   // all of these as events have them

    Subject(std::string tool, std::string version, std::string profile);
};

// What all events of one call have in common. Its views are of the call, which must not move from
// what they see.
struct CallIdentity {
    std::string_view use_id;
    std::string_view parent_use_id;  // of a nested call
    std::string_view client{};       // of a server's client that said who it is
    const Subject* subject = nullptr;
};

// How the plugin of a call ran, as hook.tool.after has it: the same for all calls of a tool.
[[nodiscard]] std::string ran_fields(runtime::Isolation isolation, std::string_view sandbox);

class Events {
public:
    // Nothing is written, and the human form remains.
    Events() = default;
    explicit Events(std::shared_ptr<spdlog::logger> lines);

    // Whether hook.tool.before is written, so that its input is worth preparing.
    [[nodiscard]] bool wants_input() const { return lines_ != nullptr; }

    // `judged`: there is a tool, so that policy is asked next; its hook.policy.before goes along.
    void tool_before(const CallIdentity& call, std::string_view input_json, bool judged) const;
    void policy_deny(const CallIdentity& call, std::string_view reason, const Error& error) const;
    // Writes the first of them, and how many they are.
    void trusted_files_appeared(const CallIdentity& call,
                                const std::vector<std::string>& paths) const;
    // `error` null: the call succeeded. `ran_fields`: of ran_fields(); empty: no plugin ran.
    void tool_after(const CallIdentity& call, const Error* error, std::int64_t duration_us,
                    std::size_t output_bytes, std::string_view ran_fields) const;

private:
    std::shared_ptr<spdlog::logger> lines_;
};

}  // namespace toolhost::call
