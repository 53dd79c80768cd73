// One call as its plugin knows it: what it was given, and what it can ask for while it runs. The
// plugin's code may outlive its call, so this is shared with it, and close() makes sure that
// the caller is no longer called back.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <string>

#include "host/call/bounds.hpp"
#include "host/call/lineage.hpp"
#include "host/call/tool_use.hpp"
#include "host/call/view.hpp"
#include "host/runtime/runtime.hpp"

namespace toolhost::call {

class Invoker;

class RunningCall : public loading::CallHost, public std::enable_shared_from_this<RunningCall> {
public:
    RunningCall(Invoker& invoker, ToolUse&& what, std::shared_ptr<const Watch> watched_by,
                Lineage&& within)
        : use(std::move(what)),
          watch(std::move(watched_by)),
          lineage(std::move(within)),
          invoker_(invoker) {
        if (!lineage.consents) lineage.consents = &own_consents_;
    }

    ToolUse use;
    const std::shared_ptr<const Watch> watch;
    Lineage lineage;
    std::shared_ptr<const View> view;  // kept to the end: the call runs with what it started with
    const registry::Tool* tool = nullptr;
    const ReadyTool* ready = nullptr;
    std::string input;  // JSON text, as the tool gets it

    // The clock runs from here on; nothing of the above changes any more.
    // `consent`: what the profile says to a tool that asks for it itself; nothing: a human does.
    void begin(os::Deadline end, std::optional<bool> consent) {
        end_ = end;
        consent_ = consent;
    }

    void emit(std::string_view kind, std::string_view json) override {
        emit_of(use.use_id, kind, json);
    }
    [[nodiscard]] bool cancelled() const override;
    void log(int level, std::string_view message) override;
    std::pair<tool_status, std::string> call_tool(std::string_view reference,
                                                  std::string_view input) override;
    std::pair<tool_status, std::string> interrupt(std::string_view name,
                                                  std::string_view reason_json) override;
    std::pair<tool_status, std::string> ask_client(std::string_view kind,
                                                   std::string_view params_json) override;
    [[nodiscard]] os::Deadline deadline() const override;

    // The tool is told to stop, and nothing reaches the watcher after this.
    void close();
    // When the tool has returned.
    [[nodiscard]] const Unanswered& unanswered() const { return unanswered_; }

private:
    class ClockStopped;
    void emit_of(std::string_view use_id, std::string_view kind, std::string_view json);
    [[nodiscard]] bool may_ask(std::string_view name, std::size_t bytes, std::size_t most_bytes);
    [[nodiscard]] std::string question_id(std::string_view kind, std::string_view name,
                                          const Json& reason) const;
    [[nodiscard]] std::pair<tool_status, std::string> ask(std::string_view kind,
                                                          std::string_view name, Json reason);
    [[nodiscard]] bool client_can(std::string_view kind) const;
    void add_pending(const Json& question);
    [[nodiscard]] std::shared_ptr<const Watch> nested_watch();

    Invoker& invoker_;           // only while open
    ConsentCount own_consents_;  // of a root call, and of all within it
    os::Deadline end_;
    std::optional<bool> consent_;
    mutable std::shared_mutex mutex_;  // held while something passes to the watcher or the invoker
    std::atomic<bool> open_{true};
    std::stop_source nested_stop_;  // ends the wait for calls within this one
    // The call's timeout is paused while a question is pending.
    std::atomic<int> asking_{0};
    std::atomic<std::int64_t> thought_ns_{0};
    int nested_ = 0;
    Unanswered unanswered_;
    std::size_t pending_bytes_ = 0, questions_ = 0;
    Allowance to_log_{kMaxLoggedBytes}, to_emit_{kMaxEmittedBytes};
};

}  // namespace toolhost::call
