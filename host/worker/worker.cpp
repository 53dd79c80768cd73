#include "host/worker/worker.hpp"

#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

namespace toolhost::worker {
namespace {

// As many as calls can be deep in each other.
constexpr std::uint32_t kLanesForNested = 8;
static_assert(kLanesForNested < kLanes);

os::FairPlaces::Most places_for(std::uint32_t depth) {
    os::FairPlaces::Most most{kLanes - kLanesForNested + std::min(depth, kLanesForNested)};
    if (depth == 0) most.own = (kLanes - kLanesForNested) / 2;
    return most;
}

// The limit that a worker had reached when it ended; empty: none.
std::string exhausted_by(int status, std::uint64_t rss_kb, bool out_of_memory,
                         const sandbox::ResourceLimits& limits) {
    const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (signal == SIGXCPU) return "cpuSeconds";
    if (signal == SIGXFSZ) return "fileSizeMb";
    if (out_of_memory) return "memoryMb";
    // A worker that had used nearly all of its memory and then died ran out of it.
    if (signal != 0 && limits.memory_mb && rss_kb / 1024 * 10 >= *limits.memory_mb * 9)
        return "memoryMb";
    return "";
}

}  // namespace

Worker::Worker(Channel channel, pid_t reaper, os::Descriptor reaper_end, os::Descriptor output,
               os::Descriptor answer_bell)
    : channel_(std::move(channel)),
      reaper_(reaper),
      reaper_end_(std::move(reaper_end)),
      output_(std::move(output)),
      answer_bell_(std::move(answer_bell)) {
    channel_.close_descriptor();
    for (std::uint32_t i = 0; i < kLanes; ++i)
        lanes_[i] = std::make_unique<LaneEnd>(LaneEnd::Side::host, channel_.words().lanes[i],
                                              channel_.rings(i));
}

std::optional<Worker::Hold> Worker::take_lane(std::string_view principal,
                                              const os::Deadline& deadline,
                                              const std::stop_token& cancel, std::uint32_t depth) {
    return take_lane(places_.enter(principal, places_for(depth), deadline, cancel));
}

std::optional<Worker::Hold> Worker::try_take_lane(std::string_view principal, std::uint32_t depth) {
    return take_lane(places_.try_enter(principal, places_for(depth)));
}

std::optional<Worker::Hold> Worker::take_lane(os::FairPlaces::Place place) {
    if (!place) return std::nullopt;
    MutexLock lock(mutex_);
    if (!takes_calls()) return std::nullopt;
    // The lowest: its thread and its memory are warm.
    std::uint32_t lane = 0;
    while (taken_[lane]) ++lane;
    taken_[lane] = true;
    return std::optional<Hold>(std::in_place, *this, lane, std::move(place));
}

void Worker::give_back(std::uint32_t lane) {
    {
        MutexLock lock(mutex_);
        taken_[lane] = false;
        last_used_ = Clock::now();
    }
    if (retired_) close_if_idle(std::chrono::seconds(0));
}

void Worker::retire() {
    {
        MutexLock lock(mutex_);
        retired_ = true;
    }
    places_.end();
    close_if_idle(std::chrono::seconds(0));
}

// Its supervisor ends it if that takes too long.
void Worker::tell_ending() {
    places_.end();
    if (on_ending) on_ending();
}

bool Worker::begin_ending(std::string why) {
    {
        MutexLock lock(mutex_);
        if (ending_) return false;
        ending_since_ = Clock::now();
        ended_because_ = std::move(why);
        ending_ = true;
    }
    tell_ending();
    return true;
}

bool Worker::end_now(const std::string& why) {
    const bool is_first = begin_ending(why);
    signal_reaper(SIGTERM);
    return is_first;
}

bool Worker::close_if_idle(std::chrono::seconds limit) {
    {
        // At once with the look: a call that comes meanwhile must find it ending.
        MutexLock lock(mutex_);
        if (ending_ || taken_.any() || Clock::now() - last_used_ < limit) return ending_;
        ending_since_ = Clock::now();
        ending_ = true;
    }
    tell_ending();
    channel_.words().calls.close();
    return true;
}

// By its descriptor: the number may be another's by now.
void Worker::signal_reaper(int signal) const {
    ::syscall(SYS_pidfd_send_signal, reaper_end_.get(), signal, nullptr, 0);
}

void Worker::set_dead(bool out_of_memory) {
    {
        MutexLock lock(mutex_);
        group_out_of_memory_ = out_of_memory;
        dead_ = true;
    }
    places_.end();
    for (auto& lane : lanes_) lane->ring();
    if (on_dead) on_dead(*this);
}

std::optional<Worker::Clock::time_point> Worker::idle_since() const {
    MutexLock lock(mutex_);
    if (taken_.any()) return std::nullopt;
    return last_used_;
}

std::optional<Worker::Clock::time_point> Worker::ending_since() const {
    MutexLock lock(mutex_);
    return ending_since_;
}

bool Worker::claim_report(std::string_view principal) {
    MutexLock lock(mutex_);
    return reported_by_.emplace(principal).second;
}

WorkerEnd Worker::end(const sandbox::ResourceLimits& limits) {
    using enum WorkerEnd::How;
    const auto& words = channel_.words();
    bool out_of_memory = words.out_of_memory != 0;
    {
        MutexLock lock(mutex_);
        if (!ended_because_.empty()) return {.how = ended_by_host, .reason = ended_because_};
        out_of_memory = out_of_memory || group_out_of_memory_;
    }
    if (words.end_known == 0) return {.how = lost, .output = output_.tail()};
    const int status = words.end_status;
    WorkerEnd end;
    if (WIFSIGNALED(status)) {
        end.how = signalled;
        end.signal = WTERMSIG(status);
    } else {
        end.how = exited;
        end.exit_code = WEXITSTATUS(status);
    }
    end.output = output_.tail();
    end.limit = exhausted_by(status, words.end_rss_kb, out_of_memory, limits);
    return end;
}

}  // namespace toolhost::worker
