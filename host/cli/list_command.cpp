#include "host/cli/list_command.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <sstream>

#include "host/base/json_text.hpp"
#include "host/cli/result_stream.hpp"
#include "host/cli/terminal.hpp"
#include "host/registry/offers.hpp"

namespace toolhost::cli {
namespace {

using registry::Tool;

struct Row {
    const Tool* tool;
    std::string note;  // why it cannot be called, or empty
    std::optional<worker::Quarantined> quarantine;
};

// Libraries that crashed too often; reads details only if there are any.
class QuarantinedLibraries {
public:
    explicit QuarantinedLibraries(const core::Host& host)
        : store_(host.quarantine()), any_(!store_.all().empty()) {}
    // Under any confinement.
    [[nodiscard]] bool has(const std::string& path, const std::string& identity) const {
        return any_ && store_.find_any(path, identity);
    }
    // For a call of the tool now.
    [[nodiscard]] std::optional<worker::Quarantined> find(const call::View& view,
                                                          const Tool& tool) const {
        if (!has(tool.library->path, tool.library->identity)) return std::nullopt;
        const auto ready = view.ready(tool);
        if (!ready) return std::nullopt;
        return store_
            .find({tool.library->path, tool.library->identity, (*ready)->worker_config.key})
            .quarantined;
    }

private:
    worker::Quarantine store_;
    bool any_;
};

std::string retry_advice(const Tool& tool) {
    return "toolhost retry " + tool.spec.name;
}

std::string note_on(const Tool& tool, const policy::Allowlist& allowlist) {
    if (!allowlist.allows(tool)) return "not allowed: " + allowlist.rule(tool);
    if (!tool.requirements_hold()) return tool.all_missing()[0];
    if (!tool.spec.deprecated) return "";
    return "deprecated" + (tool.spec.deprecated->empty() ? "" : ": " + *tool.spec.deprecated);
}

bool passes(const Tool& tool, const ListFilter& filter) {
    if (!filter.category.empty() && tool.spec.category != filter.category) return false;
    if (!filter.family.empty() && tool.spec.family != filter.family) return false;
    if (filter.deprecated) return tool.spec.deprecated.has_value();
    return true;
}

std::vector<Row> rows(core::Host& host, const ListFilter& filter) {
    std::vector<Row> out;
    const auto view = host.invoker().view();
    const auto& catalogue = view->catalogue();
    const QuarantinedLibraries quarantined(host);
    for (const auto& tool : catalogue.tools()) {
        if (!passes(tool, filter)) continue;
        auto quarantine = quarantined.find(*view, tool);
        const bool shown = tool.usable() && view->allowlist().allows(tool) && !quarantine;
        if (!shown && !filter.all && !filter.deprecated) continue;
        auto note = note_on(tool, view->allowlist());
        if (note.empty() && quarantine)
            note = "quarantined since " + quarantine->since + " (" + retry_advice(tool) +
                   "): " + quarantine->reason;
        out.push_back({&tool, std::move(note), std::move(quarantine)});
    }
    if (filter.all)
        for (const auto& hidden : catalogue.shadowed())
            if (passes(hidden.tool, filter))
                out.push_back({&hidden.tool, "shadowed by " + hidden.by, {}});
    std::stable_sort(out.begin(), out.end(), [](const Row& a, const Row& b) {
        return a.tool->spec.family < b.tool->spec.family;
    });
    return out;
}

// The text of each spec, one tool per line, with the host's fields appended.
void print_specs(const std::vector<Row>& rows) {
    std::ostringstream out;
    out << "{\"tools\":[";
    const char* separator = "\n";
    for (const auto& row : rows) {
        const auto& text = row.tool->spec.document.text();
        out << separator << std::string_view(text).substr(0, text.size() - 1)
            << ",\"library\":" << dump(row.tool->library->origin());
        if (!row.note.empty()) out << ",\"unusable\":" << dump(row.note);
        if (const auto& kept = row.quarantine)
            out << ",\"quarantined\":"
                << dump({{"since", kept->since},
                         {"crashes", kept->crashes},
                         {"reason", kept->reason},
                         {"advice", retry_advice(*row.tool)}});
        out << '}';
        separator = ",\n";
    }
    out << "\n]}\n";
    std::cout << result_text(out.view());
}

}  // namespace

void print_table(std::ostream& out, core::Host& host, const ListFilter& filter) {
    auto catalogue = host.catalogue();
    auto shown = rows(host, filter);
    std::size_t names = 0, versions = 0;
    for (const auto& row : shown) {
        names = std::max(names, columns_of(row.tool->spec.name));
        versions = std::max(versions, row.tool->spec.version.text().size());
    }
    names = std::min<std::size_t>(names, 32);
    const std::size_t before = 2 + names + 2 + versions + 2;
    // Lines are truncated on a terminal only.
    const std::size_t room = !results_on_terminal()  ? std::string::npos
                             : width() > before + 20 ? width() - before
                                                     : 20;
    const std::string* family = nullptr;
    for (const auto& row : shown) {
        const auto& spec = row.tool->spec;
        if (!family || *family != spec.family) {
            out << (family ? "\n" : "") << styled(Style::bold, spec.family) << '\n';
            family = &spec.family;
        }
        out << "  " << padded(spec.name, names) << "  "
            << styled(Style::dim, padded(spec.version.text(), versions)) << "  ";
        if (row.note.empty())
            out << one_line(spec.description, room) << '\n';
        else
            out << styled(Style::yellow, one_line('(' + row.note + ')', room)) << '\n';
    }
}

void warn_of_refused(const core::Host& host, const Options& options) {
    const auto findings = host.report().findings;
    auto refused =
        std::count_if(findings.begin(), findings.end(), [](const auto& f) { return !f.ok(); });
    if (refused > 0)
        spdlog::warn("{} of {} libraries cannot be used; run `{}` for the reasons", refused,
                     findings.size(), suggested(options, "doctor"));
    const QuarantinedLibraries libraries(host);
    const auto quarantined = std::count_if(findings.begin(), findings.end(), [&](const auto& f) {
        return f.ok() && libraries.has(f.candidate.path, f.identity);
    });
    if (quarantined > 0)
        spdlog::warn(
            "{} of {} libraries are quarantined after repeated crashes; run `{}` for the reasons",
            quarantined, findings.size(), suggested(options, "doctor"));
}

namespace {

std::string counted(std::size_t count, const char* one, const char* many) {
    return std::to_string(count) + ' ' + (count == 1 ? one : many);
}

struct OfferedKind {
    const char *key, *one, *many;
};
constexpr OfferedKind kOfferedKinds[] = {
    {"resources", "resource", "resources"},
    {"resourceTemplates", "resource template", "resource templates"},
    {"prompts", "prompt", "prompts"},
};

// The offers of a folder's libraries: "1 resource, 2 prompts", or an empty string.
std::string offered_in(const std::string& folder, const discovery::ScanReport& report,
                       const registry::Catalogue& catalogue) {
    std::map<std::string_view, std::size_t> counts;
    for (const auto& finding : report.findings) {
        if (!finding.ok() || !finding.candidate.path.starts_with(folder + '/')) continue;
        const Json beside = registry::offers_of(catalogue, finding.candidate.path);
        for (const auto& kind : kOfferedKinds)
            if (beside.contains(kind.key)) counts[kind.key] += beside[kind.key].size();
    }
    std::string text;
    for (const auto& kind : kOfferedKinds)
        if (const auto count = counts[kind.key])
            text += (text.empty() ? "" : ", ") + counted(count, kind.one, kind.many);
    return text;
}

}  // namespace

void print_folders(std::ostream& out, const core::Host& host) {
    out << "No tools found. Looked in:\n";
    const auto report = host.report();
    const auto catalogue = host.catalogue();
    for (const auto& folder : report.folders) {
        const auto libraries = counted(folder.candidates, "library", "libraries");
        const auto offered = offered_in(folder.folder, report, *catalogue);
        out << "  " << folder.folder;
        if (!folder.exists)
            out << " (does not exist)";
        else if (!folder.problem.empty())
            out << " (" << folder.problem << ')';
        else if (folder.candidates == 0)
            out << " (no libraries)";
        else if (offered.empty())
            out << " (" << libraries << ", none usable: run toolhost doctor)";
        else
            out << " (" << libraries << " without tools, but with " << offered
                << ": run toolhost doctor)";
        out << '\n';
    }
}

Action setup_list(CLI::App& app, const Options& options) {
    auto filter = std::make_shared<ListFilter>();
    auto only_names = std::make_shared<bool>(false);
    app.add_option("--category", filter->category,
                   "List only tools of this category, such as http, file_ops, data or system")
        ->type_name("CATEGORY");
    app.add_option("--family", filter->family, "List only tools of this family")
        ->type_name("FAMILY");
    app.add_flag("--deprecated", filter->deprecated, "List only deprecated tools");
    app.add_flag("--all", filter->all, "Include shadowed, deprecated and unusable tools");
    app.add_flag("--names", *only_names, "Print only names, one per line");
    return [=, &options] {
        auto opened = core::Host::open(host_options(options));
        if (!opened) return print_error(opened.error());
        core::Host& host = **opened;
        auto catalogue = host.catalogue();
        auto shown = rows(host, *filter);
        warn_of_refused(host, options);
        if (catalogue->tools().empty() && (*only_names || options.json))
            print_folders(std::cerr, host);
        if (*only_names) {
            for (const auto& row : shown) std::cout << row.tool->spec.name << '\n';
        } else if (options.json) {
            print_specs(shown);
        } else if (shown.empty() && catalogue->tools().empty()) {
            print_folders(std::cout, host);
        } else if (shown.empty()) {
            std::cout << "No tool matches. Run `toolhost list --all` to see all tools.\n";
        } else {
            print_table(std::cout, host, *filter);
        }
        return Exit::ok;
    };
}

}  // namespace toolhost::cli
