#include "host/call/view.hpp"

#include "host/call/terms.hpp"
#include "host/registry/json_text.hpp"
#include "host/runtime/sandbox.hpp"

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

View::View(registry::Snapshot catalogue, policy::ProfilePtr profile, const UserChoices& user,
           std::shared_ptr<Records> records)
    : catalogue_(std::move(catalogue)),
      profile_(std::move(profile)),
      allowlist_(catalogue_, user.widened, profile_),
      redaction_(profile_->redact()),
      user_(user),
      records_(std::move(records)),
      slots_(std::make_unique<Slot[]>(catalogue_->all().size())) {}

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
    tool.knobs = profile_->knobs(spec);
    auto policy = profile_->own_policy(spec);
    if (!policy)
        return Error{
            ErrorCode::policy_denied, policy.error().message, {{"reason", "policy_invalid"}}};
    // What a tool must know of the host's own knobs, unless it has some of those names.
    policy->emplace("workspace", workspace_of(*profile_));
    policy->emplace("maxOutputChars", tool.knobs.max_output_chars);
    tool.policy = dump(*policy);
    const bool shipped = user_.is_shipped && user_.is_shipped(found.library->path);
    tool.granted = profile_->granted(spec, shipped, user_.grants);
    tool.terms = make_terms(*profile_, tool.knobs, tool.granted);
    tool.sandbox = tool.knobs.isolation == policy::Isolation::process
                       ? runtime::sandbox_in_force(tool.knobs.sandbox)
                       : "off";
    tool.record = records_->of(tool.label);
    return tool;
}

Result<const ReadyTool*> View::ready(const registry::Tool& tool) const {
    Slot& slot = slots_[static_cast<std::size_t>(&tool - catalogue_->all().data())];
    std::call_once(slot.once, [&] {
        auto prepared = prepare(tool);
        if (prepared)
            slot.tool.emplace(*std::move(prepared));
        else
            slot.fault = prepared.error();
    });
    if (!slot.tool) return slot.fault;
    return &*slot.tool;
}

Result<void> View::check_policies() const {
    for (const auto& tool : catalogue_->all())
        if (profile_->speaks_of(tool.spec))
            if (auto policy = profile_->own_policy(tool.spec); !policy) return policy.error();
    return {};
}

}  // namespace toolhost::call
