#include "host/validate/bench.hpp"

#include <stdlib.h>

#include <algorithm>
#include <boost/filesystem/operations.hpp>
#include <condition_variable>
#include <cstring>
#include <map>
#include <stdexcept>
#include <thread>

#include "host/base/json_text.hpp"
#include "host/base/mutex.hpp"
#include "host/call/denial.hpp"
#include "host/discovery/candidate.hpp"
#include "host/discovery/probe.hpp"
#include "host/discovery/scan.hpp"
#include "host/policy/layer.hpp"
#include "toolhost/plugin.h"

namespace toolhost::validate {
namespace {

// A tool that fails in every call would otherwise cost a worker or a second for each.
constexpr int kMaxFailures = 3;

std::string make_workspace() {
    std::string folder =
        (boost::filesystem::temp_directory_path() / "toolhost-test-XXXXXX").string();
    if (!::mkdtemp(folder.data()))
        throw std::runtime_error("cannot create a temporary folder: " +
                                 std::string(std::strerror(errno)));
    return folder;
}

// The profile with the temporary workspace, and each tool in a worker.
policy::ProfilePtr in_workspace(const policy::ProfilePtr& profile, const std::string& workspace) {
    const auto base = profile ? profile : policy::built_in_profile();
    auto layer =
        policy::read_layer("workspace: " + dump(workspace) + "\ndefaults: {isolation: process}\n",
                           "toolhost test", base->name());
    if (!layer) throw std::logic_error(layer.error().message);
    auto layers = base->layers();
    layers.push_back(*std::move(layer));
    return std::make_shared<const policy::Profile>(std::move(layers));
}

call::Rules with_workspace(call::Rules rules, const std::string& workspace) {
    rules.profile = in_workspace(rules.profile, workspace);
    return rules;
}

discovery::Finding look_at(const std::string& library, bool own_folder,
                           const BenchOptions& options) {
    discovery::Finding finding;
    finding.candidate.path = library;
    finding.candidate.own_folder = own_folder;
    discovery::check_from_outside(finding);
    if (finding.ok())
        discovery::probe(
            {&finding},
            {.program = options.program, .deadline = options.probe_deadline, .jobs = 1});
    return finding;
}

// Cancels a call that takes too long, then abandons it.
class Timer {
public:
    using Clock = std::chrono::steady_clock;

    Timer(std::stop_source cancel, std::stop_source abandon)
        : thread_([this, cancel, abandon](const std::stop_token& done) mutable {
              if (!wait(done, kTimeout)) return;
              cancelled = Clock::now();
              cancel.request_stop();
              if (!wait(done, kCancelGrace)) return;
              abandon.request_stop();
          }) {}

    void stop() {
        thread_.request_stop();
        thread_.join();
    }

    std::optional<Clock::time_point> cancelled;  // after stop()

private:
    // Returns false if the call has returned.
    bool wait(const std::stop_token& done, std::chrono::milliseconds time) {
        MutexLock lock(mutex_);
        wake_.wait_for(lock.native(), done, time, [] { return false; });
        return !done.stop_requested();
    }

    Mutex mutex_;
    std::condition_variable_any wake_;
    std::jthread thread_;
};

// Output printed by the tool of a call, which is logged as debug lines with a final newline.
class PrintedOutput final : public call::CallObserver {
public:
    void log(int level, std::string_view text) override {
        if (level != TOOL_LOG_DEBUG || !text.ends_with('\n')) return;
        MutexLock lock(mutex_);
        if (text_.size() < kMaxBytes) text_ += text;
    }
    [[nodiscard]] std::string text() const {
        MutexLock lock(mutex_);
        return text_;
    }

private:
    static constexpr std::size_t kMaxBytes = 4096;
    mutable Mutex mutex_;
    std::string text_ GUARDED_BY(mutex_);
};

std::string full_reference(const registry::ToolSpec& spec) {
    return "native:" + spec.family + '.' + spec.name + '@' + spec.version.text();
}

}  // namespace

bool CallRecord::refused() const {
    const auto code = this->code();
    if (!code) return false;
    switch (*code) {
        case ErrorCode::tool_not_allowed:
        case ErrorCode::tool_deprecated:
        case ErrorCode::requirement_missing:
        case ErrorCode::consent_required:
        case ErrorCode::consent_denied:
        case ErrorCode::rate_limited:
            return true;
        case ErrorCode::policy_denied:
            return call::denial_reason(*result.error) == call::name_of(call::Denial::grant_missing);
        default:
            return false;
    }
}

Bench::Bench(const std::string& library, bool own_folder, BenchOptions options)
    : options_(std::move(options)),
      workspace_(make_workspace()),
      finding_(look_at(library, own_folder, options_)),
      runtime_({.program = options_.program, .copies = "", .quarantine = ""}) {
    discovery::ScanReport report;
    report.findings.push_back(finding_);
    auto filled = registry_.change([&](registry::Draft& draft) -> Result<void> {
        discovery::ScanOptions scan;
        scan.probe.program = options_.program;
        scan.writable = {workspace_};
        draft = discovery::take_tools(report, scan);
        return {};
    });
    if (!filled) throw std::logic_error(filled.error().message);
    catalogue_ = registry_.snapshot();
    invoker_ = std::make_unique<call::Invoker>(
        registry_, runtime_,
        call::InvokerOptions{
            with_workspace(options_.rules, workspace_), options_.side_effects, {}});
}

Bench::~Bench() {
    invoker_.reset();
    boost::system::error_code ignored;
    boost::filesystem::remove_all(workspace_, ignored);
}

bool Bench::concurrent() const {
    return (finding_.flags & TOOL_CONCURRENT) != 0;
}

std::string Bench::reason_not_to_run(const registry::Tool& tool) const {
    if (options_.side_effects) return "";
    const auto& spec = tool.spec;
    std::string effects;
    const auto add = [&](bool has, const std::string& what) {
        if (has) effects += (effects.empty() ? "" : ", ") + what;
    };
    add(spec.requires_consent, "requires consent");
    for (const auto& need : registry::kNeeds)
        add(need.is_granted && spec.needs.*need.member, "needs " + std::string(need.name));
    return effects.empty() ? "" : effects + "; use --yes to run it";
}

std::chrono::milliseconds Bench::grace() const {
    const auto profile =
        options_.rules.profile ? options_.rules.profile : policy::built_in_profile();
    return std::min(kCancelGrace, std::chrono::milliseconds(profile->workers().grace_ms));
}

CallRecord Bench::run(const registry::Tool& tool, Sample sample, bool cancel_first) {
    CallRecord record;
    record.tool = &tool;
    record.sample = std::move(sample);
    std::stop_source cancel, abandon;
    const auto output = std::make_shared<PrintedOutput>();
    call::ToolUse use;
    use.reference = full_reference(tool.spec);
    use.input = record.sample.input;
    if (cancel_first) cancel.request_stop();
    Timer timer(cancel, abandon);
    const auto begin = std::chrono::steady_clock::now();
    record.result =
        invoker_->call(std::move(use), output, {cancel.get_token(), abandon.get_token()});
    const auto end = std::chrono::steady_clock::now();
    record.took = std::chrono::duration_cast<std::chrono::microseconds>(end - begin);
    timer.stop();
    record.printed = output->text();
    record.cancelled = timer.cancelled.has_value();
    const auto stop_time = cancel_first ? begin : timer.cancelled.value_or(end);
    record.ignored_cancel = end - stop_time >= grace();
    return record;
}

CallRecord Bench::call(const registry::Tool& tool, Sample sample) {
    return run(tool, std::move(sample), false);
}

CallRecord Bench::call_cancelled(const registry::Tool& tool, Sample sample) {
    return run(tool, std::move(sample), true);
}

const std::vector<CallRecord>& Bench::records() {
    if (records_) return *records_;
    records_.emplace();
    for (const auto& tool : tools()) {
        if (!reason_not_to_run(tool).empty()) continue;
        int failures = 0;
        const auto add = [&](Sample sample, const Json* example) {
            if (failures >= kMaxFailures) return;
            records_->push_back(call(tool, std::move(sample)));
            records_->back().example = example;
            const auto& made = records_->back();
            if (made.code() == ErrorCode::plugin_crashed || made.cancelled) ++failures;
        };
        std::vector<Json> shown;
        // Each has an input: the probe requires it.
        if (const Json* all = tool.spec.find("examples"))
            for (std::size_t i = 0; i < all->size(); ++i) {
                const Json& one = (*all)[i];
                shown.push_back(one["input"]);
                add({"example " + std::to_string(i + 1), one["input"]}, &one);
            }
        for (auto& sample : valid_inputs(tool.spec))
            if (std::ranges::find(shown, sample.input) == shown.end())
                add(std::move(sample), nullptr);
    }
    return *records_;
}

}  // namespace toolhost::validate
