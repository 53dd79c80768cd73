#include <iostream>
#include <memory>

#include "host/cli/field_table.hpp"
#include "host/cli/pager.hpp"
#include "host/cli/result_stream.hpp"
#include "host/cli/session.hpp"
#include "host/cli/terminal.hpp"
#include "host/cli/tool_page.hpp"
#include "host/registry/json_text.hpp"
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

// `lacking`: what the profile in force does not grant of what it needs.
void print_text(const registry::Catalogue& catalogue, const Tool& tool,
                const std::vector<std::string>& lacking) {
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
    for (const auto& missing : lacking)
        print_line("Not granted", policy::grant_advice(spec.name, missing) + " would");
    for (const auto& [what, range] : spec.requirements) print_line("Requires", what + ' ' + range);
    if (spec.timeout_ms) print_line("Timeout", std::to_string(*spec.timeout_ms) + " ms");
    if (spec.requires_consent) print_line("Consent", "required");
    std::string references;
    for (const auto& form : catalogue.references(tool))
        if (form.find('@') == std::string::npos || !tool.usable())
            references += (references.empty() ? "" : "\n") + form;
    references += "\nnative:" + spec.name + '@' + spec.version.text() + " and such";
    print_line("Called as", references);
    const Json beside = registry::offers_of(catalogue, tool.library->path);
    for (const auto& [kind, offered] : beside.items())
        print_line("Beside it", std::to_string(offered.size()) + ' ' + kind);
    print_line("Library", tool.library->path);
}

std::vector<std::string> lacking(Session& session, const Tool& tool) {
    const auto& governance = session.governance();
    return governance.profile
        ->granted(tool.spec, discovery::is_shipped(tool.library->path), governance.config.grants)
        .missing;
}

}  // namespace

Action setup_show(CLI::App& app, const Options& options) {
    auto reference = std::make_shared<std::string>();
    auto markdown = std::make_shared<bool>(false);
    auto no_pager = std::make_shared<bool>(false);
    app.add_option("REF", *reference, "A tool, as NAME, native:FAMILY.NAME or NAME@VERSION")
        ->required();
    app.add_flag("--markdown", *markdown, "As a page of documentation");
    app.add_flag("--no-pager", *no_pager, "Print to the terminal, however long it is");
    return [=, &options] {
        Session session(options);
        auto catalogue = session.catalogue();
        auto tool = catalogue->resolve(*reference);
        if (!tool) return print_error(tool.error());
        const Paged paged(!*no_pager);
        if (*markdown) {
            std::cout << tool_page((*tool)->spec);
            return Exit::ok;
        }
        if (!options.json) {
            print_text(*catalogue, **tool, lacking(session, **tool));
            return Exit::ok;
        }
        Json shown{
            {"spec", (*tool)->spec.json()},      {"references", catalogue->references(**tool)},
            {"library", (*tool)->library->path}, {"sha256", (*tool)->library->sha256},
            {"usable", (*tool)->usable()},       {"missing", (*tool)->all_missing()}};
        if (auto offers = registry::offers_of(*catalogue, (*tool)->library->path);
            !offers.is_null())
            shown["offers"] = std::move(offers);
        print_json(shown);
        return Exit::ok;
    };
}

}  // namespace toolhost::cli
