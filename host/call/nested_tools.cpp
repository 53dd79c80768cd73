#include "host/call/nested_tools.hpp"

#include <algorithm>

#include "host/call/denial.hpp"
#include "host/call/tool_confinement.hpp"

namespace toolhost::call {
namespace {

using registry::Tool;

// Whether a declared reference means this tool. It must resolve, so that a name which two families
// have declares neither; then it means every version of that tool that it allows.
bool declares(const View& view, const std::string& reference, const Tool& called) {
    const auto parsed = registry::Reference::parse(reference);
    if (!parsed) return false;
    const auto resolved = view.catalogue().resolve(*parsed);
    return resolved && (*resolved)->spec.family == called.spec.family &&
           (*resolved)->spec.name == called.spec.name &&
           (!parsed->versions || parsed->versions->contains(called.spec.version));
}

// How a grant names the called tool: by its bare name where that means this tool.
std::string name_in_grant(const View& view, const Tool& called) {
    const auto plain = view.catalogue().resolve(called.spec.name);
    return plain && (*plain)->spec.family == called.spec.family
               ? called.spec.name
               : "native:" + called.spec.family + '.' + called.spec.name;
}

std::string grant_command(const View& view, const Tool& caller, const Tool& called) {
    return policy::grant_advice(granted_as(caller.spec), "tools=" + name_in_grant(view, called));
}

}  // namespace

std::vector<DeclaredTool> declared_tools(const View& view, const Tool& caller) {
    const auto granted =
        view.profile().granted(caller.spec, view.is_shipped(caller), view.rules()->user.grants);
    std::vector<DeclaredTool> out;
    for (const auto& reference : caller.spec.needs.tools) {
        DeclaredTool entry{reference};
        if (const auto called = view.catalogue().resolve(reference)) {
            entry.tool = *called;
            entry.granted = granted.may_call((*called)->spec, view.is_shipped(**called));
            entry.grant = grant_command(view, caller, **called);
        }
        out.push_back(std::move(entry));
    }
    return out;
}

Result<void> check_caller(const View& view, const Tool& called, const ReadyTool& ready_called,
                          const Lineage& lineage) {
    if (lineage.callers.empty()) return {};
    const auto& [caller, ready] = lineage.callers.back();
    const auto& declared = caller->spec.needs.tools;
    const auto refusal = [&called, name = caller->spec.label()](const std::string& why) {
        return deny(Denial::grant_missing,
                    "tool '" + name + "' may not call '" + called.spec.name + "': " + why,
                    {{"caller", name}, {"tool", called.spec.name}});
    };
    if (std::none_of(declared.begin(), declared.end(), [&](const std::string& reference) {
            return declares(view, reference, called);
        }))
        return refusal(
            "its spec does not declare the call; "
            "add \"needs\": {\"tools\": [\"" +
            name_in_grant(view, called) + "\"]}");
    if (ready->granted.may_call(called.spec, ready_called.shipped)) return {};
    return refusal(view.profile().user_grants()
                       ? "the call is not granted; run '" + grant_command(view, *caller, called) +
                             "'"
                       : "profile '" + view.profile().name() + "' must grant it");
}

}  // namespace toolhost::call
