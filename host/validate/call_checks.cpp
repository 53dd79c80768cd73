// Checks of how calls end: examples, generated inputs, replies, cancellation.
#include <algorithm>

#include "host/base/json_text.hpp"
#include "host/call/content.hpp"
#include "host/validate/checks.hpp"

namespace toolhost::validate {
namespace {

std::string outcome_text(const CallRecord& record) {
    std::string out = record.sample.what;
    if (record.result.error)
        out += ": " + std::string(info(record.result.error->code).name) + ": " +
               record.result.error->message.substr(0, 300);
    return out;
}

// Reports each tool of which no call was judged, and why.
void skip_unrun(Bench& bench, CheckResult& result) {
    for (const auto& tool : bench.tools()) {
        if (auto reason = bench.reason_not_to_run(tool); !reason.empty()) {
            result.skip(tool.spec.name, std::move(reason));
            continue;
        }
        const auto& records = bench.records();
        const auto own = [&](const CallRecord& record) { return record.tool == &tool; };
        const auto first = std::ranges::find_if(records, own);
        if (first == records.end())
            result.skip(tool.spec.name, "cannot generate a valid input from its schema");
        else if (first->refused())
            result.skip(tool.spec.name, outcome_text(*first));
    }
}

// Visits the calls that were not refused.
template <class Visit>
void for_each_call(Bench& bench, const Visit& visit) {
    for (const auto& record : bench.records())
        if (!record.refused()) visit(record);
}

// The text of all text blocks.
std::string text_of(const call::Content& content) {
    std::string out;
    for (const auto& block : content)
        if (block.kind == call::ContentKind::text) out += block.value.get<std::string>();
    return out;
}

// `output` is the expected json block or text; `isError` and `error` (a code) declare a failure.
void judge_example(const CallRecord& record, CheckResult& result) {
    const Json& example = *record.example;
    const auto& name = record.tool->spec.name;
    const bool should_fail =
        (example.contains("isError") && example["isError"] == true) || example.contains("error");
    if (should_fail) {
        if (record.result.ok())
            result.fail(name, record.sample.what + " succeeds, but is declared to fail");
        else if (const auto code = example.find("error");
                 code != example.end() && code->is_string() &&
                 *code != Json(info(record.result.error->code).name))
            result.fail(name,
                        outcome_text(record) + "; the example expects " + code->get<std::string>());
        return;
    }
    if (!record.result.ok()) {
        // The empty workspace does not contain the files that a tool may need.
        const bool by_the_tool = record.code() == ErrorCode::tool_failed ||
                                 record.code() == ErrorCode::policy_denied ||
                                 record.code() == ErrorCode::interrupted;
        if (by_the_tool)
            result.warn(name, outcome_text(record));
        else
            result.fail(name, outcome_text(record));
        return;
    }
    const auto output = example.find("output");
    if (output == example.end()) return;
    const Json* json = call::json_block(record.result.content);
    const bool same = (json && *json == *output) ||
                      (output->is_string() && *output == Json(text_of(record.result.content)));
    if (!same)
        result.fail(name, record.sample.what + ": the output is " +
                              dump(json ? *json : to_json(record.result.content)).substr(0, 200) +
                              ", the example expects " + dump(*output).substr(0, 200));
}

}  // namespace

void check_worker(Bench& bench, CheckResult& result) {
    skip_unrun(bench, result);
    for_each_call(bench, [&](const CallRecord& record) {
        ++result.judged;
        if (record.code() == ErrorCode::plugin_unavailable ||
            record.code() == ErrorCode::plugin_quarantined || record.code() == ErrorCode::internal)
            result.fail(record.tool->spec.name, outcome_text(record));
    });
}

void check_examples(Bench& bench, CheckResult& result) {
    skip_unrun(bench, result);
    for_each_call(bench, [&](const CallRecord& record) {
        if (!record.example) return;
        ++result.judged;
        judge_example(record, result);
    });
    if (result.judged == 0 && result.problems.empty()) result.skip("", "no examples");
}

void check_valid_inputs(Bench& bench, CheckResult& result) {
    skip_unrun(bench, result);
    for_each_call(bench, [&](const CallRecord& record) {
        if (record.example) return;
        ++result.judged;
        const auto& name = record.tool->spec.name;
        if (record.code() == ErrorCode::plugin_crashed || record.code() == ErrorCode::timeout)
            result.fail(name, outcome_text(record));
        else if (record.code() == ErrorCode::resource_exhausted ||
                 record.code() == ErrorCode::output_too_large)
            result.warn(name, outcome_text(record) + "; limit the field in the schema");
        else if (record.cancelled)
            result.warn(name, record.sample.what + ": runs longer than " +
                                  std::to_string(kTimeout.count()) + " ms and was cancelled");
    });
}

void check_invalid_inputs(Bench& bench, CheckResult& result) {
    for (const auto& tool : bench.tools()) {
        if (accepts_unknown_fields(tool.spec))
            result.warn(tool.spec.name,
                        "accepts unknown fields, so a misspelled field is ignored: set "
                        "\"additionalProperties\": false");
        for (auto& sample : invalid_inputs(tool.spec)) {
            const auto record = bench.call(tool, std::move(sample));
            if (record.refused()) {
                result.skip(tool.spec.name, outcome_text(record));
                break;
            }
            ++result.judged;
            if (record.code() != ErrorCode::invalid_input)
                result.fail(tool.spec.name, outcome_text(record) + " (expected invalid_input)");
        }
    }
}

void check_replies(Bench& bench, CheckResult& result) {
    skip_unrun(bench, result);
    for_each_call(bench, [&](const CallRecord& record) {
        ++result.judged;
        if (record.code() == ErrorCode::invalid_reply)
            result.fail(record.tool->spec.name, outcome_text(record));
    });
}

void check_output(Bench& bench, CheckResult& result) {
    skip_unrun(bench, result);
    for_each_call(bench, [&](const CallRecord& record) {
        if (!record.tool->spec.output_schema()) return;
        ++result.judged;
        if (record.code() == ErrorCode::invalid_output)
            result.fail(record.tool->spec.name, outcome_text(record));
    });
    if (result.judged == 0 && result.problems.empty())
        result.skip("", "no tool has an output schema");
}

void check_cancel(Bench& bench, CheckResult& result) {
    skip_unrun(bench, result);
    const auto judge = [&](const CallRecord& record) {
        ++result.judged;
        if (record.ignored_cancel)
            result.fail(record.tool->spec.name, record.sample.what + ": still runs " +
                                                    std::to_string(bench.grace().count()) +
                                                    " ms after it was cancelled");
    };
    const registry::Tool* tried = nullptr;
    for_each_call(bench, [&](const CallRecord& record) {
        if (record.cancelled) {
            judge(record);
            tried = record.tool;
        } else if (record.tool != tried) {
            tried = record.tool;
            const auto again = bench.call_cancelled(*record.tool, record.sample);
            if (!again.refused()) judge(again);
        }
    });
}

void check_printing(Bench& bench, CheckResult& result) {
    ++result.judged;
    if (const auto& output = bench.finding().output; !output.empty())
        result.warn("", "prints while loading: " + output.substr(0, 100));
    std::vector<const registry::Tool*> told_of;
    for_each_call(bench, [&](const CallRecord& record) {
        ++result.judged;
        if (record.printed.empty() || std::ranges::find(told_of, record.tool) != told_of.end())
            return;
        told_of.push_back(record.tool);
        result.warn(record.tool->spec.name, record.sample.what +
                                                " prints: " + record.printed.substr(0, 100) +
                                                "; log through the host instead");
    });
}

}  // namespace toolhost::validate
