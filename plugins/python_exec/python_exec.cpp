// The tool `python_exec`: its input, its policy, its answer. What it does is in interpreter/.
#include <stdlib.h>
#include <unistd.h>

#include <deque>
#include <mutex>
#include <toolhost/plugin.hpp>
#include <toolhost/process.hpp>

#include "interpreter/report.hpp"
#include "interpreter/run.hpp"

namespace python_exec {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using std::chrono::milliseconds;
using toolhost::Field;
using toolhost::Max;
using toolhost::MaxLength;
using toolhost::Min;

struct Input {
    Field<std::string,
          "The Python code. If its last statement is an expression, its value is returned. What it "
          "prints is returned too; pictures that it saves in its working folder or leaves open in "
          "matplotlib come as images.",
          MaxLength<200000>>
        code;
    Field<int, "Seconds that it may take; the policy's max_timeout_s bounds it.", Min<1>,
          Max<604800>>
        timeout = 30;
    Field<json, "Any JSON value; the code finds it in the variable input_data."> input =
        json(nullptr);
    Field<bool,
          "true: each call starts afresh. false: variables, functions, classes and imports of "
          "earlier such calls of the same session are there. Open files, threads and generators "
          "are not kept; the answer names what was lost. A client's calls share one session, or "
          "one for each sessionId of the invocation state; it ends with the tool's process.">
        stateless = true;
    Field<bool, "Forget what earlier calls of the session kept, before the code runs.">
        reset_state = false;
};

struct Policy {
    Field<std::string, "The interpreter's file: Python 3.8 or later."> python =
        std::string("/usr/bin/python3");
    Field<int, "The most seconds for one call.", Min<1>, Max<604800>> max_timeout_s = 60;
    Field<int, "How much is kept of what the code prints, and of the value of its last expression.",
          Min<100>, Max<10000000>>
        max_output_chars = 8000;
    Field<int, "How many images one call may return.", Min<0>, Max<100>> max_images = 4;
    Field<int, "How large an image may be, in KiB.", Min<1>, Max<65536>> max_image_kb = 2048;
    Field<int, "How much the variables of one session may take, in KiB.", Min<1>, Max<262144>>
        max_state_kb = 8192;
    Field<int, "Memory that the code may use, in MiB; the profile's limits.memoryMb holds besides.",
          Min<64>, Max<1048576>>
        max_memory_mb = 512;
    Field<std::vector<std::string>,
          "Variables that the code gets of the tool's environment; globs.">
        environment = {"PATH", "LANG", "LC_*", "TZ"};
};

struct Output {
    Field<std::string, "What the code wrote to stdout."> output;
    Field<std::string, "What it wrote to stderr."> error;
    Field<std::optional<json>, "The value of the last expression, where JSON says the same."> value;
    Field<
        std::optional<std::string>,
        "That value as Python shows it, where JSON would change it: whole numbers beyond 64 bits, "
        "keys that are no texts, more than 100 levels, other types.">
        value_repr;
    Field<std::optional<std::vector<std::string>>, "The images that follow, by file name."> images;
    Field<std::optional<std::vector<std::string>>, "Variables that the next call will find.">
        variables;
    Field<std::optional<std::vector<std::string>>, "What was left out or lost, and why."> notes;
};

// A folder that goes with its holder.
class Scratch {
public:
    Scratch() {
        std::error_code fault;
        auto pattern = (fs::temp_directory_path(fault) / "python_exec-XXXXXX").string();
        if (!fault && ::mkdtemp(pattern.data())) path_ = pattern;
    }
    ~Scratch() {
        std::error_code ignored;
        if (!path_.empty()) fs::remove_all(path_, ignored);
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    [[nodiscard]] const fs::path& path() const { return path_; }

private:
    fs::path path_;
};

// The variables of the last few sessions, in memory: they end with the process that runs the tool.
class Sessions {
public:
    std::string get(const std::string& name) {
        const std::lock_guard lock(mutex_);
        for (const auto& one : all_)
            if (one.first == name) return one.second;
        return {};
    }
    void put(const std::string& name, std::string state) {
        const std::lock_guard lock(mutex_);
        std::erase_if(all_, [&](const auto& one) { return one.first == name; });
        all_.emplace_back(name, std::move(state));
        constexpr std::size_t kMost = 8;
        if (all_.size() > kMost) all_.pop_front();
    }

private:
    std::mutex mutex_;
    std::deque<std::pair<std::string, std::string>> all_;
};

// Which of the caller's sessions: the one that the invocation state names, or else the only one.
// The process serves one caller, since the spec says stateful.
std::string session_of(toolhost::Context& context) {
    const auto& state = context.state();
    for (const char* key : {"sessionId", "session_id"})
        if (state.is_object() && state.contains(key) && state.at(key).is_string())
            return state.at(key).get<std::string>();
    return {};
}

json parsed_report(const std::string& text) {
    if (!is_shallow(text, kDeepestReport)) return json::object();
    auto report = json::parse(text, nullptr, false);
    return report.is_object() ? report : json::object();
}
std::string text_at(const json& object, const char* key) {
    if (!object.is_object() || !object.contains(key) || !object.at(key).is_string()) return {};
    return object.at(key).get<std::string>();
}

class PythonExec {
public:
    toolhost::Reply run(const Input& in, toolhost::Context& context) {
        const auto policy = context.policy<Policy>();
        const auto session = session_of(context);
        if (in.reset_state) sessions_.put(session, {});
        const Code code{in.code, in.input.get().dump(), in.stateless ? "" : sessions_.get(session),
                        !in.stateless};
        const Watcher watcher{[&] { return context.cancelled(); },
                              [&](std::string_view text) { context.text(text); }};
        auto end =
            python_exec::run(code, bounds(in, policy, context), place(policy, context), watcher);
        if (!end.whole_tree)
            context.warn("no process group could be made: what the code started may be left");
        if (end.outcome == Outcome::cancelled) throw toolhost::Cancelled{};
        const auto report = parsed_report(end.report);
        if (!in.stateless && end.outcome == Outcome::finished && report.contains("kept"))
            sessions_.put(session, std::move(end.state));
        fail_if_failed(end, report, bounds(in, policy, context), context);
        return answer(std::move(end), report);
    }

private:
    static Bounds bounds(const Input& in, const Policy& policy, toolhost::Context& context) {
        const auto size = [](int number) { return static_cast<std::size_t>(number); };
        return {toolhost::time_for_programs(
                    milliseconds(1000) * std::min<int>(in.timeout, policy.max_timeout_s),
                    context.remaining()),
                size(policy.max_output_chars) / 2,
                size(policy.max_images),
                size(policy.max_image_kb) << 10,
                size(policy.max_state_kb) << 10,
                size(policy.max_memory_mb) << 20};
    }

    Place place(const Policy& policy, toolhost::Context& context) const {
        if (scratch_.path().empty())
            context.fail("tool_failed", "no folder for temporary files could be made");
        if (::access(policy.python.c_str(), X_OK) != 0)
            context.fail("tool_failed", "there is no interpreter " + policy.python.get() +
                                            ": install python3, or name another by the policy's "
                                            "'python'");
        return {policy.python, context.workspace(), scratch_.path(),
                toolhost::chosen_environment(policy.environment)};
    }

    // What it printed may say why.
    static std::string printed(const CodeEnd& end) {
        std::string out;
        if (!end.out.empty()) out += "\nstdout:\n" + end.out;
        if (!end.err.empty()) out += "\nstderr:\n" + end.err;
        return out;
    }

    static void fail_if_failed(const CodeEnd& end, const json& report, const Bounds& bounds,
                               toolhost::Context& context) {
        if (end.outcome == Outcome::timed_out)
            context.fail("tool_failed",
                         "timed out after " + std::to_string(bounds.timeout.count()) +
                             " ms; the code was ended with all that it had started" + printed(end));
        if (end.outcome != Outcome::finished)
            context.fail("tool_failed", end.problem + printed(end));
        if (const auto trace = text_at(report, "traceback"); !trace.empty())
            context.fail("tool_failed", trace + printed(end));
        if (report.contains("exit") && report.at("exit").is_number_integer() &&
            report.at("exit") != 0)
            context.fail("tool_failed",
                         "the code exited with " + report.at("exit").dump() + printed(end));
    }

    static toolhost::Reply answer(CodeEnd end, const json& report) {
        Output out;
        out.output = end.out;
        out.error = end.err;
        std::string text = end.out + (end.err.empty() ? "" : "stderr:\n" + end.err);
        if (!text.empty() && text.back() != '\n') text += '\n';
        const auto value = report.value("value", json::object());
        if (const auto held = text_at(value, "json"); !held.empty()) {
            auto parsed = is_shallow(held, kDeepestValue) ? json::parse(held, nullptr, false)
                                                          : json(json::value_t::discarded);
            if (!parsed.is_discarded()) out.value = std::optional(std::move(parsed));
            text += held + '\n';
        } else if (const auto shown = text_at(value, "repr"); !shown.empty()) {
            out.value_repr = std::optional(shown);
            text += shown + '\n';
        }
        add_notes(report, end, out);
        if (text.empty()) text = "(no output)";
        std::vector<std::string> names;
        for (const auto& image : end.images) names.push_back(image.name);
        if (!names.empty()) out.images = std::optional(names);
        auto reply = toolhost::Reply().text(text).json(out);
        for (const auto& image : end.images) reply.image(image.format, image.bytes);
        return reply;
    }

    static void add_notes(const json& report, const CodeEnd& end, Output& out) {
        auto notes = end.notes;
        std::vector<std::string> kept;
        if (report.contains("kept") && report.at("kept").is_array()) {
            for (const auto& name : report.at("kept"))
                if (name.is_string() && kept.size() < 200)
                    kept.push_back(name.get<std::string>().substr(0, 80));
            out.variables = std::optional(kept);
        }
        if (report.contains("lost") && report.at("lost").is_object())
            for (const auto& [name, why] : report.at("lost").items())
                if (notes.size() < 20)
                    notes.push_back("variable " + name + " is not kept: " +
                                    (why.is_string() ? why.get<std::string>() : ""));
        if (!notes.empty()) out.notes = std::optional(notes);
    }

    Scratch scratch_;
    Sessions sessions_;
};

toolhost::Tool tool() {
    return toolhost::tool<&PythonExec::run>(
               "python_exec",
               "Runs Python code and returns what it prints, the value of its last expression, and "
               "the pictures it makes. Use it to compute, to analyse data and to transform files "
               "of "
               "the workspace. Not for the network, which it cannot reach, nor for programs that "
               "serve or wait: everything that the code starts ends with the call. What is "
               "installed beside the standard library depends on the machine; modules of the "
               "workspace are found after sys.path.insert(0, '.'), and multiprocessing does not "
               "work in the sandbox. The barrier is the "
               "tool's sandbox, not a list of imports: in a profile without one, the code can do "
               "whatever the user can.")
        .title("Python")
        .version("1.0.0")
        .category("compute")
        .needs({.read = true, .write = true, .exec = true, .optional = {"write"}})
        .stateful()
        .require("command:python3")
        .requires_consent()
        .policy<Policy>()
        .output<Output>()
        .hints({.read_only = false, .destructive = true, .idempotent = false, .open_world = false})
        .example({{"code", "sum(n * n for n in range(10))"}}, "The value of an expression: 285.")
        .example({{"code", "import statistics\nstatistics.mean(input_data['values'])"},
                  {"input", {{"values", {1, 2, 6}}}}},
                 "Data that comes with the call.")
        .example({{"code", "total = 1\nprint(total)"}, {"stateless", false}},
                 "A variable that the next call with stateless false finds.");
}

}  // namespace
}  // namespace python_exec

TOOLHOST_PLUGIN(toolhost::family("python_exec"), toolhost::concurrent, python_exec::tool())
