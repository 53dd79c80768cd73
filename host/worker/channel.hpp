// The memory that the host and one worker share: as many lanes as calls can be in flight.
#pragma once

#include <memory>

#include "host/base/error.hpp"
#include "host/os/descriptor.hpp"
#include "host/worker/lane.hpp"
#include "host/worker/signals.hpp"

namespace toolhost::worker {

struct ChannelWords {
    CallSignal calls;
    AnswerSignal answers;
    // How the plugin's process ended, as waitpid() says it, and that it is known; the most memory
    // it had. Written by its reaper. The plugin could forge it, about its own end only.
    std::atomic<std::int32_t> end_status;
    std::atomic<std::uint32_t> end_known;
    std::atomic<std::uint64_t> end_rss_kb;
    std::atomic<std::uint32_t> out_of_memory;  // `new` has failed in the worker
    LaneWords lanes[kLanes];
};

class Channel {
public:
    // A new one, empty. Its size is sealed, so the other side cannot shrink it and cause a crash.
    [[nodiscard]] static Result<Channel> create();
    // The worker's end of it.
    [[nodiscard]] static Result<Channel> attach(os::Descriptor memory);

    Channel(Channel&&) = default;
    Channel& operator=(Channel&&) = default;

    [[nodiscard]] ChannelWords& words() const { return *mapped_; }
    // 2 * kRingBytes.
    [[nodiscard]] char* rings(std::uint32_t lane) const;
    [[nodiscard]] int descriptor() const { return memory_.get(); }
    // The mapping stays.
    void close_descriptor() { memory_.reset(); }

private:
    struct Unmap {
        void operator()(ChannelWords* words) const;
    };
    [[nodiscard]] static Result<Channel> map(os::Descriptor memory);
    Channel() = default;

    os::Descriptor memory_;
    std::unique_ptr<ChannelWords, Unmap> mapped_;
};

}  // namespace toolhost::worker
