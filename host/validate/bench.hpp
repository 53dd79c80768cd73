// The library under test in a separate host: probed, loaded in a worker and called as usual,
// in an empty workspace and without a trace in the user's cache or quarantine.
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
    call::Rules rules;    // whose workspace is replaced by the temporary one
    std::chrono::milliseconds probe_deadline{5000};
    bool side_effects =
        false;  // also run tools that write, execute, use the network or ask consent
};

// One call that was made with an input of the spec's examples or of valid_inputs().
struct CallRecord {
    const registry::Tool* tool = nullptr;
    Sample sample;
    const Json* example = nullptr;  // of the spec; null: the input was generated
    call::ToolResult result;
    std::chrono::microseconds took{};
    bool cancelled = false;       // it ran longer than kTimeout
    bool ignored_cancel = false;  // it did not return within the grace after that
    std::string printed;

    [[nodiscard]] std::optional<ErrorCode> code() const {
        return result.error ? std::optional(result.error->code) : std::nullopt;
    }
    // The profile or the machine did not let it run: this says nothing about the tool.
    [[nodiscard]] bool refused() const;
};

class Bench {
public:
    Bench(const std::string& library, bool own_folder, BenchOptions options);
    ~Bench();
    Bench(const Bench&) = delete;
    Bench& operator=(const Bench&) = delete;

    // What the probe said; the specs are in tools().
    [[nodiscard]] const discovery::Finding& finding() const { return finding_; }
    [[nodiscard]] std::span<const registry::Tool> tools() const { return catalogue_->tools(); }
    [[nodiscard]] bool concurrent() const;
    // Why valid inputs of the tool are not run; empty: they are.
    [[nodiscard]] std::string reason_not_to_run(const registry::Tool& tool) const;

    [[nodiscard]] CallRecord call(const registry::Tool& tool, Sample sample);
    // As call(), with a cancellation that is there before the tool starts.
    [[nodiscard]] CallRecord call_cancelled(const registry::Tool& tool, Sample sample);
    // How long a cancelled call may take to return.
    [[nodiscard]] std::chrono::milliseconds grace() const;
    // Every example and every generated valid input, called once; made at the first use.
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
