#include <iostream>
#include <memory>

#include "host/base/json_text.hpp"
#include "host/call/nested_tools.hpp"
#include "host/cli/field_table.hpp"
#include "host/cli/open_host.hpp"
#include "host/cli/pager.hpp"
#include "host/cli/result_stream.hpp"
#include "host/cli/terminal.hpp"
#include "host/cli/tool_page.hpp"
#include "host/registry/offers.hpp"

namespace toolhost::cli {
namespace {

using registry::Tool;

void print_line(const char* label, const std::string& text) {
    if (!text.empty()) std::cout << padded(label, 14) << wrapped(text, 14, width()) << '\n';
}

void print_fields(const char* title, const Json* schema, const registry::FieldOrder& order) {
    if (!schema || field_rows(*schema, order).empty()) return;
    std::cout << '\n' << styled(Style::bold, title) << '\n';
    print_field_table(*schema, order);
}

void print_denials(const registry::ToolSpec& spec) {
    const auto reasons = denial_reasons(spec);
    if (reasons.empty()) return;
    std::cout << '\n' << styled(Style::bold, "Denials") << '\n';
    for (const auto& [word, meaning] : reasons)
        std::cout << "  " << one_line(word, width()) << "\n    " << wrapped(meaning, 4, width())
                  << '\n';
}

void print_examples(const registry::ToolSpec& spec) {
    const Json* all = spec.find("examples");
    if (!all || !all->is_array() || all->empty()) return;
    std::cout << '\n' << styled(Style::bold, "Examples") << '\n';
    for (const auto& one : *all) {
        if (!one.is_object() || !one.contains("input")) continue;
        std::cout << "  " << wrapped(dump(one["input"]), 4, width()) << '\n';
        const auto said = one.find("description");
        if (said != one.end() && said->is_string())
            std::cout << "    " << wrapped(said->get<std::string>(), 4, width()) << '\n';
    }
}

// The tool's access under the active profile: requested by its spec, and granted.
std::vector<std::string> open_to(const policy::Granted& granted,
                                 const std::vector<call::DeclaredTool>& declared) {
    std::vector<std::string> open;
    if (granted.read) open.emplace_back("read workspace");
    if (granted.write) open.emplace_back("write workspace");
    for (const auto& path : granted.write_paths) open.push_back("write " + path);
    if (granted.network) open.emplace_back("network");
    if (granted.exec) open.emplace_back("exec");
    for (const auto& entry : declared)
        if (entry.granted) open.push_back("call " + entry.reference);
    return open;
}

std::string joined(const std::vector<std::string>& words) {
    std::string out;
    for (const auto& word : words) out += (out.empty() ? "" : ", ") + word;
    return out;
}

std::vector<std::string> not_granted(const policy::Granted& granted) {
    auto out = granted.missing;
    out.insert(out.end(), granted.missing_optional.begin(), granted.missing_optional.end());
    return out;
}

void print_declared(const std::vector<call::DeclaredTool>& declared) {
    for (const auto& entry : declared)
        print_line("May call", entry.reference + (entry.granted ? ""
                                                  : entry.tool ? ": not granted; run " + entry.grant
                                                               : ": tool not found"));
}

void print_text(const registry::Catalogue& catalogue, const Tool& tool,
                const policy::Granted& granted, const std::vector<call::DeclaredTool>& declared) {
    const auto& spec = tool.spec;
    std::cout << styled(Style::bold, spec.name) << ' ' << spec.version.text() << "  "
              << styled(Style::dim,
                        "family " + spec.family +
                            (spec.category.empty() ? "" : ", " + one_line(spec.category, 40)))
              << "\n\n"
              << wrapped(spec.description, 0, width()) << "\n\n"
              << styled(Style::bold, "Input") << '\n';
    print_field_table(spec.input_schema(), spec.field_order);
    print_fields("Output", spec.output_schema(), spec.field_order);
    print_fields("Policy", spec.policy_schema(), spec.field_order);
    print_denials(spec);
    print_examples(spec);
    std::cout << '\n';
    if (spec.deprecated)
        print_line("Deprecated", spec.deprecated->empty() ? "yes" : *spec.deprecated);
    for (const auto& sentence : tool.all_missing()) print_line("Missing", sentence);
    print_line("Needs", needs_of(spec.needs));
    const auto open = open_to(granted, declared);
    print_line("Access", open.empty() ? "a temporary folder only" : joined(open));
    for (const auto& missing : not_granted(granted))
        print_line("Not granted", "run " + policy::grant_advice(spec.name, missing));
    print_declared(declared);
    for (const auto& [what, range] : spec.requirements) print_line("Requires", what + ' ' + range);
    if (spec.timeout_ms) print_line("Timeout", std::to_string(*spec.timeout_ms) + " ms");
    if (spec.requires_consent) print_line("Consent", "required");
    if (spec.stateful) print_line("State", "separate for each client");
    std::string references;
    for (const auto& form : catalogue.references(tool))
        if (form.find('@') == std::string::npos || !tool.usable())
            references += (references.empty() ? "" : "\n") + form;
    references += "\nnative:" + spec.name + '@' + spec.version.text() + " and similar";
    print_line("Called as", references);
    const Json beside = registry::offers_of(catalogue, tool.library->path);
    for (const auto& [kind, offered] : beside.items())
        print_line("Also offers", std::to_string(offered.size()) + ' ' + kind);
    print_line("Library", tool.library->origin());
    if (const auto unknown = spec.unknown_keys(); !unknown.empty())
        print_line("Unknown keys", joined(unknown));
}

policy::Granted granted_to(core::Host& host, const Tool& tool) {
    const auto configuration = host.configuration();
    return configuration.profile->granted(tool.spec, discovery::is_shipped(tool.library->path),
                                          configuration.config.grants);
}

}  // namespace

Action setup_show(CLI::App& app, const Options& options) {
    auto reference = std::make_shared<std::string>();
    auto markdown = std::make_shared<bool>(false);
    auto no_pager = std::make_shared<bool>(false);
    app.add_option("REF", *reference, "A tool, as NAME, native:FAMILY.NAME or NAME@VERSION")
        ->type_name("TOOL")
        ->required();
    app.add_flag("--markdown", *markdown, "Print a page of documentation");
    app.add_flag("--no-pager", *no_pager, "Do not use a pager");
    return [=, &options] {
        auto opened = core::Host::open(host_options(options));
        if (!opened) return print_error(opened.error());
        core::Host& host = **opened;
        auto catalogue = host.catalogue();
        auto tool = catalogue->resolve(*reference);
        if (!tool) return print_error(tool.error());
        const Paged paged(!*no_pager);
        if (*markdown) {
            std::cout << tool_page((*tool)->spec);
            return Exit::ok;
        }
        const auto granted = granted_to(host, **tool);
        const auto declared = call::declared_tools(*host.invoker().view(), **tool);
        if (!options.json) {
            print_text(*catalogue, **tool, granted, declared);
            return Exit::ok;
        }
        Json shown{
            {"spec", (*tool)->spec.json()},           {"references", catalogue->references(**tool)},
            {"library", (*tool)->library->origin()},  {"sha256", (*tool)->library->sha256},
            {"identity", (*tool)->library->identity}, {"usable", (*tool)->usable()},
            {"missing", (*tool)->all_missing()}};
        shown["open"] = open_to(granted, declared);
        shown["notGranted"] = not_granted(granted);
        shown["unknownKeys"] = (*tool)->spec.unknown_keys();
        for (const auto& entry : declared)
            shown["calls"].push_back({{"tool", entry.reference}, {"granted", entry.granted}});
        if (auto offers = registry::offers_of(*catalogue, (*tool)->library->path);
            !offers.is_null())
            shown["offers"] = std::move(offers);
        print_json(shown);
        return Exit::ok;
    };
}

}  // namespace toolhost::cli
