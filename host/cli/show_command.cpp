#include <iostream>
#include <memory>

#include "host/cli/input_table.hpp"
#include "host/cli/session.hpp"
#include "host/cli/terminal.hpp"
#include "host/registry/json_text.hpp"

namespace toolhost::cli {
namespace {

using registry::Tool;

void print_line(const char* label, const std::string& text) {
    if (!text.empty()) std::cout << padded(label, 14) << wrapped(text, 14, width()) << '\n';
}

std::string needs_of(const registry::Needs& needs) {
    std::string out;
    auto add = [&](bool wanted, const char* name) {
        if (wanted) out += (out.empty() ? "" : ", ") + std::string(name);
    };
    add(needs.network, "network");
    add(needs.read, "read");
    add(needs.write, "write");
    add(needs.exec, "exec");
    return out.empty() ? "nothing" : out;
}

void print_text(const registry::Catalogue& catalogue, const Tool& tool) {
    const auto& spec = tool.spec;
    std::cout << styled(Style::bold, spec.name) << ' ' << spec.version.text() << "  "
              << styled(Style::dim, "family " + spec.family +
                                        (spec.category.empty() ? "" : ", " + spec.category))
              << "\n\n"
              << wrapped(spec.description, 0, width()) << "\n\n"
              << styled(Style::bold, "Input") << '\n';
    print_input_table(spec.input_schema());
    if (const Json* output = spec.output_schema(); output && output->contains("properties")) {
        std::cout << '\n' << styled(Style::bold, "Output") << '\n';
        print_input_table(*output);
    }
    std::cout << '\n';
    if (spec.deprecated)
        print_line("Deprecated", spec.deprecated->empty() ? "yes" : *spec.deprecated);
    for (const auto& sentence : tool.all_missing()) print_line("Missing", sentence);
    print_line("Needs", needs_of(spec.needs));
    for (const auto& [what, range] : spec.requirements) print_line("Requires", what + ' ' + range);
    if (spec.timeout_ms) print_line("Timeout", std::to_string(*spec.timeout_ms) + " ms");
    if (spec.requires_consent) print_line("Consent", "required");
    std::string references;
    for (const auto& form : catalogue.references(tool))
        if (form.find('@') == std::string::npos || !tool.usable())
            references += (references.empty() ? "" : "\n") + form;
    references += "\nnative:" + spec.name + '@' + spec.version.text() + " and such";
    print_line("Called as", references);
    print_line("Library", tool.library->path);
}

}  // namespace

Action setup_show(CLI::App& app, const Options& options) {
    auto reference = std::make_shared<std::string>();
    app.add_option("REF", *reference, "A tool, as NAME, native:FAMILY.NAME or NAME@VERSION")
        ->required();
    return [=, &options] {
        Session session(options);
        auto catalogue = session.catalogue();
        auto tool = catalogue->resolve(*reference);
        if (!tool) return print_error(tool.error());
        if (!options.json) {
            print_text(*catalogue, **tool);
            return Exit::ok;
        }
        std::cout << dump({{"spec", (*tool)->spec.json()},
                           {"references", catalogue->references(**tool)},
                           {"library", (*tool)->library->path},
                           {"sha256", (*tool)->library->sha256},
                           {"usable", (*tool)->usable()},
                           {"missing", (*tool)->all_missing()}},
                          2)
                  << '\n';
        return Exit::ok;
    };
}

}  // namespace toolhost::cli
