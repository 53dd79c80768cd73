// One call in a worker, from the host's side: the request goes out, what the tool asks for is done,
// the outcome comes back; or its time is over, or its worker is gone.
#pragma once

#include "host/runtime/runtime.hpp"
#include "host/runtime/worker.hpp"

namespace toolhost::runtime {

class Conversation {
public:
    Conversation(Worker& worker, LaneEnd& lane, CallHost& host, const Stop& stop,
                 std::chrono::milliseconds grace)
        : worker_(worker), lane_(lane), host_(host), stop_(stop), grace_(grace) {}

    // Sends `payload` and follows the call to its end. `what` names the library in errors.
    [[nodiscard]] Result<Outcome> run(const std::string& payload, const std::string& what,
                                      const policy::Limits& limits);
    // The same for the worker's first message: nothing is run yet.
    [[nodiscard]] Result<void> open(const std::string& payload, const std::string& what,
                                    const policy::Limits& limits);

private:
    using Clock = std::chrono::steady_clock;
    [[nodiscard]] Result<Message> next(const std::string& what, const policy::Limits& limits);
    [[nodiscard]] Result<void> send(MessageKind kind, const std::string& payload,
                                    const std::string& what, const policy::Limits& limits);
    // Why nobody waits any longer; nothing: the call goes on.
    [[nodiscard]] std::optional<Error> out_of_patience();
    [[nodiscard]] Deadline next_look() const;
    [[nodiscard]] Error garbage(const std::string& what);
    // Does what a message asks for; an answer is to be sent if there is one.
    [[nodiscard]] std::optional<std::string> serve(const Message& message);

    Worker& worker_;
    LaneEnd& lane_;
    CallHost& host_;
    const Stop& stop_;
    const std::chrono::milliseconds grace_;
    std::atomic<bool> abandoned_{false};
    std::optional<Clock::time_point> patience_ends_;  // it was told to stop
};

}  // namespace toolhost::runtime
