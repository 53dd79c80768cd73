// A call in a worker that no thread waits for. It is in the backlog of PostedCalls until a lane is
// free, then on that lane. Only the thread that took it out of there may end it.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <stop_token>

#include "host/runtime/posted_calls.hpp"
#include "host/runtime/runtime.hpp"
#include "host/runtime/watchdog.hpp"
#include "host/worker/conversation.hpp"
#include "host/worker/worker_slot.hpp"

namespace toolhost::runtime {

class PostedCall final : public Watched, public std::enable_shared_from_this<PostedCall> {
public:
    PostedCall(PostedCalls::Admission admission, Isolated& isolated, PostedCalls& calls,
               std::shared_ptr<worker::WorkerSlot> slot, const PlacedInvocation& invocation,
               std::shared_ptr<PluginCall> call, const loading::Stop& stop)
        : admission_(std::move(admission)),
          isolated_(isolated),
          calls_(calls),
          slot_(std::move(slot)),
          invocation_(invocation),
          call_(std::move(call)),
          stop_(stop) {}

    [[nodiscard]] worker::WorkerSlot& slot() const { return *slot_; }
    [[nodiscard]] const PlacedInvocation& invocation() const { return invocation_; }
    [[nodiscard]] const loading::Stop& stop() const { return stop_; }
    [[nodiscard]] os::Deadline time_limit() const { return call_->deadline(); }

    // From now on it gets a thread when it is cancelled, when its time is over, and when it takes
    // long. False: that cannot be watched.
    [[nodiscard]] bool watch();
    void unwatch();
    // Whether it should have got a thread while it was neither in the backlog nor on a lane.
    [[nodiscard]] bool is_stopped() const {
        return stop_.cancel.stop_requested() || stop_.abandon.stop_requested();
    }
    void get_thread();

    // Sends it on a lane, without waiting. False: only a part of it is sent. Where that fails, the
    // lane is free again.
    [[nodiscard]] bool send(worker::StartedWorker started, worker::Worker::Hold lane);
    [[nodiscard]] const std::shared_ptr<worker::Worker>& worker() const { return started_.worker; }
    [[nodiscard]] std::uint32_t lane() const { return lane_number_; }
    // What has come for it. Under the lock of PostedCalls.
    [[nodiscard]] worker::Conversation::Found look(std::optional<worker::Message>& message) {
        return talk_->look(message);
    }

    // Ends it with its outcome.
    void finish(worker::Message&& message);
    // Runs it to its end on this thread.
    void follow(std::optional<worker::Message> message);
    // Ends it, and the worker that runs it, because no thread can be started for it.
    void give_up();

    [[nodiscard]] os::Deadline deadline() const override;
    [[nodiscard]] bool settled() const override { return settled_; }
    void overdue() override { get_thread(); }

private:
    struct OnStop {
        PostedCall* call;
        void operator()() const { call->get_thread(); }
    };
    void conclude(const Result<loading::Outcome>& outcome);
    void leave_lane();
    void end(Result<loading::Outcome> outcome);
    [[nodiscard]] Result<loading::Outcome> run_to_end(std::optional<worker::Message> message);

    const PostedCalls::Admission admission_;  // the first member: gone when all others are
    Isolated& isolated_;
    PostedCalls& calls_;
    const std::shared_ptr<worker::WorkerSlot> slot_;
    const PlacedInvocation invocation_;
    const std::shared_ptr<PluginCall> call_;
    const loading::Stop stop_;
    const Watchdog::Time begun_ = std::chrono::steady_clock::now();
    Watchdog::Time watched_until_{};
    std::optional<std::stop_callback<OnStop>> cancelled_, abandoned_;
    std::atomic<bool> settled_{false};
    // Of one that was sent.
    worker::StartedWorker started_;
    std::optional<worker::Worker::Hold> lane_;
    std::uint32_t lane_number_ = 0;
    std::optional<worker::Conversation> talk_;
    std::string request_;
};

}  // namespace toolhost::runtime
