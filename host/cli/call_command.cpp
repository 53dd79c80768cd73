#include <spdlog/spdlog.h>

#include <csignal>
#include <iostream>
#include <memory>
#include <mutex>

#include "host/cli/input.hpp"
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
    bool stream = false;
};

// Ctrl-C asks the tool to stop; a second one ends the process as usual.
volatile std::sig_atomic_t interrupted = 0;

void on_interrupt(int) {
    interrupted = 1;
    std::signal(SIGINT, SIG_DFL);
}

void log_line(int level, std::string_view message) {
    static constexpr spdlog::level::level_enum kLevels[] = {
        spdlog::level::debug, spdlog::level::info, spdlog::level::warn, spdlog::level::err};
    auto known = std::min(std::max(level, 0), static_cast<int>(TOOL_LOG_ERROR));
    spdlog::log(kLevels[known], "tool: {}", printable(message));
}

Json parsed_or_text(std::string_view json) {
    auto value = parse_json(json);
    return value ? *std::move(value) : Json(std::string(json));
}

call::Watch make_watch(bool stream) {
    call::Watch watch;
    watch.cancelled = [] { return interrupted != 0; };
    watch.log = log_line;
    if (stream)
        watch.emit = [](std::string_view kind, std::string_view json) {
            static std::mutex one_line_at_a_time;
            std::lock_guard lock(one_line_at_a_time);
            std::cout << dump({{"emit", kind}, {"data", parsed_or_text(json)}}) << std::endl;
        };
    return watch;
}

void print_content(const Json& content) {
    // A text block that says the same for people makes the json one noise.
    bool has_text = false;
    for (const auto& block : content) has_text |= block.contains("text");
    for (const auto& block : content) {
        if (auto it = block.find("text"); it != block.end()) {
            const auto& text = it->get_ref<const std::string&>();
            std::cout << text << (text.ends_with('\n') ? "" : "\n");
        } else if (auto json = block.find("json"); json != block.end()) {
            if (!has_text) std::cout << dump(*json, 2) << '\n';
        } else {
            const auto& kind = block.begin().key();
            std::cout << '[' << kind << ", " << block.begin().value().value("format", "?")
                      << ": --json shows its bytes]\n";
        }
    }
}

Exit print_result(const call::ToolResult& result, const Arguments& arguments, bool json) {
    if (arguments.stream)
        std::cout << dump(result.json()) << '\n';  // the last of the lines
    else if (json)
        std::cout << dump(result.json(), 2) << '\n';
    else if (result.ok())
        print_content(result.content);
    if (result.ok()) return Exit::ok;
    if (json || arguments.stream) return info(result.error->code).exit;
    std::cerr << "toolhost: " << info(result.error->code).name << ": "
              << printable(result.error->message) << '\n';
    return info(result.error->code).exit;
}

Exit run_call(const Arguments& arguments, const Options& options) {
    Session session(options);
    call::ToolUse use;
    use.reference = arguments.reference;
    auto state = parse_json(arguments.state);
    if (!state || !state->is_object()) {
        std::cerr << "toolhost: --state must be a JSON object\n";
        return Exit::invalid;
    }
    use.state = *std::move(state);
    // Words are typed by the tool's own schema; a tool that does not resolve has none, and the
    // call itself says so in the form that was asked for.
    auto catalogue = session.catalogue();
    if (auto tool = catalogue->resolve(use.reference)) {
        auto input = read_input(arguments.words, (*tool)->spec.input_schema(), std::cin);
        if (!input && input.error().exit == Exit::invalid)
            return print_result(
                call::error_result("", {input.error().code, input.error().message, {}}), arguments,
                options.json);
        if (!input) {
            std::cerr << "toolhost: " << printable(input.error().message) << '\n';
            return input.error().exit;
        }
        use.input = *std::move(input);
    }
    std::signal(SIGINT, on_interrupt);
    auto result = session.invoker().call(use, make_watch(arguments.stream));
    return print_result(result, arguments, options.json);
}

}  // namespace

Action setup_call(CLI::App& app, const Options& options) {
    auto arguments = std::make_shared<Arguments>();
    app.add_option("REF", arguments->reference,
                   "A tool, as NAME, native:FAMILY.NAME or NAME@VERSION")
        ->required();
    app.add_option("INPUT", arguments->words,
                   "JSON, - (standard input), @FILE, or KEY=VALUE and KEY:=JSON pairs");
    app.add_option("--state", arguments->state, "Invocation state for the tool to read")
        ->type_name("JSON");
    app.add_flag("--stream", arguments->stream, "Print what the tool emits, as JSON lines");
    return [=, &options] {
        for (auto& word : arguments->words) word = as_typed(std::move(word));
        return run_call(*arguments, options);
    };
}

}  // namespace toolhost::cli
