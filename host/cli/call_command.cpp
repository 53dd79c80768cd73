#include <spdlog/logger.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <thread>

#include "host/base/json_text.hpp"
#include "host/base/mutex.hpp"
#include "host/call/batch.hpp"
#include "host/call/event_log.hpp"
#include "host/cli/asking.hpp"
#include "host/cli/call_options.hpp"
#include "host/cli/call_output.hpp"
#include "host/cli/ctrl_c.hpp"
#include "host/cli/list_command.hpp"
#include "host/cli/open_host.hpp"
#include "host/cli/progress_bar.hpp"
#include "host/cli/result_stream.hpp"
#include "host/cli/terminal.hpp"
#include "host/host_files.hpp"
#include "toolhost/plugin.h"

namespace toolhost::cli {
namespace {

void log_line(int level, std::string_view message) {
    static constexpr spdlog::level::level_enum kLevels[] = {
        spdlog::level::debug, spdlog::level::info, spdlog::level::warn, spdlog::level::err};
    auto known = std::min(std::max(level, 0), static_cast<int>(TOOL_LOG_ERROR));
    // The output of a worker comes as one debug message; it is readable line by line.
    while (known == TOOL_LOG_DEBUG && message.find('\n') != message.npos) {
        const auto end = message.find('\n');
        spdlog::debug("tool: {}", message.substr(0, end));
        message.remove_prefix(end + 1);
        if (message.empty()) return;
    }
    spdlog::log(kLevels[known], "tool: {}", message);
}

// Writes emits and results line by line. If events go to stdout too, all lines have one writer.
class Lines {
public:
    explicit Lines(std::shared_ptr<spdlog::logger> events) : events_(std::move(events)) {}
    void print(const std::string& line) {
        if (events_) return events_->info(line);
        MutexLock lock(one_at_a_time_);
        results() << result_text(line) << std::endl;
    }

private:
    std::shared_ptr<spdlog::logger> events_;
    Mutex one_at_a_time_;
};

Json parsed_or_text(std::string_view json) {
    auto value = parse_json(json);
    return value ? *std::move(value) : Json(std::string(json));
}

// Displays what a call emits, and asks the user at the terminal.
class TerminalObserver final : public call::CallObserver {
public:
    TerminalObserver(const CallOptions& arguments, std::shared_ptr<const CtrlC> ctrl_c,
                     Lines& lines, ProgressBar& bar)
        : ctrl_c_(std::move(ctrl_c)),
          lines_(lines),
          bar_(bar),
          streams_(arguments.stream),
          shows_bar_(::isatty(STDERR_FILENO) == 1 && arguments.batch.empty()),
          can_ask_(can_ask()) {}

    void emit(std::string_view use_id, std::string_view kind, std::string_view json) override {
        if (streams_)
            lines_.print(
                dump({{"toolUseId", use_id}, {"emit", kind}, {"data", parsed_or_text(json)}}));
        else if (shows_bar_ && kind == "progress")
            bar_.show(json);
    }
    void log(int level, std::string_view message) override {
        bar_.clear();
        log_line(level, message);
    }
    std::optional<call::Answer> ask(const call::Question& question) override {
        if (!can_ask_) return std::nullopt;
        return cli::ask(question, *ctrl_c_);
    }
    std::optional<call::ConsentAnswer> consent(const call::ConsentQuestion& question) override {
        if (!can_ask_) return std::nullopt;
        return ask_consent(question, *ctrl_c_);
    }

private:
    const std::shared_ptr<const CtrlC> ctrl_c_;
    Lines& lines_;
    ProgressBar& bar_;
    const bool streams_, shows_bar_, can_ask_;
};

Form form_of(const CallOptions& arguments, const Options& options) {
    return arguments.stream ? Form::line : options.json ? Form::json : Form::text;
}

Exit call_one(core::Host& host, const CallOptions& arguments, const Options& options) {
    const Form form = form_of(arguments, options);
    // Prints the fault in the requested form and returns its exit code.
    auto refuse = [&](const InputFault& fault) {
        print_result(call::error_result("", {fault.code, fault.message, {}}), form);
        return fault.exit;
    };
    if (auto ok = apply_settings(arguments, host); !ok) return refuse(ok.error());
    auto use = make_use(arguments, *host.catalogue());
    if (!use) return refuse(use.error());
    const auto ctrl_c = std::make_shared<const CtrlC>();
    call::ToolResult result;
    {
        ProgressBar bar;
        Lines lines(arguments.events == "-" ? host.events() : nullptr);
        result = host.invoker().call(
            *std::move(use), std::make_shared<TerminalObserver>(arguments, ctrl_c, lines, bar),
            {ctrl_c->cancel(), ctrl_c->abandon()});
    }
    if (result.error && result.error->code == ErrorCode::unknown_tool && form == Form::text) {
        warn_of_refused(host, options);
        if (host.catalogue()->tools().empty()) print_folders(std::cerr, host);
    }
    host.flush_events();  // they may go to the same place as the result
    return print_result(result, form, typed_again(options));
}

Result<std::vector<Result<call::ToolUse>>> read_requests(const std::string& file) {
    auto text = read_text(file, std::cin);
    if (!text) return Error{text.error().code, text.error().message, {}};
    std::vector<Result<call::ToolUse>> requests;
    std::size_t number = 0;
    for (std::string_view rest = *text; !rest.empty();) {
        const auto end = std::min(rest.find('\n'), rest.size());
        const auto line = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        ++number;
        if (line.find_first_not_of(" \t\r") == line.npos) continue;
        requests.push_back(call::parse_request(line, number));
    }
    return requests;
}

Exit call_batch(core::Host& host, const CallOptions& arguments) {
    auto requests = read_requests(arguments.batch);
    if (!requests) return print_error(requests.error());
    for (auto& request : *requests) {
        if (!request) continue;
        request->consented = arguments.yes;
        request->timeout_ms = parse_timeout(arguments.timeout);
    }
    const auto ctrl_c = std::make_shared<const CtrlC>();
    ProgressBar unused;
    Lines lines(arguments.events == "-" ? host.events() : nullptr);
    call::BatchOptions batch;
    batch.jobs = arguments.sequential ? 1
                 : arguments.jobs     ? arguments.jobs
                                      : std::max(1u, std::thread::hardware_concurrency());
    batch.stop = {ctrl_c->cancel(), ctrl_c->abandon()};
    Exit worst = Exit::ok;
    call::call_batch(host.invoker(), *std::move(requests),
                     std::make_shared<TerminalObserver>(arguments, ctrl_c, lines, unused), batch,
                     [&](const call::ToolResult& result) {
                         lines.print(result.text());
                         if (!result.ok()) worst = Exit::tool_error;
                     });
    host.flush_events();
    return worst;
}

// A plugin in this process can call exit(); an exit code of 0 would then mean success.
std::atomic<bool> calling{false};
struct Calling {
    Calling() { calling = true; }
    ~Calling() { calling = false; }  // also after an exception of the host
};

void on_exit() {
    if (!calling) return;
    constexpr std::string_view kText =
        "toolhost: plugin_crashed: a plugin ended the process with exit()\n";
    [[maybe_unused]] auto written = ::write(STDERR_FILENO, kText.data(), kText.size());
    ::_exit(static_cast<int>(Exit::tool_error));
}

Exit run_call(const CallOptions& arguments, const Options& options) {
    std::atexit(on_exit);  // registered before the event log's handler, which then runs first
    redirect_cout_to_stderr();
    auto wanted = host_options(options);
    if (arguments.events == "-") {
        wanted.events = call::event_log_to(result_descriptor());
    } else if (!arguments.events.empty()) {
        auto log = call::open_event_log(arguments.events);
        if (!log) return print_error(log.error());
        wanted.events = *std::move(log);
        wanted.files = {host_file(arguments.events, "its event log")};
    }
    const auto events = wanted.events;
    auto opened = core::Host::open(std::move(wanted));
    if (!opened) return print_error(opened.error());
    core::Host& host = **opened;
    Exit code = [&] {
        const Calling now;
        return arguments.batch.empty() ? call_one(host, arguments, options)
                                       : call_batch(host, arguments);
    }();
    // A lost event log must not be reported as success.
    if (code == Exit::ok && events && call::lost_events(*events)) code = Exit::trouble;
    if (arguments.stats) print_stats(host.invoker().stats(), options.json);
    end_if_overdue(host, code);
    return code;
}

}  // namespace

Action setup_call(CLI::App& app, const Options& options) {
    auto arguments = std::make_shared<CallOptions>();
    add_call_options(app, *arguments);
    return [=, &options] {
        if (arguments->batch.empty() && arguments->reference.empty()) {
            std::cerr
                << "toolhost: missing argument: call needs a tool (REF) or --batch FILE.jsonl\n";
            return Exit::usage;
        }
        for (auto* words : {&arguments->words, &arguments->answers, &arguments->settings})
            for (auto& word : *words) word = as_typed(std::move(word));
        return run_call(*arguments, options);
    };
}

}  // namespace toolhost::cli
