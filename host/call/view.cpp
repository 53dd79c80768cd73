#include "host/call/view.hpp"

#include "host/registry/json_text.hpp"

namespace toolhost::call {
namespace {

Result<CompiledTool> compile(const registry::ToolSpec& spec) {
    auto fault = [&](const char* key, const schema::CompileError& error) {
        return Error{ErrorCode::plugin_unavailable,
                     "tool '" + spec.name + "': /" + key + error.pointer + ": " + error.message,
                     {}};
    };
    auto input = schema::Schema::compile(spec.input_schema());
    if (!input) return fault("inputSchema", input.error());
    CompiledTool tool{*input, std::nullopt, "{}"};
    if (const Json* document = spec.output_schema()) {
        auto output = schema::Schema::compile(*document);
        if (!output) return fault("outputSchema", output.error());
        tool.output = *output;
    }
    if (const Json* document = spec.policy_schema()) {
        Json policy = Json::object();
        schema::fill_defaults(*document, policy);
        tool.policy = dump(policy);
    }
    return tool;
}

}  // namespace

View::View(registry::Snapshot catalogue, const std::vector<std::string>& widened)
    : catalogue_(std::move(catalogue)),
      allowlist_(catalogue_, widened),
      slots_(std::make_unique<Slot[]>(catalogue_->tools().size())) {}

Result<const CompiledTool*> View::compiled(const registry::Tool& tool) const {
    Slot& slot = slots_[static_cast<std::size_t>(&tool - catalogue_->tools().data())];
    std::call_once(slot.once, [&] {
        auto compiled = compile(tool.spec);
        if (compiled)
            slot.tool.emplace(*std::move(compiled));
        else
            slot.fault = compiled.error();
    });
    if (!slot.tool) return slot.fault;
    return &*slot.tool;
}

}  // namespace toolhost::call
