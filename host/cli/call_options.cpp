#include "host/cli/call_options.hpp"

#include <spdlog/spdlog.h>

#include <charconv>
#include <iostream>

#include "host/base/json_text.hpp"
#include "host/cli/repeatable.hpp"
#include "host/policy/tool_settings.hpp"

namespace toolhost::cli {
namespace {

constexpr std::int64_t kLongestMs = 604'800'000;  // one week, as in a profile

Result<std::map<std::string, call::Answer>> parse_answers(const std::vector<std::string>& words) {
    std::map<std::string, call::Answer> answers;
    for (const auto& word : words) {
        const auto equals = word.find('=');
        auto value =
            parse_json(std::string_view(word).substr(std::min(equals, word.size() - 1) + 1));
        if (equals == std::string::npos || !value)
            return Error{ErrorCode::invalid_input,
                         "--answer must be ID=JSON, such as ask-0123...cdef=true, but is " + word,
                         {}};
        answers[word.substr(0, equals)] = {TOOL_OK, *std::move(value)};
    }
    return answers;
}

std::string wrong_timeout(const std::string& text) {
    return parse_timeout(text)
               ? ""
               : "must be a time of at most one week, such as 5000, 500ms, 30s or 2m";
}

std::string wrong_setting(const std::string& word) {
    const auto equals = word.find('=');
    return equals != std::string::npos && equals > 0 && word[0] != '{' && word[0] != '[' &&
                   word[0] != '@'
               ? ""
               : "must be SETTING=VALUE or SETTING:=JSON, such as maxOutputChars=5000";
}

}  // namespace

void add_call_options(CLI::App& app, CallOptions& options) {
    auto* reference = app.add_option("REF", options.reference,
                                     "A tool, as NAME, native:FAMILY.NAME or NAME@VERSION")
                          ->type_name("TOOL");
    app.add_option("INPUT", options.words,
                   "JSON, - (stdin), @FILE, or KEY=VALUE and KEY:=JSON pairs")
        ->type_name("INPUT");
    app.add_flag("-y,--yes", options.yes,
                 "Consent to this call in advance; nested calls still need consent");
    app.add_option("--timeout", options.timeout,
                   "Set a timeout shorter than the profile's: 5000 (ms), 500ms, 30s, 2m")
        ->type_name("TIME")
        ->check(wrong_timeout);
    auto* set = repeatable(app.add_option("--set", options.settings,
                                          "Override a setting or policy key of the tool for this "
                                          "call (repeatable)"))
                    ->type_name("SETTING=VALUE")
                    ->check(wrong_setting);
    app.add_option("--state", options.state, "Set the invocation state, which the tool can read")
        ->type_name("JSON");
    app.add_flag("--stream", options.stream, "Print what the tool emits as JSON lines");
    repeatable(app.add_option("--answer", options.answers,
                              "Answer a question of an interrupted call (repeatable)"))
        ->type_name("ID=JSON");
    app.add_option("--events", options.events, "Append events to FILE as JSON lines")
        ->type_name("FILE|-");
    app.add_flag("--stats", options.stats, "Print counters per tool on stderr at the end");
    auto* batch = app.add_option("--batch", options.batch,
                                 "Make many calls: one request per line, one result per line")
                      ->type_name("FILE.jsonl|-")
                      ->excludes(reference)
                      ->excludes(set);
    app.add_option("--jobs", options.jobs,
                   "Run at most N calls of a batch in parallel; the default is one per core")
        ->type_name("N")
        ->check(CLI::Range(1, 256))
        ->needs(batch);
    app.add_flag("--sequential", options.sequential, "Run the calls of a batch one at a time")
        ->needs(batch);
}

std::optional<std::int64_t> parse_timeout(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (fault != std::errc() || value < 1) return std::nullopt;
    const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
    std::int64_t factor = 0;
    if (unit.empty() || unit == "ms") factor = 1;
    if (unit == "s") factor = 1000;
    if (unit == "m" || unit == "min") factor = 60'000;
    if (factor == 0 || value > kLongestMs / factor) return std::nullopt;
    return value * factor;
}

boost::system::result<void, InputFault> apply_settings(const CallOptions& options,
                                                       core::Host& host) {
    const auto catalogue = host.catalogue();
    const auto tool = catalogue->resolve(options.reference);
    if (!tool) return {};  // the call reports the error
    const auto& spec = (*tool)->spec;
    if (!options.settings.empty()) {
        auto values = read_input(options.settings, policy::settings_schema(spec), std::cin);
        if (!values) {
            auto fault = values.error();
            fault.message = "--set: " + fault.message;
            return fault;
        }
        if (auto ok = host.set_policy(spec, *values, "--set"); !ok)
            return InputFault{Exit::invalid, ok.error().message};
    }
    const auto allowed = host.configuration().profile->limits(spec).timeout_ms;
    if (const auto wanted = parse_timeout(options.timeout); wanted && *wanted > allowed)
        spdlog::warn(
            "--timeout has no effect: the profile limits '{}' to {} ms; use --set timeoutMs={}",
            spec.name, allowed, *wanted);
    return {};
}

boost::system::result<call::ToolUse, InputFault> make_use(const CallOptions& options,
                                                          const registry::Catalogue& catalogue) {
    call::ToolUse use;
    use.reference = options.reference;
    use.consented = options.yes;
    use.timeout_ms = parse_timeout(options.timeout);
    auto state = parse_json(options.state);
    if (!state || !state->is_object())
        return InputFault{Exit::invalid, "--state must be a JSON object"};
    use.state = dump(*state);
    auto answers = parse_answers(options.answers);
    if (!answers) return InputFault{Exit::invalid, answers.error().message};
    use.answers = *std::move(answers);
    use.attempt = static_cast<std::uint32_t>(use.answers.size());
    if (auto tool = catalogue.resolve(use.reference)) {
        auto input = read_input(options.words, (*tool)->spec.input_schema(), std::cin);
        if (!input) return input.error();
        use.input = *std::move(input);
    }
    return use;
}

}  // namespace toolhost::cli
