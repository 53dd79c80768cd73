#include "host/call/view.hpp"

#include "host/base/json_text.hpp"
#include "host/call/denial.hpp"
#include "host/call/tool_confinement.hpp"
#include "host/sandbox/sandbox.hpp"

namespace toolhost::call {
namespace {

Result<schema::Schema> compile(const registry::ToolSpec& spec, const char* key,
                               const Json& document) {
    auto compiled = schema::Schema::compile(document);
    if (compiled) return *compiled;
    return Error{ErrorCode::plugin_unavailable,
                 "tool '" + spec.name + "': /" + key + compiled.error().pointer + ": " +
                     compiled.error().message,
                 {}};
}

}  // namespace

View::View(registry::Snapshot catalogue, RulesPtr rules, std::shared_ptr<ToolStates> tool_states)
    : catalogue_(std::move(catalogue)),
      rules_(std::move(rules)),
      allowlist_(catalogue_, rules_->user.widened, rules_->profile),
      redaction_(profile().redact()),
      tool_states_(std::move(tool_states)),
      slots_(std::make_unique<Slot[]>(catalogue_->all().size())) {}

bool View::is_shipped(const registry::Tool& tool) const {
    return !tool.library->embedded && rules_->user.is_shipped &&
           rules_->user.is_shipped(tool.library->path);
}

Result<ReadyTool> View::prepare(const registry::Tool& found) const {
    const auto& spec = found.spec;
    auto input = compile(spec, "inputSchema", spec.input_schema());
    if (!input) return input.error();
    ReadyTool tool{spec.label() + '@' + spec.version.text(), *input, {}, false, {}, "{}"};
    if (const Json* document = spec.output_schema()) {
        auto output = compile(spec, "outputSchema", *document);
        if (!output) return output.error();
        tool.output = *output;
    }
    tool.has_defaults = dump(spec.input_schema()).find("\"default\":") != std::string::npos;
    tool.limits = profile().limits(spec);
    if (found.library->embedded) {  // part of this process, which no sandbox can close
        tool.limits.isolation = runtime::Isolation::in_process;
        tool.limits.sandbox = sandbox::Enforcement::off;
    }
    auto policy = profile().own_policy(spec);
    if (!policy) return deny(Denial::policy_invalid, policy.error().message);
    // General settings that a tool must know, unless it has keys of these names.
    policy->emplace("workspace", workspace_of(profile()));
    policy->emplace("maxOutputChars", tool.limits.max_output_chars);
    tool.shipped = is_shipped(found);
    tool.granted = profile().granted(spec, tool.shipped, rules_->user.grants);
    // Not to tools that write nothing: it is parsed at every call.
    if (tool.granted.write || !tool.granted.write_paths.empty())
        policy->emplace("protectedPaths", protected_of(profile(), rules_->user.host_files));
    tool.policy = dump(*policy);
    tool.worker_config =
        make_worker_config(profile(), tool.limits, tool.granted, rules_->user.host_files);
    tool.slot = std::make_shared<worker::KnownSlot>();
    tool.refusal =
        refuse_own_folder(spec.name, tool.worker_config.confinement, rules_->user.host_files);
    tool.ran_fields =
        ran_fields(tool.limits.isolation, tool.limits.isolation == runtime::Isolation::process
                                              ? sandbox::sandbox_in_force(tool.limits.sandbox)
                                              : "off");
    tool.tool_state = tool_states_->of(ToolKey::of(spec));
    tool.identity = registry::tool_identity(found);
    return tool;
}

Result<const ReadyTool*> View::ready(const registry::Tool& tool) const {
    Slot& of = slot(tool);
    std::call_once(of.once, [&] {
        auto prepared = prepare(tool);
        if (prepared)
            of.tool.emplace(*std::move(prepared));
        else
            of.fault = prepared.error();
    });
    if (!of.tool) return of.fault;
    return &*of.tool;
}

const Subject& View::subject(const registry::Tool& tool) const {
    Slot& of = slot(tool);
    std::call_once(of.named, [&] {
        of.subject.emplace(tool.spec.label(), tool.spec.version.text(), profile().name());
    });
    return *of.subject;
}

Result<void> check_policies(const registry::Catalogue& catalogue, const policy::Profile& profile) {
    for (const auto& tool : catalogue.all())
        if (profile.speaks_of(tool.spec))
            if (auto policy = profile.own_policy(tool.spec); !policy) return policy.error();
    return {};
}

}  // namespace toolhost::call
