// What a tool says of itself: the spec, parsed and checked.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/base/error.hpp"
#include "host/base/version.hpp"
#include "host/registry/field_order.hpp"
#include "host/registry/spec_document.hpp"

namespace toolhost::registry {

// What the sandbox must open for the tool; what is not asked for stays closed. What a spec does not
// mention is as here.
struct Needs {
    bool network = false, write = false, exec = false;
    bool read = true;                     // the workspace
    std::vector<std::string> tools;       // references of the tools that it calls
    std::vector<std::string> optional{};  // of those that are granted: what it can run without
};

// A need that is true or false in a spec.
struct NeedInfo {
    std::string_view name;
    bool Needs::*member;
    bool is_granted;  // requires a grant of the user or the profile
};
inline constexpr NeedInfo kNeeds[] = {
    {"network", &Needs::network, true},
    {"read", &Needs::read, false},
    {"write", &Needs::write, true},
    {"exec", &Needs::exec, true},
};

struct ToolSpec {
    std::string name;
    std::string family;
    std::string description;
    std::string category;  // empty: none given
    Version version;
    std::optional<std::string> deprecated;  // set: deprecated; its text says what to use instead
    bool requires_consent = false;
    bool stateful = false;  // its library keeps something of a caller between calls
    std::optional<std::int64_t> timeout_ms;
    std::map<std::string, std::string> requirements;  // "command:git" -> ">=2.30"
    Needs needs;
    FieldOrder field_order;  // of its schemas, as its author wrote them
    SpecDocument document;   // the whole: defaults filled, inputSchema bare, unknown keys kept

    // Keys of the document that no host's field is read from, as the author wrote them.
    [[nodiscard]] std::vector<std::string> unknown_keys() const;

    // A hidden tool that answers for what the library offers beside tools (offers.hpp).
    [[nodiscard]] bool hidden() const { return name.find('/') != name.npos; }
    // As events and counters have it: a reserved name alone does not say whose it is.
    [[nodiscard]] std::string label() const { return hidden() ? family + '.' + name : name; }

    [[nodiscard]] const Json& json() const { return document.value(); }
    [[nodiscard]] const Json& input_schema() const { return json().at("inputSchema"); }
    [[nodiscard]] const Json* output_schema() const { return find("outputSchema"); }
    [[nodiscard]] const Json* policy_schema() const { return find("policySchema"); }
    [[nodiscard]] const Json* find(const char* key) const {
        auto it = json().find(key);
        return it == json().end() ? nullptr : &*it;
    }
};

// Why a spec is not one. `reason` is a code of discovery's table.
struct SpecFault {
    std::string_view reason;
    std::string message;
};

// One tool, or {"family": ..., "tools": [...]}, and what is offered beside them, which hidden tools
// answer for. `library_name` is the family of a tool without one.
[[nodiscard]] boost::system::result<std::vector<ToolSpec>, SpecFault> parse_spec(
    std::string_view text, std::string_view library_name);

// The same from a value that was parsed before.
[[nodiscard]] boost::system::result<std::vector<ToolSpec>, SpecFault> read_spec(
    Json document, std::string_view library_name);

}  // namespace toolhost::registry
