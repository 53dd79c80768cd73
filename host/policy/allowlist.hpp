// The tools that may be called. Derived from the catalogue, never written by hand.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "host/policy/profile.hpp"
#include "host/registry/registry.hpp"

namespace toolhost::policy {

class Allowlist {
public:
    // `widened` are references from TOOLHOST_ALLOW. They add to the profile's tools.allow; its
    // tools.deny still applies. Without a profile every tool is allowed.
    Allowlist(registry::Snapshot catalogue, const std::vector<std::string>& widened,
              ProfilePtr profile = nullptr);

    // Whether the tool is in the catalogue and allowed by the profile or by `widened`.
    [[nodiscard]] bool allows(const registry::Tool& tool) const;
    // The rule that forbids it, as a sentence part; empty if it is allowed.
    [[nodiscard]] std::string rule(const registry::Tool& tool) const;
    // Whether `widened` names it, in which case it may be called even if deprecated.
    [[nodiscard]] bool widened(const registry::Tool& tool) const;

    // All reference forms of all allowed tools, sorted.
    [[nodiscard]] std::vector<std::string> references() const;
    // One sentence per reference of `widened` that matches no tool.
    [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }

private:
    [[nodiscard]] bool has(const registry::Tool& tool) const;
    [[nodiscard]] std::size_t index(const registry::Tool& tool) const;
    [[nodiscard]] std::string rule_of_offers(const registry::Tool& hidden,
                                             const Profile* profile) const;

    registry::Snapshot catalogue_;
    std::vector<const registry::Tool*> widened_;
    std::vector<std::string> warnings_;
    std::vector<std::string> rules_;  // by index of the tool; empty: allowed
};

// "a,native:b" as in TOOLHOST_ALLOW; spaces around names are ignored.
[[nodiscard]] std::vector<std::string> parse_allow(std::string_view text);

}  // namespace toolhost::policy
