#include "host/worker/shared_ring.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "host/os/duty.hpp"

namespace toolhost::worker {
namespace {

constexpr std::uint32_t kMask = kRingBytes - 1;
// Passed on piece by piece, so that the ends of a large message work at the same time.
constexpr std::size_t kPiece = 256u << 10;
static_assert((kRingBytes & kMask) == 0);
// So much is used before a message starts over at the beginning.
constexpr std::uint32_t kWarm = 64u << 10;
// What a thread waits before it hands over its duty: most calls take less, and waking another
// thread costs a few hundredths of it.
constexpr std::chrono::milliseconds kKeepsDuty{1};

// The sleeper sets its flag before its last check, and the writer checks the flag
// after its write: sequentially consistent, so that one of them sees the other.
void wake_sleeper(std::atomic<std::uint32_t>& sleeps, os::FutexWord& bell) {
    if (sleeps.load() == 0) return;
    bell.fetch_add(1);
    os::futex_wake(bell, 1, os::FutexScope::shared);
}

template <class There>
void sleep_until(There there, std::atomic<std::uint32_t>& sleeps, os::FutexWord& bell,
                 std::uint32_t heard, const os::Deadline& until, os::AdaptiveSpin& spin) {
    const auto start = spin.now();
    sleeps = 1;
    if (!there()) os::futex_wait(bell, heard, until, os::FutexScope::shared);
    sleeps = 0;
    spin.slept(spin.now() - start);
}

void ring_bell(std::atomic<bool>& rung, os::FutexWord& bell) {
    rung = true;
    bell.fetch_add(1);
    os::futex_wake(bell, 1, os::FutexScope::shared);
}

}  // namespace

void RingWriter::begin() {
    if (used() != 0) return;
    if ((position_ & kMask) >= kWarm) position_ += kRingBytes - (position_ & kMask);
    words_.start = position_;
}

std::optional<std::size_t> RingWriter::write_some(std::string_view data, bool tell) {
    const std::uint32_t in_use = used();
    if (in_use > kRingBytes) return std::nullopt;
    const std::size_t count = std::min({data.size(), std::size_t{kRingBytes - in_use}, kPiece});
    if (count == 0) return 0;
    const std::size_t at = position_ & kMask, first = std::min<std::size_t>(count, kRingBytes - at);
    std::memcpy(bytes_ + at, data.data(), first);
    std::memcpy(bytes_, data.data() + first, count - first);
    position_ += static_cast<std::uint32_t>(count);
    words_.written = position_;
    if (tell) wake_sleeper(words_.reader_sleeps, words_.bytes_bell);
    return count;
}

void RingWriter::wait_for_room(const os::Deadline& until) {
    const auto heard = words_.room_bell.load();
    auto there = [&] { return used() != kRingBytes || rung_.load(); };
    if (!spin_.until(there))
        sleep_until(there, words_.writer_sleeps, words_.room_bell, heard, until, spin_);
    rung_ = false;
}

void RingWriter::ring() {
    ring_bell(rung_, words_.room_bell);
}

void RingReader::begin() {
    const std::uint32_t there = available(), start = words_.start.load();
    // One that is known is of a message behind us, however far: positions come round. More than
    // fits is for read_some() to tell.
    if (start == start_ || there > kRingBytes) return;
    start_ = start;
    if (start - position_ > there) return;
    position_ = start;
    // A withdrawn message may fill the ring, so that the next one waits for its room.
    words_.taken = position_;
    wake_sleeper(words_.writer_sleeps, words_.room_bell);
}

std::optional<std::size_t> RingReader::read_some(std::string& into, std::size_t size) {
    const std::uint32_t there = available();
    if (there > kRingBytes) return std::nullopt;
    const std::size_t count = std::min({size, std::size_t{there}, kPiece});
    if (count == 0) return 0;
    const std::size_t at = position_ & kMask, first = std::min<std::size_t>(count, kRingBytes - at);
    into.append(bytes_ + at, first);
    into.append(bytes_, count - first);
    position_ += static_cast<std::uint32_t>(count);
    words_.taken = position_;
    wake_sleeper(words_.writer_sleeps, words_.room_bell);
    return count;
}

void RingReader::wait_for_bytes(const os::Deadline& until) {
    const auto heard = words_.bytes_bell.load();
    auto there = [&] { return available() != 0 || rung_.load(); };
    const auto sleep = [&](const os::Deadline& end) {
        sleep_until(there, words_.reader_sleeps, words_.bytes_bell, heard, end, spin_);
    };
    if (!spin_.until(there)) {
        auto* duty = os::Duty::current();
        // Without a second core every wait sleeps, and a timer for each would cost more than a
        // thread that looks.
        if (duty && !os::can_spin()) std::exchange(duty, nullptr)->watch();
        const auto soon =
            duty ? os::Deadline(std::chrono::steady_clock::now() + kKeepsDuty) : until;
        const bool is_short = !duty || (until && *until <= *soon);
        sleep(is_short ? until : soon);
        if (!is_short && !there()) {
            duty->hand_over();
            sleep(until);
        }
    }
    rung_ = false;
}

void RingReader::ring() {
    ring_bell(rung_, words_.bytes_bell);
}

}  // namespace toolhost::worker
