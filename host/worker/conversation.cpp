#include "host/worker/conversation.hpp"

#include "host/worker/worker_messages.hpp"

namespace toolhost::worker {
namespace {

// The maximum of one wait: a worker can change the words that both sides wait on.
constexpr std::chrono::seconds kLongestWait{1};
// More than this is left to a thread of its own.
constexpr std::uint32_t kMaxAtOnce = 256u << 10;
// A worker that announces what does not come would keep collectors from all else. An announcement
// for the lane's last call may come late, but no more than that.
constexpr int kMaxFalseAlarms = 8;

}  // namespace

void Conversation::end_worker(const std::string& why) {
    // Another call may have ended it before.
    if (!worker_.end_now(why)) return;
    ended_worker_ = true;
    end_ = {.how = WorkerEnd::How::ended_by_host, .reason = why};
}

Error Conversation::worker_ended() {
    end_ = worker_.end(limits_);
    return to_error(*end_, library_.name());
}

os::Deadline Conversation::next_look() const {
    const auto now = Clock::now();
    auto look = now + kLongestWait;
    if (grace_ends_) look = std::min(look, *grace_ends_);
    if (const auto deadline = host_.deadline(); deadline && !late_)
        look = std::min(look, *deadline);
    return look;
}

std::optional<Error> Conversation::end_if_overdue() {
    if (abandoned_) {
        if (withdraw()) return Error{ErrorCode::cancelled, "the call was abandoned", {}};
        end_worker("its caller stopped waiting");
        return Error{ErrorCode::cancelled, "the call was abandoned and its worker was ended", {}};
    }
    const auto now = Clock::now();
    if (const auto deadline = host_.deadline(); !late_ && deadline && now >= *deadline) {
        lane_.set_cancelled(true);
        late_ = true;
        if (!grace_ends_) grace_ends_ = now + grace_;
    }
    if (!grace_ends_ && stop_.cancel.stop_requested()) grace_ends_ = now + grace_;
    if (!grace_ends_) return std::nullopt;
    if (withdraw())
        return Error{late_ ? ErrorCode::timeout : ErrorCode::cancelled,
                     "the library was busy with other calls, and this one did not begin",
                     {}};
    if (now < *grace_ends_) return std::nullopt;
    end_worker(late_ ? "a call in it exceeded its timeout"
                     : "a call in it did not stop when it was cancelled");
    return Error{late_ ? ErrorCode::timeout : ErrorCode::cancelled,
                 "it did not stop in time, and its worker was ended",
                 {}};
}

Error Conversation::invalid_message() {
    end_worker("it sent an invalid message");
    end_ = {.how = WorkerEnd::How::sent_garbage};
    return to_error(*end_, library_.name());
}

Result<Message> Conversation::next() {
    Message message;
    for (;;) {
        const bool dead = worker_.dead();  // before looking: what it sent before it died counts
        switch (lane_.receive(message, dead ? os::Deadline(Clock::now()) : next_look())) {
            case LaneEnd::Receipt::broken:
                return dead ? worker_ended() : invalid_message();
            case LaneEnd::Receipt::nothing:
                if (dead) return worker_ended();
                break;
            case LaneEnd::Receipt::message:
                if (message.kind == MessageKind::outcome) return message;
                if (auto end = end_if_overdue()) return *end;  // of one that never stops
                return message;
        }
        if (auto end = end_if_overdue()) return *end;
    }
}

Result<void> Conversation::send(MessageKind kind, const std::string& payload) {
    if (payload.size() > kMaxMessageBytes) {
        // The tool would wait forever for an answer that cannot be sent.
        if (kind == MessageKind::answer) end_worker("an answer to it was too large");
        return Error{ErrorCode::input_too_large,
                     "a message to the worker has " + std::to_string(payload.size()) +
                         " bytes, at most " + std::to_string(kMaxMessageBytes) + " are allowed",
                     {{"bytes", payload.size()}, {"allowed", kMaxMessageBytes}}};
    }
    sending_ = lane_.send(kind, payload);
    return send_rest();
}

Result<void> Conversation::send_rest() {
    while (sending_ == LaneEnd::Sending::unfinished) {
        if (worker_.dead()) return worker_ended();
        if (auto end = end_if_overdue()) return *end;
        sending_ = lane_.resume_sending(next_look());
    }
    if (sending_ == LaneEnd::Sending::broken) return invalid_message();
    return {};
}

Conversation::Handler Conversation::read(const Message& message) {
    switch (message.kind) {
        case MessageKind::emit:
            return [this, said = unpack_pair(message.payload)] {
                host_.emit(said.first, said.second);
                return std::optional<std::string>();
            };
        case MessageKind::log:
            return [this, said = unpack_numbered(message.payload)] {
                host_.log(static_cast<int>(said.number), said.text);
                return std::optional<std::string>();
            };
        case MessageKind::call_tool:
            return [this, asked = unpack_pair(message.payload)] {
                const auto [status, result] = host_.call_tool(asked.first, asked.second);
                return std::optional(pack_numbered(status, result));
            };
        case MessageKind::interrupt:
            return [this, asked = unpack_pair(message.payload)] {
                const auto [status, answer] = host_.interrupt(asked.first, asked.second);
                return std::optional(pack_numbered(status, answer));
            };
        case MessageKind::ask_client:
            return [this, asked = unpack_pair(message.payload)] {
                const auto [status, answer] = host_.ask_client(asked.first, asked.second);
                return std::optional(pack_numbered(status, answer));
            };
        default:
            throw std::runtime_error("unexpected message");
    }
}

Result<loading::Outcome> Conversation::run(const std::string& payload) {
    lane_.set_cancelled(false);
    if (payload.size() > kMaxMessageBytes) return send(MessageKind::invoke, payload).error();
    sending_ = lane_.send(MessageKind::invoke, payload);
    worker_.announce(lane_number_);
    worker_.wake();
    return follow(std::nullopt);
}

bool Conversation::withdraw() {
    if (!worker_.withdraw(lane_number_)) return false;
    lane_.withdraw();
    return true;
}

bool Conversation::post(const std::string& payload) {
    lane_.set_cancelled(false);
    sending_ = lane_.send(MessageKind::post, payload);
    return sending_ == LaneEnd::Sending::sent;
}

Conversation::Found Conversation::look(std::optional<Message>& message) {
    if (lane_.available() > kMaxAtOnce) return Found::other;
    switch (lane_.try_receive(message.emplace(), kMaxAtOnce)) {
        case LaneEnd::Receipt::message:
            return message->kind == MessageKind::outcome ? Found::outcome : Found::other;
        case LaneEnd::Receipt::nothing:
            message.reset();
            return ++false_alarms_ < kMaxFalseAlarms ? Found::nothing : Found::other;
        case LaneEnd::Receipt::broken:
            message.reset();
            return Found::other;
    }
    return Found::other;
}

Result<loading::Outcome> Conversation::follow(std::optional<Message> message) {
    std::stop_callback cancelled(stop_.cancel, [this] {
        lane_.set_cancelled(true);
        lane_.ring();  // from now on its time is short
    });
    std::stop_callback abandoned(stop_.abandon, [this] {
        abandoned_ = true;
        lane_.ring();
    });
    if (auto sent = send_rest(); !sent) return sent.error();
    for (;;) {
        if (!message) {
            auto received = next();
            if (!received) return received.error();
            message = *std::move(received);
        }
        if (auto end = process(*std::exchange(message, std::nullopt))) return *std::move(end);
    }
}

std::optional<Result<loading::Outcome>> Conversation::process(Message&& message) {
    if (message.kind == MessageKind::outcome) return finish(std::move(message));
    Handler handler;
    try {
        handler = read(message);
    } catch (const std::exception&) {  // bytes that no worker of this host writes
        return invalid_message();
    }
    std::optional<std::string> answer;
    try {
        answer = handler();
    } catch (const std::exception& e) {
        // The tool would wait forever for its answer.
        end_worker("the host failed to process its request");
        return Error{ErrorCode::internal, std::string("internal error: ") + e.what(), {}};
    }
    if (!answer) return std::nullopt;
    if (auto sent = send(MessageKind::answer, *answer); !sent) return sent.error();
    return std::nullopt;
}

Result<loading::Outcome> Conversation::finish(Message&& message) {
    try {
        auto outcome = unpack_outcome(message.payload);
        lane_.reuse(std::move(message.payload));
        if (late_) return Error{ErrorCode::timeout, "it stopped", {}};
        return outcome;
    } catch (const std::exception&) {  // bytes that no worker of this host writes
        return invalid_message();
    }
}

Result<void> Conversation::open(const std::string& payload) {
    // Nothing runs yet, so there is nothing to be told to stop: either way it is given up.
    auto leave = [this] {
        abandoned_ = true;
        lane_.ring();
    };
    std::stop_callback cancelled(stop_.cancel, leave);
    std::stop_callback abandoned(stop_.abandon, leave);
    if (auto sent = send(MessageKind::setup, payload); !sent) return sent.error();
    auto message = next();
    if (!message) return message.error();
    if (message->kind == MessageKind::ready) return {};
    if (message->kind != MessageKind::refused) return invalid_message();
    try {
        return unpack_refusal(message->payload);
    } catch (const std::exception&) {  // its constructors have run already
        return invalid_message();
    }
}

}  // namespace toolhost::worker
