#include "host/cli/tool_page.hpp"

#include <algorithm>

#include "host/base/json_text.hpp"
#include "host/cli/field_table.hpp"
#include "host/cli/terminal.hpp"

namespace toolhost::cli {
namespace {

// Escapes a table's cell: no bars, no line ends.
std::string cell(std::string_view text) {
    std::string out;
    for (char c : printable(text)) {
        if (c == '|') out += '\\';
        out += c == '\n' || c == '\r' ? ' ' : c;
    }
    return out;
}

// Outside of code a `<` would start a tag and a `*` emphasis.
std::string prose(std::string_view text) {
    std::string out;
    bool code = false;
    for (char c : printable(text)) {
        if (c == '`') code = !code;
        if (!code && (c == '*' || c == '<')) out += '\\';
        out += c;
    }
    return out;
}

std::string table(const std::string& title, const Json* schema, const registry::FieldOrder& order,
                  const std::string& before = "") {
    if (!schema) return "";
    const auto rows = field_rows(*schema, order);
    if (rows.empty()) return "";
    std::string out = "\n## " + title + "\n\n" + before + "| field | type | |\n|---|---|---|\n";
    for (const auto& row : rows)
        out += "| `" + cell(row.name) + "` | " + prose(cell(row.type)) + " | " +
               prose(cell(row.description)) + " |\n";
    return out;
}

std::string facts(const registry::ToolSpec& spec) {
    std::string out;
    auto fact = [&](const char* name, const std::string& text) {
        out += std::string("- ") + name + ": " + prose(text) + '\n';
    };
    fact("version", spec.version.text());
    fact("family", '`' + spec.family + '`');
    if (!spec.category.empty()) fact("category", spec.category);
    if (spec.deprecated) fact("deprecated", spec.deprecated->empty() ? "yes" : *spec.deprecated);
    fact("needs", needs_of(spec.needs));
    for (const auto& [what, range] : spec.requirements)
        fact("requires", '`' + what + ' ' + range + '`');
    if (spec.timeout_ms) fact("timeout", std::to_string(*spec.timeout_ms) + " ms");
    if (spec.requires_consent) fact("consent", "required");
    if (spec.stateful) fact("state", "separate for each client");
    return out;
}

std::string denials(const registry::ToolSpec& spec) {
    const auto reasons = denial_reasons(spec);
    if (reasons.empty()) return "";
    std::string out =
        "\n## Denials\n\nReasons for which the policy denies a call (`policy_denied`).\n\n| reason "
        "| "
        "|\n|---|---|\n";
    for (const auto& [word, meaning] : reasons)
        out += "| `" + cell(word) + "` | " + prose(cell(meaning)) + " |\n";
    return out;
}

std::string examples(const registry::ToolSpec& spec) {
    const Json* all = spec.find("examples");
    if (!all || !all->is_array() || all->empty()) return "";
    std::string out = "\n## Examples\n";
    for (const auto& one : *all) {
        if (!one.is_object() || !one.contains("input")) continue;
        const auto said = one.find("description");
        if (said != one.end() && said->is_string())
            out += '\n' + prose(said->get<std::string>()) + '\n';
        out += "\n```json\n" + printable(dump(one["input"], 2)) + "\n```\n";
    }
    return out;
}

}  // namespace

std::string needs_of(const registry::Needs& needs) {
    std::string out;
    auto add = [&](bool wanted, std::string_view name) {
        if (!wanted) return;
        out += (out.empty() ? "" : ", ") + std::string(name);
        if (std::ranges::find(needs.optional, name) != needs.optional.end()) out += " (optional)";
    };
    for (const auto& need : registry::kNeeds) add(needs.*need.member, need.name);
    for (const auto& tool : needs.tools) add(true, "call " + tool);
    return out.empty() ? "nothing" : out;
}

std::map<std::string, std::string> denial_reasons(const registry::ToolSpec& spec) {
    std::map<std::string, std::string> out;
    const Json* all = spec.find("denialReasons");
    if (!all || !all->is_object()) return out;  // the tool may return any value
    for (const auto& [word, meaning] : all->items())
        if (meaning.is_string()) out[word] = meaning.get<std::string>();
    return out;
}

std::string tool_page(const registry::ToolSpec& spec) {
    return "# " + spec.name + "\n\n" + prose(spec.description) + "\n\n" + facts(spec) +
           table("Input", &spec.input_schema(), spec.field_order) +
           table("Output", spec.output_schema(), spec.field_order) +
           table("Policy", spec.policy_schema(), spec.field_order,
                 "What a profile may set under `policies: " + spec.name + ":`.\n\n") +
           denials(spec) + examples(spec);
}

}  // namespace toolhost::cli
