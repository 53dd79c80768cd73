#include "host/cli/doctor_report.hpp"

#include <iostream>

#include "host/base/json_text.hpp"
#include "host/cli/doctor_schemas.hpp"
#include "host/cli/terminal.hpp"

namespace toolhost::cli {
namespace {

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
            line(call.value("tool", "") + " calls " + call.value("calls", "") +
                 (call.value("granted", false) ? ""
                  : call.contains("advice")    ? ": not granted -> " + call.value("advice", "")
                                               : ": " + call.value("problem", "")));
    if (entry.contains("output")) line("output: " + one_line(entry.value("output", ""), 200));
}

}  // namespace

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
    for (const auto& warning : cache["complaints"])
        std::cout << "  " << printable(warning.get<std::string>()) << '\n';
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
    if (const auto& trusted = profile["trustedFiles"]; !trusted.value("complete", true))
        std::cout << "  "
                  << styled(Style::yellow,
                            "cannot find all files that other programs trust in the workspace: it "
                            "is too large or partly unreadable (" +
                                std::to_string(trusted.value("folders", 0)) +
                                " folders searched); files that were not found are not protected")
                  << '\n';
    if (const auto problem = profile.value("problem", ""); !problem.empty())
        std::cout << "  " << styled(Style::red, "problem: ") << printable(problem) << '\n';
    for (const auto& warning : report["complaints"])
        std::cout << "  " << styled(Style::yellow, printable(warning.get<std::string>())) << '\n';
    if (report.contains("schemas")) print_lint(report["schemas"]);
}

}  // namespace toolhost::cli
