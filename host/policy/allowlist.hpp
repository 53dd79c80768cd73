// Which tools may be called. Derived from the catalogue, never written by hand.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "host/policy/profile.hpp"
#include "host/registry/registry.hpp"

namespace toolhost::policy {

class Allowlist {
public:
    // `widened` are references that an operator named on purpose (TOOLHOST_ALLOW). They add to the
    // profile's tools.allow; a denial of the profile stands. No profile: every tool.
    Allowlist(registry::Snapshot catalogue, const std::vector<std::string>& widened,
              ProfilePtr profile = nullptr);

    // A tool that is in the catalogue, and that the profile allows or the operator named.
    [[nodiscard]] bool allows(const registry::Tool& tool) const;
    // The rule that forbids it, part of a sentence; empty: no rule does.
    [[nodiscard]] std::string rule(const registry::Tool& tool) const;
    // Named on purpose: then also a deprecated one may be called.
    [[nodiscard]] bool widened(const registry::Tool& tool) const;

    // Every reference form of every tool that may be called, sorted.
    [[nodiscard]] std::vector<std::string> references() const;
    // What was named on purpose and means no tool here, each a sentence.
    [[nodiscard]] const std::vector<std::string>& complaints() const { return complaints_; }

private:
    [[nodiscard]] bool has(const registry::Tool& tool) const;
    [[nodiscard]] std::size_t index(const registry::Tool& tool) const;
    [[nodiscard]] std::string rule_of_offers(const registry::Tool& hidden,
                                             const Profile* profile) const;

    registry::Snapshot catalogue_;
    std::vector<const registry::Tool*> widened_;
    std::vector<std::string> complaints_;
    std::vector<std::string> rules_;  // by index of the tool; empty: allowed
};

// "a,native:b" as TOOLHOST_ALLOW has it; blanks around names do not matter.
[[nodiscard]] std::vector<std::string> parse_allow(std::string_view text);

}  // namespace toolhost::policy
