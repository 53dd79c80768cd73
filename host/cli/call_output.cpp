#include "host/cli/call_output.hpp"

#include <cstdio>
#include <iostream>

#include "host/base/json_text.hpp"
#include "host/call/consent_text.hpp"
#include "host/call/content.hpp"
#include "host/cli/result_stream.hpp"
#include "host/cli/terminal.hpp"
#include "host/cli/value_table.hpp"

namespace toolhost::cli {
namespace {

void print_text(const std::string& text) {
    results() << result_text(text) << (text.ends_with('\n') ? "" : "\n");
}

void print_resource(const Json& resource) {
    results() << '[' << printable(resource.value("uri", ""));
    if (resource.contains("mimeType"))
        results() << ", " << printable(resource.value("mimeType", ""));
    if (!resource.contains("text")) {
        results() << ": use --json to see the content]\n";
        return;
    }
    results() << "]\n";
    print_text(resource.value("text", ""));
}

// A table where possible; programs get the JSON.
void print_value(const Json& value) {
    const auto table = results_on_terminal() ? value_table(value, width()) : std::nullopt;
    if (!table) return print_json(value);
    results() << table->text;
    if (table->cut)
        std::cerr << "Truncated to the width of the terminal; use --json for the full output.\n";
}

void print_content(const call::Content& content) {
    // A text block that says the same for people makes the json one noise.
    const bool has_text = call::has_text(content);
    for (const auto& [kind, value] : content) {
        switch (kind) {
            case call::ContentKind::text:
                print_text(value.get_ref<const std::string&>());
                break;
            case call::ContentKind::json:
                if (!has_text) print_value(value);
                break;
            case call::ContentKind::resource:
                print_resource(value);
                break;
            case call::ContentKind::resource_link:
                results() << printable(value.value("name", "")) << ": "
                          << printable(value.value("uri", "")) << '\n';
                break;
            case call::ContentKind::image:
            case call::ContentKind::audio:
            case call::ContentKind::document:
                results() << '[' << call::content_info(kind).name << ", "
                          << printable(value.value("format", "?"))
                          << ": use --json to see the content]\n";
                break;
        }
    }
}

// The last output before a crash often contains its reason.
void print_last_output(const Json& details) {
    constexpr std::size_t kLines = 5;
    const auto it = details.find("output");
    if (it == details.end() || !it->is_string()) return;
    const auto text = it->get<std::string>();
    std::vector<std::string_view> lines;
    for (std::string_view rest = text; !rest.empty();) {
        const auto end = std::min(rest.find('\n'), rest.size());
        if (end > 0) lines.push_back(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    const auto first = lines.size() - std::min(lines.size(), kLines);
    for (std::size_t i = first; i < lines.size(); ++i)
        std::cerr << "  output: " << printable(lines[i]) << '\n';
}

// Indents the further lines of a tool's message, so that none looks like one of toolhost's own.
std::string indented(std::string_view message) {
    std::string out;
    for (char c : printable(message)) {
        out += c;
        if (c == '\n') out += "  ";
    }
    return out;
}

void print_error(const Error& error, const std::string& again) {
    std::cerr << "toolhost: " << info(error.code).name << ": " << indented(error.message) << '\n';
    if (error.code == ErrorCode::plugin_crashed || error.code == ErrorCode::resource_exhausted)
        print_last_output(error.details);
    if (error.code == ErrorCode::consent_required && !again.empty())
        std::cerr << "To consent in advance: " << again << " --yes\n";
    if (error.code != ErrorCode::interrupted) return;
    std::string answers;
    for (const auto& asked : error.details.at("interrupts")) {
        const auto& reason = asked.at("reason");
        std::cerr << call::question_text(
                         asked.value("askedBy", ""), asked.value("name", ""),
                         reason.is_string() ? reason.get<std::string>() : dump(reason, 2))
                  << '\n';
        answers += " --answer " + asked.value("id", "") + "='JSON'";
    }
    if (!again.empty()) std::cerr << "To answer: " << again << answers << '\n';
}

std::string joined_counts(const Json& counts) {
    std::string out;
    for (const auto& [name, count] : counts.items())
        out += (out.empty() ? "" : ", ") + printable(name) + ' ' + dump(count);
    return out;
}

}  // namespace

Exit print_result(const call::ToolResult& result, Form form, const std::string& again) {
    if (form == Form::text) {
        if (result.ok())
            print_content(result.content);
        else
            print_error(*result.error, again);
        results().flush();  // before the plugin's exit code runs
    } else {
        print_json(result.json(), form == Form::json ? 2 : -1);
        results().flush();
    }
    return result.ok() ? Exit::ok : exit_of(*result.error);
}

void print_stats(const Json& stats, bool json) {
    if (json) {
        std::cerr << dump({{"stats", stats}}) << '\n';
        return;
    }
    std::size_t names = 4;
    for (const auto& [tool, counts] : stats.items()) names = std::max(names, tool.size());
    std::cerr << padded("tool", names) << "   calls  errors   p50 us   p99 us   max us\n";
    for (const auto& [tool, counts] : stats.items()) {
        const auto calls = counts.at("calls").get<std::uint64_t>();
        const auto& latency = counts.at("latencyUs");
        char numbers[96];
        std::snprintf(numbers, sizeof numbers, "%8llu %7llu %8.0f %8.0f %8.0f",
                      static_cast<unsigned long long>(calls),
                      static_cast<unsigned long long>(calls - counts.at("ok").get<std::uint64_t>()),
                      latency.at("p50").get<double>(), latency.at("p99").get<double>(),
                      latency.at("max").get<double>());
        std::cerr << padded(tool, names) << numbers << '\n';
        if (!counts.at("errors").empty())
            std::cerr << "  errors: " << joined_counts(counts.at("errors")) << '\n';
        if (!counts.at("denials").empty()) {
            char rate[16];
            std::snprintf(rate, sizeof rate, "%.0f %%", counts.at("denyRate").get<double>() * 100);
            std::cerr << "  denials: " << joined_counts(counts.at("denials")) << " (" << rate
                      << " of calls)\n";
        }
    }
}

}  // namespace toolhost::cli
