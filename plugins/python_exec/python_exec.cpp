// The tool `python_exec`: its input, policy and answer. interpreter/ contains the logic.
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
          "The Python code. If its last statement is an expression, its value is returned, "
          "together with the printed output. Pictures that it saves in its working folder or "
          "leaves open in matplotlib are returned as images.",
          MaxLength<200000>>
        code;
    Field<int, "The timeout in seconds; at most the policy's max_timeout_s.", Min<1>, Max<604800>>
        timeout = 30;
    Field<json, "Any JSON value; available to the code as the variable input_data."> input =
        json(nullptr);
    Field<bool,
          "true: each call starts with empty state. false: variables, functions, classes and "
          "imports of earlier such calls of the session are kept. Open files, threads and "
          "generators are not kept; the result lists what was lost. A client has one session, or "
          "one per sessionId of the invocation state; it ends with the tool's process.">
        stateless = true;
    Field<bool, "Reset the session before the code runs."> reset_state = false;
};

struct Policy {
    Field<std::string, "The interpreter: Python 3.8 or later."> python =
        std::string("/usr/bin/python3");
    Field<int, "The maximum timeout of one call, in seconds.", Min<1>, Max<604800>> max_timeout_s =
        60;
    Field<int, "The maximum size of the output, and of the value of the last expression.", Min<100>,
          Max<10000000>>
        max_output_chars = 8000;
    Field<int, "The maximum number of images that one call returns.", Min<0>, Max<100>> max_images =
        4;
    Field<int, "The maximum size of an image, in KiB.", Min<1>, Max<65536>> max_image_kb = 2048;
    Field<int, "The maximum size of the variables of one session, in KiB.", Min<1>, Max<262144>>
        max_state_kb = 8192;
    Field<int, "The memory limit of the code, in MiB; the profile's limits.memoryMb also applies.",
          Min<64>, Max<1048576>>
        max_memory_mb = 512;
    Field<std::vector<std::string>, "Environment variables passed to the code; globs.">
        environment = {"PATH", "LANG", "LC_*", "TZ"};
};

struct Output {
    Field<std::string, "The standard output of the code."> output;
    Field<std::string, "The standard error of the code."> error;
    Field<std::optional<json>, "The value of the last expression, if JSON can represent it."> value;
    Field<std::optional<std::string>,
          "The value as Python's repr, if JSON cannot represent it: integers beyond 64 bits, keys "
          "that are not strings, more than 100 levels, other types.">
        value_repr;
    Field<std::optional<std::vector<std::string>>, "The file names of the returned images."> images;
    Field<std::optional<std::vector<std::string>>, "The variables kept for the next call.">
        variables;
    Field<std::optional<std::vector<std::string>>, "What was omitted or lost, and why."> notes;
};

// A folder that is removed by its destructor.
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

// The variables of the most recent sessions, in memory: they end with the tool's process.
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
        constexpr std::size_t kMax = 8;
        if (all_.size() > kMax) all_.pop_front();
    }

private:
    std::mutex mutex_;
    std::deque<std::pair<std::string, std::string>> all_;
};

// The session: named by the invocation state, or else the default. The process serves one caller,
// because the tool is stateful.
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
            context.warn(
                "cannot create a process group: processes that the code started may remain");
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
            context.fail("tool_failed", "cannot create a folder for temporary files");
        if (::access(policy.python.c_str(), X_OK) != 0)
            context.fail("tool_failed", "no interpreter " + policy.python.get() +
                                            ": install python3, or set the policy's 'python'");
        return {policy.python, context.workspace(), scratch_.path(),
                toolhost::chosen_environment(policy.environment)};
    }

    // Its output may contain the reason.
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
                             " ms; the code and all processes that it started were ended" +
                             printed(end));
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
               "Runs Python code and returns its output, the value of its last expression, and the "
               "pictures it creates. Use it to compute, to analyse data and to transform files of "
               "the workspace. It has no network access and is not for servers or programs that "
               "wait: all processes that the code starts end with the call. Modules beside the "
               "standard library depend on the machine; modules of the workspace can be imported "
               "after sys.path.insert(0, '.'), and multiprocessing does not work in the sandbox. "
               "The sandbox restricts the code, not a list of imports: under a profile without a "
               "sandbox, the code can do whatever the user can.")
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
                 "Data passed with the call.")
        .example({{"code", "total = 1\nprint(total)"}, {"stateless", false}},
                 "A variable that the next call with stateless false can use.");
}

}  // namespace
}  // namespace python_exec

TOOLHOST_PLUGIN(toolhost::family("python_exec"), toolhost::concurrent, python_exec::tool())
