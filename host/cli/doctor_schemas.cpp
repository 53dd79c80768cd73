#include "host/cli/doctor_schemas.hpp"

#include <iostream>
#include <stdexcept>

#include "host/cli/terminal.hpp"
#include "host/schema/provider_lint.hpp"

namespace toolhost::cli {

Json lint_schemas(const registry::Catalogue& catalogue, const std::string& provider) {
    const auto known = schema::provider_named(provider);
    if (!known) throw std::logic_error("no such provider: " + provider);
    Json findings = Json::array();
    for (const auto& tool : catalogue.tools()) {
        const auto& spec = tool.spec;
        for (const auto& found :
             schema::lint_tool(*known, spec.name, spec.description, spec.input_schema()))
            findings.push_back({{"tool", spec.name},
                                {"library", tool.library->origin()},
                                {"pointer", found.pointer},
                                {"message", found.message}});
    }
    return {{"provider", provider}, {"findings", std::move(findings)}};
}

void print_lint(const Json& lint) {
    std::cout << '\n' << styled(Style::bold, "Schemas for " + lint.value("provider", "")) << '\n';
    if (lint["findings"].empty()) std::cout << "  all accepted\n";
    for (const auto& found : lint["findings"])
        std::cout << "  " << styled(Style::red, found.value("tool", "")) << "  "
                  << wrapped(
                         printable(found.value("pointer", "") + ": " + found.value("message", "")),
                         4, width())
                  << '\n';
}

}  // namespace toolhost::cli
