// One call in a worker, from the host's side: sends the request, processes what the tool asks for,
// and receives the outcome, unless the call times out or the worker ends.
#pragma once

#include "host/loading/invocation.hpp"
#include "host/worker/worker.hpp"
#include "host/worker/worker_config.hpp"

namespace toolhost::worker {

class Conversation {
public:
    // `library` is what errors name.
    Conversation(Worker& worker, LaneEnd& lane, loading::CallHost& host, const loading::Stop& stop,
                 const WorkerConfig& config, std::string library)
        : worker_(worker),
          lane_(lane),
          host_(host),
          stop_(stop),
          limits_(config.confinement.limits),
          grace_(config.workers.grace_ms),
          library_(std::move(library)) {}

    // Sends `payload` and follows the call to its end.
    [[nodiscard]] Result<loading::Outcome> run(const std::string& payload);
    // The same for the worker's first message: nothing is run yet.
    [[nodiscard]] Result<void> open(const std::string& payload);
    // Whether it ended the worker, and by that all calls in it.
    [[nodiscard]] bool ended_worker() const { return ended_worker_; }
    // Why the worker ended, if it ended during the conversation.
    [[nodiscard]] const std::optional<WorkerEnd>& end() const { return end_; }

private:
    using Clock = std::chrono::steady_clock;
    [[nodiscard]] Result<Message> next();
    [[nodiscard]] Result<void> send(MessageKind kind, const std::string& payload);
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
    loading::CallHost& host_;
    const loading::Stop& stop_;
    const sandbox::ResourceLimits& limits_;
    const std::chrono::milliseconds grace_;
    const std::string library_;
    std::atomic<bool> abandoned_{false};
    bool ended_worker_ = false;
    std::optional<WorkerEnd> end_;
    bool late_ = false;  // told to stop because its time was over, and not by its caller
    std::optional<Clock::time_point> grace_ends_;  // it was told to stop
};

}  // namespace toolhost::worker
