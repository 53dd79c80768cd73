// A catalogue made ready for calls: with its allowlist, and schemas compiled at their first use.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "host/policy/allowlist.hpp"
#include "host/schema/schema.hpp"

namespace toolhost::call {

struct CompiledTool {
    schema::Schema input;
    std::optional<schema::Schema> output;
    std::string policy;  // JSON: what the tool's policySchema gives by default
};

class View {
public:
    View(registry::Snapshot catalogue, const std::vector<std::string>& widened);

    [[nodiscard]] const registry::Catalogue& catalogue() const { return *catalogue_; }
    [[nodiscard]] const registry::Snapshot& snapshot() const { return catalogue_; }
    [[nodiscard]] const policy::Allowlist& allowlist() const { return allowlist_; }
    // Of a tool of this catalogue.
    [[nodiscard]] Result<const CompiledTool*> compiled(const registry::Tool& tool) const;

private:
    struct Slot {
        std::once_flag once;
        std::optional<CompiledTool> tool;
        Error fault;
    };
    registry::Snapshot catalogue_;
    policy::Allowlist allowlist_;
    std::unique_ptr<Slot[]> slots_;
};

}  // namespace toolhost::call
