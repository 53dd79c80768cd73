#include "host/created_tools.hpp"

#include <algorithm>

#include "host/discovery/probe.hpp"
#include "host/os/content_hash.hpp"

namespace toolhost::core {
namespace {

std::optional<CreateFault> find_clash(const registry::Draft& tools,
                                      const registry::ToolSpec& spec) {
    const auto name = registry::canonical_name(spec.name);
    const auto other = std::ranges::find_if(tools, [&](const registry::Tool& tool) {
        return !tool.spec.hidden() && registry::canonical_name(tool.spec.name) == name;
    });
    if (other == tools.end()) return std::nullopt;
    return CreateFault{"already_exists", "tool '" + other->spec.name +
                                             "' already exists in family " + other->spec.family};
}

}  // namespace

boost::system::result<registry::Tool, CreateFault> read_created_tool(
    std::string_view spec, std::shared_ptr<loading::LocalCode> code) {
    discovery::Finding finding;
    discovery::read_specs(finding, spec, kCreatedFamily, discovery::ProbeOptions().deadline);
    if (!finding.ok())
        return CreateFault{std::string(discovery::info(*finding.reason).code),
                           std::move(finding.message)};
    if (finding.tools.size() != 1 || finding.tools[0].hidden())
        return CreateFault{"spec_invalid", "the spec must describe exactly one tool"};
    os::ContentHash hash;
    hash.add("embedded tool\n");  // distinct from the identity of any file
    hash.add(spec);
    registry::Library library;
    library.identity = hash.hex();
    library.sha256 = library.identity;
    library.embedded = std::move(code);
    return registry::Tool{std::move(finding.tools[0]),
                          std::make_shared<const registry::Library>(std::move(library)),
                          {},
                          {}};
}

CreateResult CreatedTools::add(registry::Tool tool) {
    std::optional<CreateFault> clash;
    auto added = registry_.change([&](registry::Draft& draft) -> Result<void> {
        if ((clash = find_clash(draft, tool.spec))) return Error{};
        draft.insert(draft.begin(), tool);
        MutexLock lock(mutex_);
        tools_.push_back(std::move(tool));
        return {};
    });
    if (clash) return *std::move(clash);
    if (!added) return CreateFault{"internal", added.error().message};
    return {};
}

registry::Draft CreatedTools::remove(std::string_view name) {
    registry::Draft gone;
    const auto is_it = [name](const registry::Tool& tool) {
        return tool.library->embedded && tool.spec.name == name;
    };
    (void)registry_.change([&](registry::Draft& draft) -> Result<void> {
        std::erase_if(draft, is_it);
        MutexLock lock(mutex_);
        const auto kept = std::stable_partition(tools_.begin(), tools_.end(),
                                                [&](const auto& tool) { return !is_it(tool); });
        std::move(kept, tools_.end(), std::back_inserter(gone));
        tools_.erase(kept, tools_.end());
        return {};
    });
    return gone;
}

registry::Draft CreatedTools::begin_draft(const discovery::ScanOptions& scan) {
    registry::Draft draft;
    {
        MutexLock lock(mutex_);
        draft = tools_;
    }
    for (auto& tool : draft) tool.missing = discovery::missing_requirements(tool.spec, scan);
    MutexLock lock(mutex_);
    tools_ = draft;
    return draft;
}

}  // namespace toolhost::core
