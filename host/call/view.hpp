// A catalogue and a profile made ready for calls: the allowlist they give, and what each tool needs
// to be called, prepared at its first use.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "host/call/events.hpp"
#include "host/call/redaction.hpp"
#include "host/call/tool_state.hpp"
#include "host/policy/allowlist.hpp"
#include "host/policy/profile.hpp"
#include "host/schema/schema.hpp"
#include "host/worker/known_slot.hpp"
#include "host/worker/worker_config.hpp"

namespace toolhost::call {

struct ReadyTool {
    std::string label;  // "name@version"
    schema::Schema input;
    std::optional<schema::Schema> output;
    bool has_defaults = false;  // the input schema fills something in
    policy::Limits limits;
    std::string policy;  // JSON: the tool's own, in this profile
    policy::Granted granted{};
    bool shipped = false;  // its library is one of those that ship
    worker::WorkerConfig worker_config{};
    std::shared_ptr<worker::KnownSlot> slot{};  // where its calls run; found at the first one
    std::string ran_fields{};                   // how its calls run, for events
    // Why no call can be let run, whatever its input: it could write toolhost's own files.
    std::optional<Error> refusal{};
    std::shared_ptr<ToolState> tool_state{};
    std::string identity{};  // registry::tool_identity
};

// A file or folder that is toolhost's own, which no tool may write.
struct HostFile {
    std::string path;     // absolute; of a folder with a '/' at the end
    std::string called;   // for people: "its plugins"
    bool create = false;  // a file that is created empty if missing, so that no tool creates it
};

// What the user says beside the profile.
struct UserChoices {
    std::vector<std::string> widened;   // TOOLHOST_ALLOW and the config file's `allow`
    std::vector<policy::Grant> grants;  // the config file's and those of `toolhost grant`
    // Whether a library is one of those that ship, which some grants are bound to; none: never.
    std::function<bool(const std::string& path)> is_shipped{};
    std::vector<HostFile> host_files{};
};

// What calls are judged by. A change makes new ones.
struct Rules {
    policy::ProfilePtr profile;
    UserChoices user{};
};
using RulesPtr = std::shared_ptr<const Rules>;

class View {
public:
    View(registry::Snapshot catalogue, RulesPtr rules, std::shared_ptr<ToolStates> tool_states);

    [[nodiscard]] const registry::Catalogue& catalogue() const { return *catalogue_; }
    [[nodiscard]] const registry::Snapshot& snapshot() const { return catalogue_; }
    [[nodiscard]] const policy::Profile& profile() const { return *rules_->profile; }
    [[nodiscard]] const RulesPtr& rules() const { return rules_; }
    [[nodiscard]] const policy::Allowlist& allowlist() const { return allowlist_; }
    [[nodiscard]] const Redaction& redaction() const { return redaction_; }

    [[nodiscard]] bool is_shipped(const registry::Tool& tool) const;
    // Of a tool of this catalogue.
    [[nodiscard]] Result<const ReadyTool*> ready(const registry::Tool& tool) const;
    // The same for events, also of a tool that cannot be made ready.
    [[nodiscard]] const Subject& subject(const registry::Tool& tool) const;

private:
    struct Slot {
        std::once_flag once, named;
        std::optional<ReadyTool> tool;
        Error fault;
        std::optional<Subject> subject;
    };
    [[nodiscard]] Slot& slot(const registry::Tool& tool) const {
        return slots_[static_cast<std::size_t>(&tool - catalogue_->all().data())];
    }
    [[nodiscard]] Result<ReadyTool> prepare(const registry::Tool& tool) const;

    const registry::Snapshot catalogue_;
    const RulesPtr rules_;
    const policy::Allowlist allowlist_;
    const Redaction redaction_;
    const std::shared_ptr<ToolStates> tool_states_;
    const std::unique_ptr<Slot[]> slots_;
};

// Whether the profile's policies fit the policySchemas of the tools they name.
[[nodiscard]] Result<void> check_policies(const registry::Catalogue& catalogue,
                                          const policy::Profile& profile);

}  // namespace toolhost::call
