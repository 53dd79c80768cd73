#include <algorithm>
#include <boost/filesystem/operations.hpp>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>

#include "host/call/nested_tools.hpp"
#include "host/call/terms.hpp"
#include "host/cli/doctor_schemas.hpp"
#include "host/cli/result_stream.hpp"
#include "host/cli/session.hpp"
#include "host/cli/terminal.hpp"
#include "host/discovery/reason.hpp"
#include "host/registry/json_text.hpp"
#include "host/registry/offers.hpp"
#include "host/registry/reference.hpp"
#include "host/runtime/kernel_features.hpp"
#include "host/runtime/sandbox.hpp"
#include "host/version.hpp"

namespace toolhost::cli {
namespace {

std::string_view advice_on(std::string_view reason) {
    for (const auto& known : discovery::kReasons)
        if (known.code == reason) return known.advice;
    return "";
}

// A candidate, as JSON: what became of it and why.
Json describe(const discovery::Finding& finding) {
    Json out{{"path", finding.candidate.path}, {"tools", Json::array()}};
    if (!finding.output.empty()) out["output"] = finding.output;
    if (finding.ok()) {
        out["status"] = "ok";
        return out;
    }
    out["status"] = "refused";
    out["reason"] = finding.reason;
    out["message"] = finding.message;
    out["advice"] = advice_on(finding.reason);
    return out;
}

void add_tools(const registry::Catalogue& catalogue, std::map<std::string, Json>& by_path) {
    for (const auto& tool : catalogue.tools()) {
        auto& entry = by_path[tool.library->path];
        entry["tools"].push_back(tool.spec.name);
        for (const auto& sentence : tool.all_missing()) entry["missing"].push_back(sentence);
        for (const auto& key : tool.spec.unknown_keys())
            entry["warnings"].push_back("tool '" + tool.spec.name + "': unknown key '" + key +
                                        "'; a key of your own starts with x-");
    }
    for (const auto& tool : catalogue.hidden())
        by_path[tool.library->path]["offers"] = registry::offers_of(catalogue, tool.library->path);
    for (const auto& hidden : catalogue.shadowed()) {
        auto& entry = by_path[hidden.tool.library->path];
        // A library that lost one of its tools still serves the others.
        if (entry["tools"].empty()) entry["status"] = "shadowed";
        entry["reason"] = hidden.reason;
        entry["message"] = "tool '" + hidden.tool.spec.name + "' " +
                           hidden.tool.spec.version.text() + " is already in " + hidden.by;
        entry["advice"] = "give it another name or version, or remove one of the two";
        entry["shadowed"].push_back(hidden.tool.spec.name);
    }
}

// A bare name that two families have is refused at every call, and nothing else would tell why.
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
                        "tool '" + name + "' is in the family " + other + ", too: '" + name +
                        "' alone is ambiguous, call native:" + family + '.' + name);
    }
}

// The tools that tools declare to call, and whether the profile in force lets them.
void add_declared_tools(const call::View& view, std::map<std::string, Json>& by_path) {
    for (const auto& tool : view.catalogue().all())
        for (const auto& entry : call::declared_tools(view, tool)) {
            Json call{{"tool", tool.spec.label()},
                      {"calls", entry.reference},
                      {"granted", entry.granted}};
            if (!entry.tool)
                call["problem"] = "no such tool here";
            else if (!entry.granted)
                call["advice"] = entry.grant;
            by_path[tool.library->path]["calls"].push_back(std::move(call));
        }
}

void add_quarantines(const Session& session, std::map<std::string, Json>& by_path) {
    const auto quarantine = session.quarantine();
    if (quarantine.all().empty()) return;
    for (const auto& finding : session.report().findings) {
        auto kept = quarantine.find_any(finding.candidate.path, finding.identity);
        if (!kept || !finding.ok()) continue;
        auto& entry = by_path[finding.candidate.path];
        const auto& tools = entry["tools"];
        entry["status"] = "quarantined";
        entry["reason"] = "quarantined";
        entry["message"] = std::to_string(kept->crashes) + " crashes, not run since " +
                           kept->since + ": " + kept->reason;
        entry["advice"] = "mend it, or let it run again: toolhost retry " +
                          (tools.empty() ? finding.candidate.path : tools[0].get<std::string>());
        entry["quarantine"] = {
            {"since", kept->since}, {"crashes", kept->crashes}, {"reason", kept->reason}};
    }
}

Json candidates(Session& session) {
    std::map<std::string, Json> by_path;
    for (const auto& finding : session.report().findings)
        by_path[finding.candidate.path] = describe(finding);
    add_tools(*session.catalogue(), by_path);
    warn_of_ambiguous_names(*session.catalogue(), by_path);
    add_declared_tools(*session.invoker().view(), by_path);
    add_quarantines(session, by_path);
    Json out = Json::array();
    for (const auto& finding : session.report().findings)
        out.push_back(by_path[finding.candidate.path]);
    return out;
}

Json folders(const Session& session) {
    Json out = Json::array();
    for (const auto& folder : session.report().folders)
        out.push_back({{"path", folder.folder},
                       {"exists", folder.exists},
                       {"candidates", folder.candidates},
                       {"problem", folder.problem}});
    return out;
}

bool is_within(const std::string& path, const std::string& folder) {
    boost::system::error_code fault;
    const auto real = boost::filesystem::weakly_canonical(path, fault).string();
    return !path.empty() && !fault && (real + '/').starts_with(folder + '/');
}

// What is likely not meant.
std::string workspace_note(const std::string& workspace, const Session& session) {
    boost::system::error_code fault;
    if (!boost::filesystem::is_directory(workspace, fault))
        return "is no folder: calls that read it are refused";
    const auto real = boost::filesystem::canonical(workspace, fault).string();
    const char* home = std::getenv("HOME");
    if (real == "/") return "is all of the machine: every tool may read it";
    if (home && real == boost::filesystem::weakly_canonical(home, fault).string())
        return "is your home: every tool may read it, keys and histories included";
    for (const auto& own : {session.governance().config.file, session.folders().cache})
        if (is_within(own, real))
            return "holds " + own +
                   ", which tools cannot write; name a folder without it in the profile";
    return "";
}

Json profile(Session& session) {
    const auto& config = session.governance().config.file;
    const auto view = session.invoker().view();
    const auto& in_force = view->profile();
    const auto& defaults = in_force.merged().at("defaults");
    const auto isolation = defaults.value("isolation", "");
    const auto sandbox = defaults.value("sandbox", "");
    const auto workspace = call::workspace_of(in_force);
    auto problem = session.profile_problem();
    if (problem.empty() && sandbox == "required") {
        const auto& missing = runtime::missing_sandbox_parts();
        if (isolation == "in_process")
            problem = "a plugin in the host's own process has no sandbox: calls are refused";
        else if (!missing.empty())
            problem = "this kernel has no " + missing.front() +
                      ": calls are refused; sandbox: best_effort goes without";
    }
    return {{"name", in_force.name()}, {"file", in_force.file()},
            {"isolation", isolation},  {"sandbox", sandbox},
            {"config", config},        {"problem", problem},
            {"workspace", workspace},  {"workspaceNote", workspace_note(workspace, session)}};
}

Json examine(Session& session, const Options& options) {
    return {{"toolhost", kVersion},
            {"candidates", candidates(session)},
            {"folders", folders(session)},
            {"cache",
             {{"folder", session.folders().cache},
              {"used", !options.no_cache && !session.folders().cache.empty()},
              {"complaints", session.report().complaints}}},
            {"kernel", runtime::kernel_features()},
            {"profile", profile(session)},
            {"allowlist", session.invoker().view()->allowlist().references()},
            {"complaints", session.invoker().view()->allowlist().complaints()}};
}

std::string listed(const Json& names) {
    std::string out;
    for (const auto& name : names) out += (out.empty() ? "" : ", ") + name.get<std::string>();
    return out;
}

void print_candidate(const Json& entry) {
    const auto status = entry.value("status", "");
    const Style style = status == "ok"                                   ? Style::green
                        : status == "refused" || status == "quarantined" ? Style::red
                                                                         : Style::yellow;
    std::cout << "  " << styled(style, padded(status, 11)) << "  "
              << printable(entry.value("path", "")) << '\n';
    auto line = [](const std::string& text) {
        std::cout << std::string(12, ' ') << wrapped(text, 12, width()) << '\n';
    };
    const auto tools = listed(entry["tools"]);
    if (!tools.empty()) line("tools: " + tools);
    if (entry.contains("offers"))
        for (const auto& [kind, offered] : entry["offers"].items())
            line(kind + ": " + listed(offered));
    if (entry.contains("reason"))
        line(entry.value("reason", "") + ": " + entry.value("message", ""));
    if (entry.contains("advice") && entry["advice"] != "") line("-> " + entry.value("advice", ""));
    if (entry.contains("missing"))
        for (const auto& sentence : entry["missing"])
            line("missing: " + sentence.get<std::string>());
    if (entry.contains("warnings"))
        for (const auto& sentence : entry["warnings"])
            line("warning: " + sentence.get<std::string>());
    if (entry.contains("calls"))
        for (const auto& call : entry["calls"])
            line(call.value("tool", "") + " may call " + call.value("calls", "") +
                 (call.value("granted", false) ? ""
                  : call.contains("advice")    ? ": not granted -> " + call.value("advice", "")
                                               : ": " + call.value("problem", "")));
    if (entry.contains("output")) line("it printed: " + one_line(entry.value("output", ""), 200));
}

void print_report(const Json& report) {
    std::cout << styled(Style::bold, "Candidates") << '\n';
    if (report["candidates"].empty()) std::cout << "  none\n";
    for (const auto& entry : report["candidates"]) print_candidate(entry);
    std::cout << '\n' << styled(Style::bold, "Folders") << '\n';
    for (const auto& folder : report["folders"])
        std::cout << "  " << printable(folder.value("path", "")) << "  "
                  << (!folder.value("exists", false) ? "does not exist"
                      : folder["problem"] != ""
                          ? folder.value("problem", "")
                          : std::to_string(folder.value("candidates", 0)) +
                                (folder.value("candidates", 0) == 1 ? " candidate" : " candidates"))
                  << '\n';
    const auto& cache = report["cache"];
    std::cout << '\n'
              << styled(Style::bold, "Cache") << "\n  "
              << (cache.value("used", false) ? printable(cache.value("folder", "")) : "not used")
              << '\n';
    for (const auto& complaint : cache["complaints"])
        std::cout << "  " << printable(complaint.get<std::string>()) << '\n';
    std::cout << '\n' << styled(Style::bold, "Kernel") << '\n';
    for (const auto& [name, value] : report["kernel"].items())
        std::cout << "  " << padded(name, 14)
                  << (value.is_string() ? value.get<std::string>() : dump(value)) << '\n';
    const auto& profile = report["profile"];
    std::cout << '\n'
              << styled(Style::bold, "Profile") << "\n  " << profile.value("name", "")
              << ": isolation " << profile.value("isolation", "") << ", sandbox "
              << profile.value("sandbox", "") << "; " << report["allowlist"].size()
              << " references allowed\n  workspace " << printable(profile.value("workspace", ""))
              << '\n';
    if (const auto note = profile.value("workspaceNote", ""); !note.empty())
        std::cout << "  " << styled(Style::yellow, "the workspace " + printable(note)) << '\n';
    if (const auto problem = profile.value("problem", ""); !problem.empty())
        std::cout << "  " << styled(Style::red, "problem: ") << printable(problem) << '\n';
    for (const auto& complaint : report["complaints"])
        std::cout << "  " << styled(Style::yellow, printable(complaint.get<std::string>())) << '\n';
    if (report.contains("schemas")) print_lint(report["schemas"]);
}

// Whether every library was taken, and every schema fits where that was asked for.
bool is_in_order(const Json& report) {
    const auto& all = report["candidates"];
    const bool refused = std::any_of(all.begin(), all.end(), [](const Json& entry) {
        return entry.value("status", "") == "refused";
    });
    return !refused && (!report.contains("schemas") || report["schemas"]["findings"].empty());
}

}  // namespace

Action setup_doctor(CLI::App& app, const Options& options) {
    auto provider = std::make_shared<std::string>();
    app.add_option("--provider", *provider,
                   "Also check the tools' schemas against what this provider of models takes")
        ->type_name("NAME")
        ->check(CLI::IsMember({"anthropic", "openai", "gemini"}));
    return [=, &options] {
        Session session(options, {.retry_refused = true, .forgive_profile = true, .events = {}});
        auto report = examine(session, options);
        if (!provider->empty()) report["schemas"] = lint_schemas(*session.catalogue(), *provider);
        if (options.json)
            print_json(report);
        else
            print_report(report);
        return is_in_order(report) ? Exit::ok : Exit::check_failed;
    };
}

}  // namespace toolhost::cli
