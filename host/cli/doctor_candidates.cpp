#include "host/cli/doctor_candidates.hpp"

#include <map>

#include "host/call/nested_tools.hpp"
#include "host/cli/doctor_open.hpp"
#include "host/discovery/reason.hpp"
#include "host/registry/offers.hpp"
#include "host/registry/reference.hpp"

namespace toolhost::cli {
namespace {

// The result of a candidate as JSON.
Json describe(const discovery::Finding& finding) {
    Json out{{"path", finding.candidate.path}, {"tools", Json::array()}};
    if (!finding.output.empty()) out["output"] = finding.output;
    if (finding.ok()) {
        out["status"] = "ok";
        return out;
    }
    out["status"] = "refused";
    const auto& reason = discovery::info(*finding.reason);
    out["reason"] = reason.code;
    out["message"] = finding.message;
    out["advice"] = reason.advice;
    return out;
}

void add_tools(const registry::Catalogue& catalogue, std::map<std::string, Json>& by_path) {
    for (const auto& tool : catalogue.tools()) {
        auto& entry = by_path[tool.library->path];
        entry["tools"].push_back(tool.spec.name);
        for (const auto& sentence : tool.all_missing()) entry["missing"].push_back(sentence);
        for (const auto& key : tool.spec.unknown_keys())
            entry["warnings"].push_back("tool '" + tool.spec.name + "': unknown key '" + key +
                                        "'; prefix your own keys with x-");
    }
    for (const auto& tool : catalogue.hidden())
        by_path[tool.library->path]["offers"] = registry::offers_of(catalogue, tool.library->path);
    for (const auto& hidden : catalogue.shadowed()) {
        auto& entry = by_path[hidden.tool.library->path];
        // A library that lost only some of its tools still serves the others.
        if (entry["tools"].empty()) entry["status"] = "shadowed";
        entry["reason"] = hidden.reason;
        entry["message"] = "tool '" + hidden.tool.spec.name + "' " +
                           hidden.tool.spec.version.text() + " is already provided by " + hidden.by;
        entry["advice"] = "change its name or version, or remove one of the two libraries";
        entry["shadowed"].push_back(hidden.tool.spec.name);
    }
}

// A bare name of tools in two families is refused by every call; only doctor warns about it.
void warn_of_ambiguous_names(const registry::Catalogue& catalogue,
                             std::map<std::string, Json>& by_path) {
    std::map<std::string, std::map<std::string, std::string>> families;  // name -> family -> path
    for (const auto& tool : catalogue.tools())
        families[registry::canonical_name(tool.spec.name)][tool.spec.family] = tool.library->path;
    for (const auto& [name, places] : families) {
        if (places.size() < 2) continue;
        for (const auto& [family, path] : places)
            for (const auto& [other, ignored] : places)
                if (other != family)
                    by_path[path]["warnings"].push_back(
                        "tool '" + name + "' is also in the family " + other + ": '" + name +
                        "' alone is ambiguous; call native:" + family + '.' + name);
    }
}

// Declared tools of tools, and whether the active profile lets them be called.
void add_declared_tools(const call::View& view, std::map<std::string, Json>& by_path) {
    for (const auto& tool : view.catalogue().all())
        for (const auto& entry : call::declared_tools(view, tool)) {
            Json call{{"tool", tool.spec.label()},
                      {"calls", entry.reference},
                      {"granted", entry.granted}};
            if (!entry.tool)
                call["problem"] = "tool not found";
            else if (!entry.granted)
                call["advice"] = entry.grant;
            by_path[tool.library->path]["calls"].push_back(std::move(call));
        }
}

void add_quarantines(const core::Host& host, const std::vector<discovery::Finding>& findings,
                     std::map<std::string, Json>& by_path) {
    const auto quarantine = host.quarantine();
    if (quarantine.all().empty()) return;
    for (const auto& finding : findings) {
        auto kept = quarantine.find_any(finding.candidate.path, finding.identity);
        if (!kept || !finding.ok()) continue;
        auto& entry = by_path[finding.candidate.path];
        const auto& tools = entry["tools"];
        entry["status"] = "quarantined";
        entry["reason"] = "quarantined";
        entry["message"] = std::to_string(kept->crashes) + " crashes, not run since " +
                           kept->since + ": " + kept->reason;
        entry["advice"] = "fix it, or lift the quarantine: toolhost retry " +
                          (tools.empty() ? finding.candidate.path : tools[0].get<std::string>());
        entry["quarantine"] = {
            {"since", kept->since}, {"crashes", kept->crashes}, {"reason", kept->reason}};
    }
}

}  // namespace

Json examine_candidates(core::Host& host) {
    const auto findings = host.report().findings;
    std::map<std::string, Json> by_path;
    for (const auto& finding : findings) by_path[finding.candidate.path] = describe(finding);
    add_tools(*host.catalogue(), by_path);
    warn_of_ambiguous_names(*host.catalogue(), by_path);
    add_declared_tools(*host.invoker().view(), by_path);
    add_quarantines(host, findings, by_path);
    open_libraries(host, by_path);
    Json out = Json::array();
    for (const auto& finding : findings) out.push_back(by_path[finding.candidate.path]);
    return out;
}

}  // namespace toolhost::cli
