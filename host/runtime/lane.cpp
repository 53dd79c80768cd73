#include "host/runtime/lane.hpp"

#include <cstring>

namespace toolhost::runtime {
namespace {

constexpr std::size_t kFirstRoom = 4096;

bool over(const Deadline& until) {
    return until && std::chrono::steady_clock::now() >= *until;
}

}  // namespace

LaneEnd::LaneEnd(Side side, LaneWords& words, char* rings)
    : words_(words),
      out_(side == Side::host ? words.to_worker : words.to_host,
           side == Side::host ? rings : rings + kRingBytes),
      in_(side == Side::host ? words.to_host : words.to_worker,
          side == Side::host ? rings + kRingBytes : rings) {}

void LaneEnd::ring() {
    in_.ring();
    out_.ring();
}

LaneEnd::Sending LaneEnd::send(MessageKind kind, std::string_view payload, const Deadline& until) {
    const Header header{static_cast<std::uint32_t>(kind),
                        static_cast<std::uint32_t>(payload.size())};
    unsent_.resize(sizeof header);
    std::memcpy(unsent_.data(), &header, sizeof header);
    unsent_ += payload;
    sent_ = 0;
    return resume_sending(until);
}

LaneEnd::Sending LaneEnd::resume_sending(const Deadline& until) {
    for (bool waited = false;;) {
        auto count = out_.write_some(std::string_view(unsent_).substr(sent_));
        if (!count) return Sending::broken;
        sent_ += *count;
        if (sent_ == unsent_.size()) return Sending::sent;
        if (*count > 0) continue;
        if (waited) return Sending::unfinished;
        out_.wait_for_room(until);
        waited = true;
    }
}

// A header is believed only within bounds, and memory is taken as bytes come, not as announced.
LaneEnd::Receipt LaneEnd::receive(Message& into, const Deadline& until) {
    for (bool waited = false;;) {
        std::optional<std::size_t> count;
        if (header_bytes_ < sizeof header_) {
            count = in_.read_some(reinterpret_cast<char*>(&header_) + header_bytes_,
                                  sizeof header_ - header_bytes_);
            if (count) header_bytes_ += *count;
            if (header_bytes_ == sizeof header_ &&
                (header_.size > kMaxMessageBytes ||
                 header_.kind > static_cast<std::uint32_t>(kLastKind)))
                return Receipt::broken;
        } else {
            if (received_ == payload_.size())
                payload_.resize(std::min<std::size_t>(header_.size, received_ * 2 + kFirstRoom));
            count = in_.read_some(payload_.data() + received_, payload_.size() - received_);
            received_ += count.value_or(0);
        }
        if (!count) return Receipt::broken;
        if (header_bytes_ == sizeof header_ && received_ == header_.size) {
            into.kind = static_cast<MessageKind>(header_.kind);
            into.payload.swap(payload_);
            payload_.clear();
            header_bytes_ = received_ = 0;
            return Receipt::message;
        }
        if (*count > 0) continue;
        if (waited || over(until)) return Receipt::nothing;
        in_.wait_for_bytes(until);
        waited = true;
    }
}

}  // namespace toolhost::runtime
