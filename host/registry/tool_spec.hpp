// A tool's specification, parsed and checked.
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

// What the sandbox must open for the tool; everything else stays closed. Values here are the
// defaults.
struct Needs {
    bool network = false, write = false, exec = false;
    bool read = true;                // the workspace
    std::vector<std::string> tools;  // references of the tools that it calls
    std::vector<std::string>
        optional{};  // needs that require a grant, and that the tool can run without
};

// A boolean need.
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
    std::string category;  // optional
    Version version;
    std::optional<std::string> deprecated;  // set if deprecated: what to use instead
    bool requires_consent = false;
    bool stateful = false;  // its library keeps state of a caller between calls
    std::optional<std::int64_t> timeout_ms;
    std::map<std::string, std::string> requirements;  // "command:git" -> ">=2.30"
    Needs needs;
    FieldOrder field_order;  // of its schemas
    SpecDocument document;   // complete: defaults filled in, inputSchema bare, unknown keys kept

    // Keys of the document that the host does not read.
    [[nodiscard]] std::vector<std::string> unknown_keys() const;

    // A hidden tool, which serves offers of its library (offers.hpp).
    [[nodiscard]] bool hidden() const { return name.find('/') != name.npos; }
    // Name in events and counters. Reserved names exist in every family, so they include it.
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

// Why a spec is invalid. `reason` is a code of discovery's table.
struct SpecFault {
    std::string_view reason;
    std::string message;
};

// Parses one tool, or {"family": ..., "tools": [...]} with offers, for which it adds hidden tools.
// `library_name` is the default family.
[[nodiscard]] boost::system::result<std::vector<ToolSpec>, SpecFault> parse_spec(
    std::string_view text, std::string_view library_name);

// The same from a parsed value.
[[nodiscard]] boost::system::result<std::vector<ToolSpec>, SpecFault> read_spec(
    Json document, std::string_view library_name);

}  // namespace toolhost::registry
