// One direction of a lane: a stream of bytes through memory that two processes share.
//
// Each end keeps its own position to itself and only publishes it; what the other end publishes is
// accepted only if it is possible. An end that writes invalid positions can harm its own call only,
// never the other end's memory.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "host/os/adaptive_spin.hpp"
#include "host/os/futex.hpp"

namespace toolhost::worker {

// A power of two, and more than most messages have: a message that fits is passed on in one go, and
// memory that no message ever reached costs nothing.
inline constexpr std::uint32_t kRingBytes = 2u << 20;

// In shared memory. Positions count bytes ever passed, modulo 2^32.
struct RingWords {
    alignas(64) std::atomic<std::uint32_t> written;
    std::atomic<std::uint32_t> start;  // of the last message that began when all was taken
    os::FutexWord bytes_bell;          // what the reader sleeps on
    std::atomic<std::uint32_t> writer_sleeps;
    alignas(64) std::atomic<std::uint32_t> taken;
    os::FutexWord room_bell;  // what the writer sleeps on
    std::atomic<std::uint32_t> reader_sleeps;
};

class RingWriter {
public:
    RingWriter(RingWords& words, char* bytes) : words_(words), bytes_(bytes) {}

    // Before a message: where all was taken, it goes where the last ones went, so that small
    // messages stay in a small part of the memory, which is warm.
    void begin();
    // A piece of it, if there is room; the reader is told if it is worth to wake up for it.
    // Nothing: the reader's position is impossible.
    [[nodiscard]] std::optional<std::size_t> write_some(std::string_view data, bool tell);
    // The reader goes on with what is written from now on.
    void withdraw() { words_.start = position_; }
    // Returns when there may be room, at the deadline, or soon after ring().
    void wait_for_room(const os::Deadline& until);
    // From any thread of this process: wakes the waiting thread.
    void ring();

private:
    [[nodiscard]] std::uint32_t used() const { return position_ - words_.taken.load(); }
    RingWords& words_;
    char* const bytes_;
    std::uint32_t position_ = 0;
    std::atomic<bool> rung_{false};
    os::AdaptiveSpin spin_;
};

class RingReader {
public:
    RingReader(RingWords& words, const char* bytes) : words_(words), bytes_(bytes) {}

    // Before a message, when there are bytes.
    void begin();
    // Appends a piece of what is there, up to `size`. Nothing: the writer's position is impossible.
    [[nodiscard]] std::optional<std::size_t> read_some(std::string& into, std::size_t size);
    [[nodiscard]] std::uint32_t available() const { return words_.written.load() - position_; }
    // Returns when there may be bytes, at the deadline, or soon after ring(). A wait that is not
    // short hands over the thread's duty.
    void wait_for_bytes(const os::Deadline& until);
    // From any thread of this process: wakes the waiting thread.
    void ring();

private:
    RingWords& words_;
    const char* const bytes_;
    std::uint32_t position_ = 0;
    std::uint32_t start_ = 0;  // the last one that was looked at
    std::atomic<bool> rung_{false};
    os::AdaptiveSpin spin_;
};

}  // namespace toolhost::worker
