// One call as its plugin knows it: what it was given, and what it can ask for while it runs. The
// plugin's code may outlive its call, so this is shared with it, and close() makes sure that
// the caller is no longer called back.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>

#include "host/base/mutex.hpp"
#include "host/call/bounds.hpp"
#include "host/call/call_observer.hpp"
#include "host/call/lineage.hpp"
#include "host/call/view.hpp"
#include "host/runtime/runtime.hpp"

namespace toolhost::call {

class Invoker;

class RunningCall : public runtime::PluginCall,
                    public CallObserver,
                    public std::enable_shared_from_this<RunningCall> {
public:
    RunningCall(Invoker& invoker, ToolUse&& what, std::shared_ptr<CallObserver> observed_by,
                loading::Stop&& ends_by, Lineage&& within)
        : use(std::move(what)),
          observer(std::move(observed_by)),
          stop(std::move(ends_by)),
          lineage(std::move(within)),
          invoker_(invoker) {
        if (!lineage.consents) lineage.consents = &own_consents_;
    }

    ToolUse use;
    const std::shared_ptr<CallObserver> observer;  // null: none
    const loading::Stop stop;
    Lineage lineage;
    std::shared_ptr<const View> view;  // kept to the end: the call runs with what it started with
    const registry::Tool* tool = nullptr;
    const ReadyTool* ready = nullptr;

    // The clock runs from here on; nothing of the above changes any more.
    // `consent`: what the profile says to a tool that asks for it itself; nothing: a human does.
    void begin(os::Deadline end, std::optional<bool> consent) {
        end_ = end;
        consent_ = consent;
    }

    // What the plugin may ask for.
    void emit(std::string_view kind, std::string_view json) override {
        emit(use.use_id, kind, json);
    }
    [[nodiscard]] bool cancelled() const override;
    std::pair<tool_status, std::string> call_tool(std::string_view reference,
                                                  std::string_view input) override EXCLUDES(mutex_);
    std::pair<tool_status, std::string> interrupt(std::string_view name,
                                                  std::string_view reason_json) override;
    std::pair<tool_status, std::string> ask_client(std::string_view kind,
                                                   std::string_view params_json) override;
    [[nodiscard]] os::Deadline deadline() const override;
    // The plugin's own and those of nested calls, which end with this call.
    void log(int level, std::string_view message) override EXCLUDES(mutex_);

    // What the observer of this call is told and asked of the calls nested in it.
    void emit(std::string_view use_id, std::string_view kind, std::string_view json) override
        EXCLUDES(mutex_);
    [[nodiscard]] std::optional<Answer> ask(const Question& question) override;
    [[nodiscard]] bool client_can(std::string_view kind) const override EXCLUDES(mutex_);
    [[nodiscard]] std::optional<ConsentAnswer> consent(const ConsentQuestion& question) override;
    [[nodiscard]] bool consent_later() const override {
        return observer && observer->consent_later();
    }

    // The tool is told to stop, and nothing reaches the observer after this.
    void close() EXCLUDES(mutex_);
    // When the tool has returned. Null: nothing.
    [[nodiscard]] const Unanswered* unanswered() const { return unanswered_.get(); }

protected:
    // For the call itself, which its invoker outlives.
    [[nodiscard]] Invoker& invoker() const TOOLHOST_THREAD_ANNOTATION(no_thread_safety_analysis) {
        return invoker_;
    }

private:
    class ClockStopped;
    [[nodiscard]] bool may_ask(std::string_view name, std::size_t bytes, std::size_t most_bytes);
    [[nodiscard]] std::string question_id(std::string_view kind, std::string_view name,
                                          const Json& reason) const;
    // Nothing: this call has ended.
    [[nodiscard]] std::optional<std::stop_source> open_nested();
    void end_nested();
    [[nodiscard]] std::pair<tool_status, std::string> answer(std::string_view kind,
                                                             std::string_view name, Json reason);
    void add_pending(const Json& question);
    [[nodiscard]] Unanswered& note_unanswered();

    Invoker& invoker_ GUARDED_BY(mutex_);  // by what the plugin calls: only while open
    ConsentCount own_consents_;            // of a root call, and of all within it
    os::Deadline end_;
    std::optional<bool> consent_;
    // Held together while something passes to the observer or the invoker; close() waits for that.
    mutable SharedMutex mutex_;
    std::atomic<bool> open_{true};
    // Ends the wait for calls within this one. Made for the first of them: most tools make none.
    Mutex nested_mutex_;
    std::stop_source nested_stop_ GUARDED_BY(nested_mutex_){std::nostopstate};
    // The call's timeout is paused while a question is pending.
    std::atomic<int> asking_{0};
    std::atomic<std::int64_t> thought_ns_{0};
    int nested_ = 0;
    std::unique_ptr<Unanswered> unanswered_;  // made for the first of them
    std::size_t pending_bytes_ = 0, questions_ = 0;
    Allowance to_log_{kMaxLoggedBytes}, to_emit_{kMaxEmittedBytes};
};

}  // namespace toolhost::call
