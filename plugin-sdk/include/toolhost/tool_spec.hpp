// The optional keys of a tool's spec, one function each: tool<f>(...).version("1.2.0").needs(...).
#ifndef TOOLHOST_TOOL_SPEC_HPP
#define TOOLHOST_TOOL_SPEC_HPP

#include <chrono>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "toolhost/schema.hpp"

namespace toolhost {

// What the sandbox must open for a tool: needs({.network = true}). Other values are the defaults
// here; a tool that reads no files sets needs({.read = false}). A call is refused if a need is not
// granted, unless `optional` lists it: needs({.write = true, .optional = {"write"}}). `tools` are
// called through the host: needs({.tools = {"http_request"}}).
struct Needs {
    bool network = false;
    bool read = true;  // the workspace
    bool write = false;
    bool exec = false;
    std::vector<std::string> optional = {};
    std::vector<std::string> tools = {};
};

// MCP's hints to clients on a tool's behaviour: hints({.read_only = true}).
struct Hints {
    bool read_only = false;    // does not change anything
    bool destructive = false;  // changes may destroy data
    bool idempotent = false;   // a repeated call has no further effect
    bool open_world = false;   // interacts with systems beyond this machine
};

template <class Derived>
class ToolSpec {
public:
    explicit ToolSpec(nlohmann::json spec) : spec_(std::move(spec)) {
        const auto name = spec_.find("name");
        if (name != spec_.end() && name->is_string()) name_ = name->template get<std::string>();
    }

    [[nodiscard]] const nlohmann::json& spec() const noexcept { return spec_; }
    [[nodiscard]] const std::string& name() const noexcept { return name_; }

    Derived& version(std::string semver) { return set("version", std::move(semver)); }
    Derived& category(std::string category) { return set("category", std::move(category)); }
    Derived& family(std::string family) { return set("family", std::move(family)); }
    // For display to users; also set where older clients look for it.
    Derived& title(const std::string& title) {
        return set("title", title).annotation("title", title);
    }

    Derived& deprecated() { return set("deprecated", true); }
    Derived& deprecated(std::string use_instead) {
        return set("deprecated", std::move(use_instead));
    }
    Derived& requires_consent(bool consent = true) { return set("requiresConsent", consent); }
    // The library keeps state between calls, in variables or temporary files: each caller gets a
    // process of its own.
    Derived& stateful(bool keeps = true) { return set("stateful", keeps); }
    Derived& timeout_ms(std::int64_t milliseconds) { return set("timeoutMs", milliseconds); }
    Derived& timeout(std::chrono::milliseconds time) { return timeout_ms(time.count()); }

    // Adds one requirement: require("command:git", ">=2.30"). ("requires" is a C++ keyword.)
    Derived& require(const std::string& what, std::string range = "*") {
        spec_["requires"][what] = std::move(range);
        return self();
    }

    Derived& needs(const Needs& needs) {
        nlohmann::json all{{"network", needs.network},
                           {"read", needs.read},
                           {"write", needs.write},
                           {"exec", needs.exec}};
        if (!needs.optional.empty()) all["optional"] = needs.optional;
        if (!needs.tools.empty()) all["tools"] = needs.tools;
        return set("needs", std::move(all));
    }

    // The tool's policy, as a struct that Context::policy<T>() reads back.
    template <class T>
    Derived& policy() {
        return set("policySchema", schema_of<T>(Use::policy));
    }
    Derived& policy_schema(nlohmann::json schema) { return set("policySchema", std::move(schema)); }

    // Replaces the derived schema.
    Derived& input_schema(nlohmann::json schema) { return set("inputSchema", std::move(schema)); }
    Derived& output_schema(nlohmann::json schema) { return set("outputSchema", std::move(schema)); }
    // The json block's type, for a tool that returns a Reply.
    template <class T>
    Derived& output() {
        return output_schema(schema_of<T>(Use::output));
    }

    Derived& hints(Hints hints) {
        return annotation("readOnlyHint", hints.read_only)
            .annotation("destructiveHint", hints.destructive)
            .annotation("idempotentHint", hints.idempotent)
            .annotation("openWorldHint", hints.open_world);
    }
    // A key of MCP's annotations: annotation("readOnlyHint", true).
    Derived& annotation(const std::string& key, nlohmann::json value) {
        spec_["annotations"][key] = std::move(value);
        return self();
    }
    Derived& annotations(const nlohmann::json& some) {
        spec_["annotations"].update(some);
        return self();
    }

    // A valid input, and what it demonstrates.
    Derived& example(nlohmann::json input, std::string description = {}) {
        nlohmann::json one = nlohmann::json::object();
        one["input"] = std::move(input);
        if (!description.empty()) one["description"] = std::move(description);
        spec_["examples"].push_back(std::move(one));
        return self();
    }

    // Any other key; the host keeps and displays unknown keys.
    Derived& set(const std::string& key, nlohmann::json value) {
        spec_[key] = std::move(value);
        return self();
    }

private:
    Derived& self() { return static_cast<Derived&>(*this); }

    nlohmann::json spec_;
    std::string name_;  // looked for at every call
};

}  // namespace toolhost

#endif  // TOOLHOST_TOOL_SPEC_HPP
