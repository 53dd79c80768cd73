// One call's way between the host and a worker: messages in both directions, and a word by which
// the host tells the tool to stop. A lane carries one call at a time.
#pragma once

#include <string>
#include <string_view>

#include "host/worker/shared_ring.hpp"

namespace toolhost::worker {

// The numbers are arbitrary: both sides are the same program.
enum class MessageKind : std::uint32_t {
    setup,       // to the worker: whom to load, and how to be confined
    invoke,      // to the worker: a call whose end a thread of the host waits for
    post,        // to the worker: a call whose end the host is told of (AnswerSignal)
    answer,      // to the worker: what call_tool, interrupt or ask_client came to
    ready,       // to the host: the library is open
    refused,     // to the host: it is not, and why
    emit,        // to the host, during a call
    log,         //
    call_tool,   //
    interrupt,   //
    ask_client,  //
    outcome,     // to the host: the call has ended
};
inline constexpr auto kLastKind = MessageKind::outcome;

// No message is larger, whatever a profile allows: what is held in memory twice must be bounded.
inline constexpr std::uint32_t kMaxMessageBytes = 40u << 20;

struct Message {
    MessageKind kind{};
    std::string payload;
};

// In shared memory.
struct LaneWords {
    RingWords to_worker, to_host;
    alignas(64) std::atomic<std::uint32_t> cancel;
};

class LaneEnd {
public:
    enum class Side { host, worker };
    // `rings` is the lane's bytes: kRingBytes to the worker, then as many to the host.
    LaneEnd(Side side, LaneWords& words, char* rings);

    enum class Receipt { message, nothing, broken };
    // Never waits. `nothing`: partial input is kept, so call again. Takes little more than `most`
    // bytes, however fast the other end writes.
    [[nodiscard]] Receipt try_receive(Message& into, std::size_t most = 2 * kMaxMessageBytes);
    // `nothing`: the deadline is over, or the bell rang; partial input is kept, so call again.
    [[nodiscard]] Receipt receive(Message& into, const os::Deadline& until);

    enum class Sending { sent, unfinished, broken };
    // Never waits. `unfinished`: call resume_sending(), which does as receive(), until it is sent.
    // The payload must stay valid until then.
    [[nodiscard]] Sending send(MessageKind kind, std::string_view payload);
    [[nodiscard]] Sending resume_sending(const os::Deadline& until);

    // What was sent and the other end has not begun to read is not read any more. Only while it
    // cannot begin.
    void withdraw() { out_.withdraw(); }
    // Bytes that have come and were not received.
    [[nodiscard]] std::uint32_t available() const { return in_.available(); }

    // Memory of messages that were dealt with, for the next ones: a large one costs more to make
    // room for than to copy.
    void reuse(std::string&& memory);
    [[nodiscard]] std::string memory() { return std::move(spare_); }

    // Makes receive() and send() return soon. From any thread.
    void ring();

    void set_cancelled(bool cancelled) { words_.cancel = cancelled ? 1 : 0; }
    [[nodiscard]] bool cancelled() const {
        return words_.cancel.load(std::memory_order_relaxed) != 0;
    }

private:
    [[nodiscard]] Sending push();
    [[nodiscard]] std::optional<std::size_t> read_some();
    [[nodiscard]] std::uint32_t announced(std::size_t word) const;
    LaneWords& words_;
    RingWriter out_;
    RingReader in_;
    std::string unsent_header_;
    std::string_view unsent_;
    std::string header_, payload_;  // as far as they have come
    std::string spare_;
};

}  // namespace toolhost::worker
