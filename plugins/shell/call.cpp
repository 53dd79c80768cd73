// One call: checks and runs its commands, and reports their results.
#include <unistd.h>

#include <atomic>
#include <mutex>
#include <thread>
#include <toolhost/process.hpp>
#include <toolhost/process_text.hpp>

#include "command/run.hpp"
#include "types.hpp"

namespace shell {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

// A list given as text was not checked by the schema, so its limits are checked here.
void check_listed(const std::vector<Item>& items) {
    const auto refuse = [](const std::string& at, const char* why) {
        throw toolhost::BadInput("/command" + at, why);
    };
    if (items.empty() || items.size() > 30) refuse("", "a list must have 1 to 30 commands");
    for (std::size_t i = 0; i < items.size(); ++i) {
        const auto at = "/" + std::to_string(i);
        const auto* object = std::get_if<OneCommand>(&items[i]);
        const auto& text = object ? object->command.get() : std::get<std::string>(items[i]);
        if (text.empty()) refuse(at, "a command must not be empty");
        if (object && object->timeout && (*object->timeout < 1 || *object->timeout > 604800))
            refuse(at + "/timeout", "must be 1 to 604800");
    }
}

// Models also write lists as text.
std::optional<std::vector<Item>> listed_in(const std::string& text) {
    if (!text.starts_with("[\"") && !text.starts_with("[{")) return {};
    const auto json = nlohmann::json::parse(text, nullptr, false);
    if (!json.is_array()) return {};  // it is a command after all
    try {
        auto items = toolhost::read_json<std::vector<Item>>(json);
        check_listed(items);
        return items;
    } catch (const toolhost::BadInput&) {
        throw;
    } catch (const toolhost::BadValue& bad) {
        const auto before = bad.pointer().empty() ? 0 : bad.pointer().size() + 2;
        throw toolhost::BadInput("/command" + bad.pointer(), bad.what() + before);
    }
}

std::vector<Item> items_of(const Input& in) {
    if (const auto* list = std::get_if<1>(&in.command.get())) return *list;
    if (const auto* one = std::get_if<2>(&in.command.get())) return {*one};
    const auto& text = std::get<0>(in.command.get());
    if (auto listed = listed_in(text)) return *std::move(listed);
    return {text};
}

class Call {
public:
    Call(const Input& in, toolhost::Context& context)
        : in_(in), context_(context), policy_(context.policy<Policy>()) {
        std::error_code fault;
        auto workspace = fs::canonical(context.workspace(), fault);
        if (fault)
            context.fail("tool_failed", "the workspace " + context.workspace().string() +
                                            " cannot be entered: " + fault.message());
        const char* path = ::getenv("PATH");
        settings_.rules = {workspace, policy_.allowed_commands, policy_.denied_commands,
                           path ? path : "/usr/bin:/bin", policy_.confine_paths};
        settings_.allow_shell = policy_.allow_shell;
        settings_.environment = toolhost::chosen_environment(policy_.environment);
        settings_.cancelled = [this] { return stop_ || context_.cancelled(); };
        settings_.output = [this](int, std::string_view text) { context_.text(text); };
    }

    toolhost::Reply answer() {
        plan();
        ends_.resize(jobs_.size());
        in_.parallel ? run_together() : run_in_turn();
        context_.stop_if_cancelled();
        return conclude();
    }

private:
    // All commands are checked before the first one runs.
    void plan() {
        const auto items = items_of(in_);
        const auto* text = std::get_if<std::string>(&in_.command.get());
        const bool list = std::holds_alternative<std::vector<Item>>(in_.command.get()) ||
                          (text && listed_in(*text));
        const auto each = static_cast<std::size_t>(policy_.max_output_chars.get()) / items.size();
        settings_.max_output = std::max<std::size_t>(each / 2, 50);
        const auto common = folder_of(in_.work_dir, settings_.rules.workspace, "/work_dir");
        auto folder = common;
        for (std::size_t i = 0; i < items.size(); ++i) {
            const auto at = "/command" + (list ? "/" + std::to_string(i) : std::string());
            const auto* object = std::get_if<OneCommand>(&items[i]);
            Job job{object ? object->command.get() : std::get<std::string>(items[i]), folder,
                    time_for(object ? object->timeout.get() : std::nullopt)};
            if (object && object->work_dir) {
                job.folder = folder_of(object->work_dir, common, at + "/work_dir");
                own_folder_.push_back(true);
            } else {
                own_folder_.push_back(false);
            }
            auto after = job.folder;
            refuse(check(settings_, job.command, after), object ? at + "/command" : at);
            if (!in_.parallel && !own_folder_.back()) folder = after;
            jobs_.push_back(std::move(job));
        }
    }

    void refuse(const Refused& refused, const std::string& at) const {
        if (!refused) return;
        if (refused->reason.empty()) throw toolhost::BadInput(at, refused->message);
        context_.deny(refused->reason, refused->message);
    }

    fs::path folder_of(const std::optional<std::string>& given, const fs::path& usual,
                       const std::string& at) const {
        if (!given) return usual;
        const auto& workspace = settings_.rules.workspace;
        const auto folder = resolved(workspace, *given);
        if (!is_within(workspace, folder))
            context_.deny(
                Reason("path_not_allowed"),
                "work_dir '" + *given + "' is outside the workspace " + workspace.string());
        std::error_code fault;
        if (!fs::is_directory(folder, fault))
            throw toolhost::BadInput(at, "no folder '" + *given + "' in the workspace");
        return folder;
    }

    [[nodiscard]] milliseconds time_for(const std::optional<int>& own) const {
        const int most = policy_.max_timeout_s;
        const int asked = own ? *own : in_.timeout ? *in_.timeout : most;
        return toolhost::time_for_programs(milliseconds(1000) * std::min(asked, most),
                                           context_.remaining());
    }

    void run_one(std::size_t i) {
        jobs_[i].timeout = toolhost::time_for_programs(jobs_[i].timeout, context_.remaining());
        ends_[i] = run(settings_, jobs_[i]);
        if (!ends_[i]->whole_tree)
            context_.warn(
                "cannot create a process group: processes that the command started may remain");
        if (ends_[i]->exit_code != 0 && !in_.ignore_errors) stop_ = true;
        const std::lock_guard lock(mutex_);
        if (jobs_.size() > 1)
            context_.progress(static_cast<double>(++done_), static_cast<double>(jobs_.size()));
    }

    void run_in_turn() {
        auto folder = jobs_[0].folder;
        for (std::size_t i = 0; i < jobs_.size() && !settings_.cancelled(); ++i) {
            if (!own_folder_[i]) jobs_[i].folder = folder;
            run_one(i);
            if (!own_folder_[i]) folder = jobs_[i].folder;
        }
    }

    // Few threads: the profile's limit on processes includes them.
    void run_together() {
        std::atomic<std::size_t> next = 0;
        const auto work = [&] {
            for (std::size_t i = next++; i < jobs_.size() && !settings_.cancelled(); i = next++)
                run_one(i);
        };
        std::vector<std::thread> threads;
        for (std::size_t i = 1; i < std::min<std::size_t>(jobs_.size(), 4); ++i) try {
                threads.emplace_back(work);
            } catch (const std::system_error&) {
                break;  // continue with fewer threads
            }
        work();
        for (auto& thread : threads) thread.join();
    }

    [[nodiscard]] CommandResult result_of(std::size_t i) const {
        CommandResult out;
        // Limits the message, however long the command was.
        constexpr std::size_t kShown = 150;
        toolhost::BoundedText shown(kShown);
        shown.append(jobs_[i].command);
        out.command = shown.text();
        if (!ends_[i] || ends_[i]->cancelled) {
            out.status = "skipped";
            out.error = ends_[i] ? "ended because another command failed" : "not run";
            return out;
        }
        const auto& end = *ends_[i];
        out.exit_code = end.exit_code;
        out.status = end.exit_code == 0 && !end.refused ? "success" : "error";
        out.output = end.output;
        out.error = end.error;
        if (end.refused) out.error.get() += end.refused->message + '\n';
        if (end.timed_out)
            out.error.get() += "timed out after " + std::to_string(jobs_[i].timeout.count()) +
                               " ms; the command and all processes that it started were ended\n";
        out.duration_ms = end.took.count();
        out.truncated = end.cut;
        return out;
    }

    [[nodiscard]] toolhost::Reply conclude() const {
        Output out;
        std::string text;
        for (std::size_t i = 0; i < jobs_.size(); ++i) {
            // Some refusals become visible only at run time: a link, a folder.
            if (ends_[i]) refuse(ends_[i]->refused, "/command");
            auto result = result_of(i);
            (result.status == "success" ? out.successful.get() : out.failed.get()) += 1;
            if (jobs_.size() > 1) text += "$ " + result.command.get() + '\n';
            text += result.output.get() + result.error.get();
            if (!text.empty() && text.back() != '\n') text += '\n';
            if (result.status != "success")
                text += "[exit code " + std::to_string(result.exit_code) + "]\n";
            out.results.push_back(std::move(result));
        }
        if (out.failed > 0 && !in_.ignore_errors)
            context_.fail("tool_failed",
                          std::to_string(out.failed) + " of " + std::to_string(jobs_.size()) +
                              (jobs_.size() == 1 ? " command" : " commands") + " failed:\n" + text);
        return toolhost::Reply().text(text.empty() ? "(no output)" : text).json(out);
    }

    const Input& in_;
    toolhost::Context& context_;
    Policy policy_;
    Settings settings_;
    std::vector<Job> jobs_;
    std::vector<bool> own_folder_;
    std::vector<std::optional<JobEnd>> ends_;
    std::atomic<bool> stop_ = false;
    std::mutex mutex_;
    int done_ = 0;
};

}  // namespace

toolhost::Reply run_commands(const Input& in, toolhost::Context& context) {
    return Call(in, context).answer();
}

}  // namespace shell
