#include <spdlog/logger.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <mutex>
#include <thread>

#include "host/call/batch.hpp"
#include "host/call/event_log.hpp"
#include "host/cli/asking.hpp"
#include "host/cli/call_output.hpp"
#include "host/cli/ctrl_c.hpp"
#include "host/cli/host_files.hpp"
#include "host/cli/input.hpp"
#include "host/cli/list_command.hpp"
#include "host/cli/progress_bar.hpp"
#include "host/cli/result_stream.hpp"
#include "host/cli/session.hpp"
#include "host/cli/terminal.hpp"
#include "host/registry/json_text.hpp"
#include "toolhost/plugin.h"

namespace toolhost::cli {
namespace {

struct Arguments {
    std::string reference;
    std::vector<std::string> words;
    std::string state = "{}";
    std::vector<std::string> answers;
    std::string events;
    std::string batch;
    unsigned jobs = 0;  // 0: as many as there are cores
    bool sequential = false, stream = false, stats = false;
};

void log_line(int level, std::string_view message) {
    static constexpr spdlog::level::level_enum kLevels[] = {
        spdlog::level::debug, spdlog::level::info, spdlog::level::warn, spdlog::level::err};
    auto known = std::min(std::max(level, 0), static_cast<int>(TOOL_LOG_ERROR));
    spdlog::log(kLevels[known], "tool: {}", printable(message));
}

// Lines of emits and results, never mixed within one. Where events go to stdout, too, all lines
// have one writer.
class Lines {
public:
    explicit Lines(std::shared_ptr<spdlog::logger> events) : events_(std::move(events)) {}
    void print(const std::string& line) {
        if (events_) return events_->info(line);
        std::lock_guard lock(one_at_a_time_);
        std::cout << line << std::endl;
    }

private:
    std::shared_ptr<spdlog::logger> events_;
    std::mutex one_at_a_time_;
};

Json parsed_or_text(std::string_view json) {
    auto value = parse_json(json);
    return value ? *std::move(value) : Json(std::string(json));
}

std::shared_ptr<const call::Watch> make_watch(const Arguments& arguments,
                                              const std::shared_ptr<const CtrlC>& ctrl_c,
                                              Lines& lines, ProgressBar& bar) {
    auto watch = std::make_shared<call::Watch>();
    watch->log = [&bar](int level, std::string_view message) {
        bar.clear();
        log_line(level, message);
    };
    watch->cancel = ctrl_c->cancel();
    watch->abandon = ctrl_c->abandon();
    if (arguments.stream)
        watch->emit = [&lines](auto use_id, auto kind, auto json) {
            lines.print(
                dump({{"toolUseId", use_id}, {"emit", kind}, {"data", parsed_or_text(json)}}));
        };
    else if (::isatty(STDERR_FILENO) == 1 && arguments.batch.empty())
        watch->emit = [&bar](auto, auto kind, auto json) {
            if (kind == "progress") bar.show(json);
        };
    if (can_ask()) {
        watch->ask = [ctrl_c](const call::Question& question) { return ask(question, *ctrl_c); };
        watch->consent = [ctrl_c](const call::ConsentQuestion& question) {
            return ask_consent(question, *ctrl_c);
        };
    }
    return watch;
}

Result<std::map<std::string, call::Answer>> parse_answers(const std::vector<std::string>& words) {
    std::map<std::string, call::Answer> answers;
    for (const auto& word : words) {
        const auto equals = word.find('=');
        auto value =
            parse_json(std::string_view(word).substr(std::min(equals, word.size() - 1) + 1));
        if (equals == std::string::npos || !value)
            return Error{ErrorCode::invalid_input,
                         "--answer must be ID=JSON, such as ask-0123456789ab=true, but is " + word,
                         {}};
        answers[word.substr(0, equals)] = {TOOL_OK, *std::move(value)};
    }
    return answers;
}

// The words of the request, made a request; words are typed by the tool's own schema. A tool that
// does not resolve has none, and the call itself says so in the form that was asked for.
boost::system::result<call::ToolUse, InputFault> make_use(const Arguments& arguments,
                                                          const registry::Catalogue& catalogue) {
    call::ToolUse use;
    use.reference = arguments.reference;
    auto state = parse_json(arguments.state);
    if (!state || !state->is_object())
        return InputFault{Exit::invalid, "--state must be a JSON object"};
    use.state = *std::move(state);
    auto answers = parse_answers(arguments.answers);
    if (!answers) return InputFault{Exit::invalid, answers.error().message};
    use.answers = *std::move(answers);
    use.attempt = static_cast<std::uint32_t>(use.answers.size());
    if (auto tool = catalogue.resolve(use.reference)) {
        auto input = read_input(arguments.words, (*tool)->spec.input_schema(), std::cin);
        if (!input) return input.error();
        use.input = *std::move(input);
    }
    return use;
}

Form form_of(const Arguments& arguments, const Options& options) {
    return arguments.stream ? Form::line : options.json ? Form::json : Form::text;
}

Exit call_one(Session& session, const Arguments& arguments, const Options& options) {
    const Form form = form_of(arguments, options);
    auto use = make_use(arguments, *session.catalogue());
    if (!use) {
        const auto& fault = use.error();
        // In the form that was asked for, with the exit code that fits.
        print_result(call::error_result("", {fault.code, fault.message, {}}), form);
        return fault.exit;
    }
    const auto ctrl_c = std::make_shared<const CtrlC>();
    call::ToolResult result;
    {
        ProgressBar bar;
        Lines lines(arguments.events == "-" ? session.events() : nullptr);
        result = session.invoker().call(*std::move(use), make_watch(arguments, ctrl_c, lines, bar));
    }
    if (result.error && result.error->code == ErrorCode::unknown_tool && form == Form::text) {
        warn_of_refused(session, options);
        if (session.catalogue()->tools().empty()) print_folders(std::cerr, session);
    }
    session.flush_events();  // they may go where the result goes
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

Exit call_batch(Session& session, const Arguments& arguments) {
    auto requests = read_requests(arguments.batch);
    if (!requests) {
        print_error(requests.error());
        return Exit::trouble;
    }
    const auto ctrl_c = std::make_shared<const CtrlC>();
    ProgressBar unused;
    Lines lines(arguments.events == "-" ? session.events() : nullptr);
    call::BatchOptions batch;
    batch.jobs = arguments.sequential ? 1
                 : arguments.jobs     ? arguments.jobs
                                      : std::max(1u, std::thread::hardware_concurrency());
    Exit worst = Exit::ok;
    call::call_batch(session.invoker(), *std::move(requests),
                     make_watch(arguments, ctrl_c, lines, unused), batch,
                     [&](const call::ToolResult& result) {
                         lines.print(result.text());
                         if (!result.ok()) worst = Exit::tool_error;
                     });
    session.flush_events();
    return worst;
}

// A plugin in this process can end it by exit(), and an exit code of 0 would then say that all is
// well.
std::atomic<bool> calling{false};
struct Calling {
    Calling() { calling = true; }
    ~Calling() { calling = false; }  // also where a fault of our own ends it
};

void on_exit() {
    if (!calling) return;
    constexpr std::string_view kText =
        "toolhost: plugin_crashed: a plugin ended the process by exit()\n";
    [[maybe_unused]] auto written = ::write(STDERR_FILENO, kText.data(), kText.size());
    ::_exit(static_cast<int>(Exit::tool_error));
}

Exit run_call(const Arguments& arguments, const Options& options) {
    std::atexit(on_exit);  // before the event log's own, which then runs first
    SessionOptions wanted;
    if (arguments.events == "-") {
        wanted.events = call::event_log_to(result_descriptor());
    } else if (!arguments.events.empty()) {
        auto log = call::open_event_log(arguments.events);
        if (!log) {
            print_error(log.error());
            return Exit::trouble;
        }
        wanted.events = *std::move(log);
        wanted.files = {host_file(arguments.events, "its event log")};
    }
    Session session(options, wanted);
    Exit code = [&] {
        const Calling now;
        return arguments.batch.empty() ? call_one(session, arguments, options)
                                       : call_batch(session, arguments);
    }();
    // Who asked for a record and has none must not be told that all is well.
    if (code == Exit::ok && wanted.events && call::lost_events(*wanted.events))
        code = Exit::trouble;
    if (arguments.stats) print_stats(session.invoker().stats(), options.json);
    session.end_if_overdue(code);
    return code;
}

}  // namespace

Action setup_call(CLI::App& app, const Options& options) {
    auto arguments = std::make_shared<Arguments>();
    auto* reference = app.add_option("REF", arguments->reference,
                                     "A tool, as NAME, native:FAMILY.NAME or NAME@VERSION");
    app.add_option("INPUT", arguments->words,
                   "JSON, - (standard input), @FILE, or KEY=VALUE and KEY:=JSON pairs");
    app.add_option("--state", arguments->state, "Invocation state for the tool to read")
        ->type_name("JSON");
    app.add_flag("--stream", arguments->stream, "Print what the tool emits, as JSON lines");
    app.add_option("--answer", arguments->answers,
                   "Answer a question that an earlier attempt ended with (repeatable)")
        ->type_name("ID=JSON")
        ->expected(1)
        ->take_all();
    app.add_option("--events", arguments->events, "Append an event for every step, as JSON lines")
        ->type_name("FILE|-");
    app.add_flag("--stats", arguments->stats, "Print counters per tool on stderr in the end");
    auto* batch = app.add_option("--batch", arguments->batch,
                                 "Make many calls: a request a line, a result a line")
                      ->type_name("FILE.jsonl|-")
                      ->excludes(reference);
    app.add_option("--jobs", arguments->jobs, "How many calls of a batch at once")
        ->type_name("N")
        ->check(CLI::Range(1, 256))
        ->needs(batch);
    app.add_flag("--sequential", arguments->sequential, "One call of a batch after the other")
        ->needs(batch);
    return [=, &options] {
        if (arguments->batch.empty() && arguments->reference.empty()) {
            std::cerr << "toolhost: call needs a tool (REF) or --batch FILE.jsonl\n";
            return Exit::usage;
        }
        for (auto& word : arguments->words) word = as_typed(std::move(word));
        for (auto& word : arguments->answers) word = as_typed(std::move(word));
        return run_call(*arguments, options);
    };
}

}  // namespace toolhost::cli
