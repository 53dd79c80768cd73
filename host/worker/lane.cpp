#include "host/worker/lane.hpp"

#include <cstring>

namespace toolhost::worker {
namespace {

// Kind and size.
constexpr std::size_t kHeaderWords = 2, kHeaderBytes = kHeaderWords * sizeof(std::uint32_t);
// So much is taken at once for a message that says it is large.
constexpr std::size_t kTrusted = 2u << 20;

}  // namespace

LaneEnd::LaneEnd(Side side, LaneWords& words, char* rings)
    : words_(words),
      out_(side == Side::host ? words.to_worker : words.to_host,
           side == Side::host ? rings : rings + kRingBytes),
      in_(side == Side::host ? words.to_host : words.to_worker,
          side == Side::host ? rings + kRingBytes : rings) {}

void LaneEnd::reuse(std::string&& memory) {
    constexpr std::size_t kMaxKept = 4u << 20;
    if (memory.capacity() > kMaxKept) return;
    auto& kept = payload_.empty() && memory.capacity() > payload_.capacity() ? payload_ : spare_;
    if (memory.capacity() <= kept.capacity()) return;
    memory.clear();
    kept = std::move(memory);
}

void LaneEnd::ring() {
    in_.ring();
    out_.ring();
}

LaneEnd::Sending LaneEnd::send(MessageKind kind, std::string_view payload) {
    const std::uint32_t header[kHeaderWords] = {static_cast<std::uint32_t>(kind),
                                                static_cast<std::uint32_t>(payload.size())};
    unsent_header_.assign(reinterpret_cast<const char*>(header), sizeof header);
    unsent_ = payload;
    out_.begin();
    return push();
}

LaneEnd::Sending LaneEnd::resume_sending(const os::Deadline& until) {
    out_.wait_for_room(until);
    return push();
}

LaneEnd::Sending LaneEnd::push() {
    for (;;) {
        const bool head = !unsent_header_.empty();
        auto count = out_.write_some(head ? unsent_header_ : unsent_, unsent_.empty() || !head);
        if (!count) return Sending::broken;
        if (head)
            unsent_header_.erase(0, *count);
        else
            unsent_.remove_prefix(*count);
        if (unsent_header_.empty() && unsent_.empty()) return Sending::sent;
        if (*count == 0) return Sending::unfinished;
    }
}

std::uint32_t LaneEnd::announced(std::size_t word) const {
    std::uint32_t value = 0;
    std::memcpy(&value, header_.data() + word * sizeof value, sizeof value);
    return value;
}

std::optional<std::size_t> LaneEnd::read_some() {
    if (header_.empty() && in_.available() > 0) in_.begin();
    if (header_.size() < kHeaderBytes) return in_.read_some(header_, kHeaderBytes - header_.size());
    const std::size_t size = announced(1);
    // Memory is taken as bytes come, not as they are announced.
    if (payload_.capacity() < size)
        payload_.reserve(std::min(size, payload_.size() * 2 + kTrusted));
    return in_.read_some(payload_, size - payload_.size());
}

LaneEnd::Receipt LaneEnd::try_receive(Message& into, std::size_t most) {
    for (std::size_t taken = 0;;) {
        const bool whole = header_.size() == kHeaderBytes && payload_.size() == announced(1);
        if (whole) {
            into.kind = static_cast<MessageKind>(announced(0));
            into.payload.swap(payload_);
            payload_.clear();
            header_.clear();
            return Receipt::message;
        }
        if (taken > most) return Receipt::nothing;
        const auto count = read_some();
        if (!count) return Receipt::broken;
        // A header is believed only within bounds.
        if (header_.size() == kHeaderBytes &&
            (announced(1) > kMaxMessageBytes ||
             announced(0) > static_cast<std::uint32_t>(kLastKind)))
            return Receipt::broken;
        taken += *count;
        if (*count == 0) return Receipt::nothing;
    }
}

LaneEnd::Receipt LaneEnd::receive(Message& into, const os::Deadline& until) {
    const auto receipt = try_receive(into);
    if (receipt != Receipt::nothing) return receipt;
    in_.wait_for_bytes(until);
    return try_receive(into);
}

}  // namespace toolhost::worker
