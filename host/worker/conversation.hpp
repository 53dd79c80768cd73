// One call in a worker, from the host's side: sends the request, processes what the tool asks for,
// and receives the outcome, unless the call times out or the worker ends.
//
// run() does so on one thread. post() only sends the request; a thread that finds the outcome with
// look() hands it to finish(), and for anything else a thread is needed that calls follow().
#pragma once

#include "host/loading/invocation.hpp"
#include "host/registry/catalogue.hpp"
#include "host/worker/worker.hpp"
#include "host/worker/worker_config.hpp"

namespace toolhost::worker {

class Conversation {
public:
    // `library` is what errors name.
    Conversation(Worker& worker, const Worker::Hold& lane, loading::CallHost& host,
                 const loading::Stop& stop, const WorkerConfig& config,
                 const registry::Library& library)
        : Conversation(worker, *lane, lane.lane(), host, stop, config, library) {}
    // With a worker that takes no calls yet.
    Conversation(Worker& worker, loading::CallHost& host, const loading::Stop& stop,
                 const WorkerConfig& config, const registry::Library& library)
        : Conversation(worker, worker.first_lane(), 0, host, stop, config, library) {}

    // Sends `payload` and follows the call to its end.
    [[nodiscard]] Result<loading::Outcome> run(const std::string& payload);
    // The worker's first message: nothing is run yet.
    [[nodiscard]] Result<void> open(const std::string& payload);

    // Sends `payload`, without waiting and without announcing it. False: a part of it; `payload`
    // must stay valid until follow() has sent the rest.
    [[nodiscard]] bool post(const std::string& payload);
    // What has come for a posted call whose worker announced it: nothing, its outcome, or what only
    // follow() can deal with. Never waits, nor copies much.
    enum class Found { nothing, outcome, other };
    [[nodiscard]] Found look(std::optional<Message>& message);
    // The message is an outcome.
    [[nodiscard]] Result<loading::Outcome> finish(Message&& message);
    // Follows a posted call to its end, from a message that was received, if any.
    [[nodiscard]] Result<loading::Outcome> follow(std::optional<Message> message);
    // Takes back a call that the worker has not begun. False: it has.
    [[nodiscard]] bool withdraw();
    // Whether it ended the worker, and by that all calls in it.
    [[nodiscard]] bool ended_worker() const { return ended_worker_; }
    // Why the worker ended, if it ended during the conversation.
    [[nodiscard]] const std::optional<WorkerEnd>& end() const { return end_; }

private:
    Conversation(Worker& worker, LaneEnd& lane, std::uint32_t number, loading::CallHost& host,
                 const loading::Stop& stop, const WorkerConfig& config,
                 const registry::Library& library)
        : worker_(worker),
          lane_(lane),
          lane_number_(number),
          host_(host),
          stop_(stop),
          limits_(config.confinement.limits),
          grace_(config.workers.grace_ms),
          library_(library) {}

    using Clock = std::chrono::steady_clock;
    [[nodiscard]] Result<Message> next();
    [[nodiscard]] Result<void> send(MessageKind kind, const std::string& payload);
    [[nodiscard]] Result<void> send_rest();
    // Nothing: it was dealt with, and more will come.
    [[nodiscard]] std::optional<Result<loading::Outcome>> process(Message&& message);
    // Why the caller no longer waits; nothing: the call goes on.
    [[nodiscard]] std::optional<Error> end_if_overdue();
    [[nodiscard]] os::Deadline next_look() const;
    [[nodiscard]] Error invalid_message();
    [[nodiscard]] Error worker_ended();
    void end_worker(const std::string& why);
    // What a message asks of the host: an answer is to be sent if it gives one. Reading throws
    // where the bytes are not ours; what the host does throws where the host is at fault.
    using Handler = std::function<std::optional<std::string>()>;
    [[nodiscard]] Handler read(const Message& message);

    Worker& worker_;
    LaneEnd& lane_;
    const std::uint32_t lane_number_;
    loading::CallHost& host_;
    const loading::Stop& stop_;
    const sandbox::ResourceLimits& limits_;
    const std::chrono::milliseconds grace_;
    const registry::Library& library_;
    int false_alarms_ = 0;
    LaneEnd::Sending sending_ = LaneEnd::Sending::sent;
    std::atomic<bool> abandoned_{false};
    bool ended_worker_ = false;
    std::optional<WorkerEnd> end_;
    bool late_ = false;  // told to stop because its time was over, and not by its caller
    std::optional<Clock::time_point> grace_ends_;  // it was told to stop
};

}  // namespace toolhost::worker
