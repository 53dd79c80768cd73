#include "host/discovery/probe.hpp"

#include <string.h>

#include <algorithm>
#include <atomic>
#include <boost/filesystem/path.hpp>
#include <thread>

#include "host/base/json_text.hpp"
#include "host/discovery/candidate.hpp"
#include "host/discovery/probe_child.hpp"
#include "host/os/child_process.hpp"
#include "host/registry/tool_spec.hpp"
#include "host/schema/schema.hpp"

namespace toolhost::discovery {
namespace {

using os::ChildEnd;

// A file that is replaced during inspection is tried this many times.
constexpr int kTries = 3;

void refuse(Finding& finding, Reason reason, std::string message) {
    finding.reason = reason;
    finding.message = std::move(message);
    finding.tools.clear();
}

// Derives the reason from how the child ended and the stage that it had reached.
void refuse_by_end(Finding& finding, const ChildEnd& end, const std::string& stage,
                   std::chrono::milliseconds deadline) {
    const bool spec = stage == "spec";
    const std::string where = spec ? "in tool_spec()" : "while loading";
    if (stage != "load" && !spec)
        return refuse(finding, Reason::probe_failed,
                      end.how == ChildEnd::How::not_started
                          ? "cannot start the probe: " + std::string(strerror(end.value))
                          : "the probe ended before loading the library, with exit code " +
                                std::to_string(end.value));
    switch (end.how) {
        case ChildEnd::How::timed_out:
            return refuse(
                finding, spec ? Reason::spec_timeout : Reason::load_timeout,
                "it did not return within " + std::to_string(deadline.count()) + " ms " + where);
        case ChildEnd::How::signalled:
            return refuse(finding, spec ? Reason::spec_crashed : Reason::load_crashed,
                          "killed by " + os::signal_name(end.value) + ' ' + where);
        default:
            return refuse(
                finding, spec ? Reason::spec_exited : Reason::load_exited,
                "it ended the process with exit code " + std::to_string(end.value) + ' ' + where);
    }
}

// The checks run in the host and together have the same deadline as the library itself.
std::string takes_too_long(const std::string& what, std::chrono::milliseconds deadline) {
    return "checking its " + what + " takes longer than " + std::to_string(deadline.count()) +
           " ms";
}

// A spec with an invalid schema is refused, because no call could be checked against it.
void check_schemas(Finding& finding, const schema::EvaluationLimits& limits,
                   std::chrono::milliseconds deadline) {
    struct Kind {
        const char* key;
        Reason reason;
    };
    for (const auto& spec : finding.tools)
        for (auto [key, reason] : {Kind{"inputSchema", Reason::input_schema_invalid},
                                   Kind{"outputSchema", Reason::output_schema_invalid},
                                   Kind{"policySchema", Reason::spec_invalid}}) {
            const Json* document = spec.find(key);
            if (!document) continue;
            if (limits.reached())
                return refuse(finding, Reason::check_timeout, takes_too_long("schemas", deadline));
            auto compiled = schema::Schema::compile(*document);
            if (compiled) continue;
            return refuse(finding, reason,
                          "tool '" + spec.name + "': /" + key + compiled.error().pointer + ": " +
                              compiled.error().message);
        }
}

// Returns the first problem of a tool's examples with its pointer, or an empty string. Examples
// must be valid because people and models copy them.
std::string fault_of_examples(const Json& examples, const schema::Schema& input,
                              const schema::EvaluationLimits& limits) {
    if (!examples.is_array()) return "/examples must be an array";
    for (std::size_t i = 0; i < examples.size(); ++i) {
        const auto at = "/examples/" + std::to_string(i);
        if (!examples[i].is_object() || !examples[i].contains("input"))
            return at + " must be an object with an \"input\"";
        const auto issues = input.validate(examples[i]["input"], 1, &limits);
        if (limits.reached()) return "";  // reported by the caller
        if (!issues.empty())
            return at + "/input" + issues[0].pointer +
                   " does not match the inputSchema: " + issues[0].message;
    }
    return "";
}

void check_examples(Finding& finding, const schema::EvaluationLimits& limits,
                    std::chrono::milliseconds deadline) {
    for (const auto& spec : finding.tools) {
        const Json* examples = spec.find("examples");
        if (!examples) continue;
        const auto input = schema::Schema::compile(spec.input_schema());
        const auto fault = input ? fault_of_examples(*examples, *input, limits) : "";
        if (limits.reached())
            return refuse(finding, Reason::check_timeout, takes_too_long("examples", deadline));
        if (!fault.empty())
            return refuse(finding, Reason::spec_invalid, "tool '" + spec.name + "': " + fault);
    }
}

void accept(Finding& finding, const Json& plugin, std::chrono::milliseconds deadline) {
    finding.flags = plugin.value("flags", 0u);
    finding.abi_minor = plugin.value("abiMinor", std::uint16_t{0});
    auto name = boost::filesystem::path(finding.candidate.path).stem().string();
    read_specs(finding, plugin.value("spec", std::string()), name, deadline);
}

void probe_once(Finding& finding, const ProbeOptions& options) {
    os::ChildCommand command;
    command.program = options.program;
    command.arguments = {kProbeCommand, finding.candidate.path,
                         finding.candidate.own_folder ? "1" : "0",
                         std::to_string(options.deadline.count())};
    command.environment = os::minimal_environment();
    command.deadline = options.deadline;
    // JSON may escape a byte of the spec as six.
    command.max_result = kMaxSpecBytes * 6 + (64u << 10);
    auto end = os::run_child(command);

    finding.reason.reset();
    finding.output = end.output;
    auto report = read_report(end.result);
    finding.sha256 = report.sha256;
    finding.identity = report.identity;
    if (report.reason) {
        // The SDK prints the exception: tool_spec() has no other way to report it.
        const auto line = finding.output.substr(0, finding.output.find('\n'));
        const bool has_output = report.reason == Reason::spec_null && !line.empty();
        return refuse(finding, *report.reason, report.message + (has_output ? ": " + line : ""));
    }
    if (report.plugin.is_null()) return refuse_by_end(finding, end, report.stage, options.deadline);
    try {
        accept(finding, report.plugin, options.deadline);
    } catch (const nlohmann::json::exception& e) {  // the library wrote to the result channel
        refuse(finding, Reason::spec_invalid, std::string("invalid probe output: ") + e.what());
    }
}

void probe_one(Finding& finding, const ProbeOptions& options) {
    for (int attempt = 0; attempt < kTries; ++attempt) {
        const FileStamp before = finding.candidate.stamp;
        probe_once(finding, options);
        Finding after;
        after.candidate = finding.candidate;
        check_from_outside(after);
        if (after.candidate.stamp == before && after.ok()) return;
        finding.candidate.stamp = after.candidate.stamp;
        if (!after.ok()) return refuse(finding, *after.reason, after.message);
    }
    refuse(finding, Reason::changed_during_scan,
           "it was replaced during each of " + std::to_string(kTries) + " scans");
}

// The child runs foreign code, so its output is untrusted.
std::string text_of(const Json& object, const char* key) {
    auto it = object.find(key);
    return it != object.end() && it->is_string() ? it->get<std::string>() : "";
}

}  // namespace

void read_specs(Finding& finding, std::string_view text, std::string_view family,
                std::chrono::milliseconds deadline) {
    schema::EvaluationLimits limits;
    limits.deadline = std::chrono::steady_clock::now() + deadline;
    auto specs = registry::parse_spec(text, family);
    if (!specs)
        return refuse(finding, find_reason(specs.error().reason).value_or(Reason::spec_invalid),
                      specs.error().message);
    finding.tools = *std::move(specs);
    check_schemas(finding, limits, deadline);
    if (finding.ok()) check_examples(finding, limits, deadline);
}

ChildReport read_report(const std::string& lines) {
    ChildReport report;
    for (std::size_t start = 0; start < lines.size();) {
        auto end = lines.find('\n', start);
        if (end == std::string::npos) break;  // an incomplete line is ignored
        auto line = parse_json(std::string_view(lines).substr(start, end - start));
        start = end + 1;
        if (!line || !line->is_object()) continue;
        if (auto it = line->find("stage"); it != line->end() && it->is_string())
            report.stage = it->get<std::string>();
        // The child reports it once, before foreign code runs; later lines may come from the
        // library.
        if (report.sha256.empty() && line->contains("sha256")) {
            report.sha256 = text_of(*line, "sha256");
            report.identity = text_of(*line, "identity");
        }
        if (auto it = line->find("plugin"); it != line->end() && it->is_object())
            report.plugin = *it;
        if (auto it = line->find("refused"); it != line->end() && it->is_object()) {
            report.reason = find_reason(text_of(*it, "reason"));
            report.message = text_of(*it, "message");
        }
    }
    return report;
}

void probe(const std::vector<Finding*>& findings, const ProbeOptions& options) {
    unsigned jobs = options.jobs ? options.jobs : std::max(1u, std::thread::hardware_concurrency());
    jobs = static_cast<unsigned>(std::min<std::size_t>(jobs, findings.size()));
    std::atomic<std::size_t> next{0};
    auto work = [&] {
        for (std::size_t i; (i = next++) < findings.size();) probe_one(*findings[i], options);
    };
    std::vector<std::jthread> others;
    for (unsigned i = 1; i < jobs; ++i) others.emplace_back(work);
    work();
}

}  // namespace toolhost::discovery
