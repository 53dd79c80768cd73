// The library under test in a separate host: probed, loaded in a worker and called as usual, in an
// empty workspace, without effects on the user's cache or quarantine.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "host/call/invoker.hpp"
#include "host/discovery/finding.hpp"
#include "host/runtime/runtimes.hpp"
#include "host/validate/generate.hpp"

namespace toolhost::validate {

// A call that runs longer is cancelled, and must return within the profile's graceMs, at most this.
inline constexpr std::chrono::milliseconds kTimeout{1000}, kCancelGrace{2000};

struct BenchOptions {
    std::string program;  // the host's own binary
    call::Rules rules;    // the workspace is replaced by the temporary one
    std::chrono::milliseconds probe_deadline{5000};
    bool side_effects =
        false;  // also run tools that write, execute, use the network or ask consent
};

// One call, with an input from the spec's examples or valid_inputs().
struct CallRecord {
    const registry::Tool* tool = nullptr;
    Sample sample;
    const Json* example = nullptr;  // from the spec; null: the input was generated
    call::ToolResult result;
    std::chrono::microseconds took{};
    bool cancelled = false;       // after kTimeout
    bool ignored_cancel = false;  // it did not return within the grace period
    std::string printed;

    [[nodiscard]] std::optional<ErrorCode> code() const {
        return result.error ? std::optional(result.error->code) : std::nullopt;
    }
    // The profile or the machine refused it, which says nothing about the tool.
    [[nodiscard]] bool refused() const;
};

class Bench {
public:
    Bench(const std::string& library, bool own_folder, BenchOptions options);
    ~Bench();
    Bench(const Bench&) = delete;
    Bench& operator=(const Bench&) = delete;

    // The probe's finding; the specs are in tools().
    [[nodiscard]] const discovery::Finding& finding() const { return finding_; }
    [[nodiscard]] std::span<const registry::Tool> tools() const { return catalogue_->tools(); }
    [[nodiscard]] bool concurrent() const;
    // Why valid inputs are not run; empty if they are.
    [[nodiscard]] std::string reason_not_to_run(const registry::Tool& tool) const;

    [[nodiscard]] CallRecord call(const registry::Tool& tool, Sample sample);
    // As call(), but cancelled before the tool starts.
    [[nodiscard]] CallRecord call_cancelled(const registry::Tool& tool, Sample sample);
    // The time within which a cancelled call must return.
    [[nodiscard]] std::chrono::milliseconds grace() const;
    // One call per example and generated valid input, made at first use.
    [[nodiscard]] const std::vector<CallRecord>& records();

private:
    [[nodiscard]] CallRecord run(const registry::Tool& tool, Sample sample, bool cancel_first);

    const BenchOptions options_;
    const std::string workspace_;
    discovery::Finding finding_;
    registry::Registry registry_;
    runtime::Runtimes runtime_;
    registry::Snapshot catalogue_;
    std::unique_ptr<call::Invoker> invoker_;
    std::optional<std::vector<CallRecord>> records_;
};

}  // namespace toolhost::validate
