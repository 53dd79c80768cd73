// One worker process, seen from the host: its lanes, its output, its end.
#pragma once

#include <sys/types.h>

#include <bitset>
#include <functional>
#include <memory>
#include <set>
#include <stop_token>

#include "host/base/mutex.hpp"
#include "host/os/fair_places.hpp"
#include "host/sandbox/confinement.hpp"
#include "host/worker/channel.hpp"
#include "host/worker/worker_end.hpp"
#include "host/worker/worker_output.hpp"

namespace toolhost::worker {

class Worker {
public:
    using Clock = std::chrono::steady_clock;

    // `answer_bell`: an event descriptor that the worker's process has, too.
    Worker(Channel channel, pid_t reaper, os::Descriptor reaper_end, os::Descriptor output,
           os::Descriptor answer_bell);

    // A lane for one call, given back in the end.
    class Hold {
    public:
        Hold(Worker& worker, std::uint32_t lane, os::FairPlaces::Place place)
            : place_(std::move(place)), worker_(&worker), lane_(lane) {}
        Hold(Hold&& other) noexcept
            : place_(std::move(other.place_)), worker_(std::exchange(other.worker_, nullptr)) {
            lane_ = other.lane_;
        }
        Hold& operator=(Hold&&) = delete;
        ~Hold() {
            if (worker_) worker_->give_back(lane_);
        }
        LaneEnd& operator*() const { return *worker_->lanes_[lane_]; }
        [[nodiscard]] std::uint32_t lane() const { return lane_; }

    private:
        os::FairPlaces::Place place_;  // is free once the lane is
        Worker* worker_;
        std::uint32_t lane_;
    };
    // Nothing: the deadline is over, the call was cancelled, or the worker has ended. `depth` is
    // how many calls it is within: some lanes are kept for those, each level has more of them than
    // the one around it, so that calls never wait in a circle for each other's lanes. While several
    // principals use the worker, one of them begins no call within none beyond half of the others.
    [[nodiscard]] std::optional<Hold> take_lane(std::string_view principal,
                                                const os::Deadline& deadline,
                                                const std::stop_token& cancel, std::uint32_t depth);
    // The same without waiting.
    [[nodiscard]] std::optional<Hold> try_take_lane(std::string_view principal,
                                                    std::uint32_t depth);

    // How many lanes the principal has.
    [[nodiscard]] std::size_t lanes_of(std::string_view principal) const {
        return places_.taken_by(principal);
    }

    // A call was sent on a lane.
    void announce(std::uint32_t lane) { channel_.words().calls.announce(lane); }
    // Whether none of its threads has begun with that call; then none will.
    [[nodiscard]] bool withdraw(std::uint32_t lane) {
        return channel_.words().calls.withdraw(lane);
    }
    // Its process looks for calls that were announced.
    void wake() { channel_.words().calls.wake(); }
    // What no thread of the host waits for.
    [[nodiscard]] AnswerSignal& answers() { return channel_.words().answers; }
    [[nodiscard]] int answer_bell() const { return answer_bell_.get(); }

    // For the first message, before calls are taken.
    [[nodiscard]] LaneEnd& first_lane() { return *lanes_[0]; }

    // Its process is gone; what it had sent before can still be received.
    [[nodiscard]] bool dead() const { return dead_; }
    // It is on its way out: closed or killed.
    [[nodiscard]] bool ending() const { return ending_; }
    [[nodiscard]] bool takes_calls() const { return !dead_ && !ending_ && !retired_; }
    // Ends it with all that it started. `why` is told to the calls that are in it.
    // True: nothing had ended it before.
    bool end_now(const std::string& why);
    // After this idle time, the library is closed and the process exits.
    bool close_if_idle(std::chrono::seconds limit);
    // Takes no more calls, and closes when those that are in it have ended.
    void retire();
    // True for the first call that tells of its crash; and for the first of a principal's.
    [[nodiscard]] bool claim_report() { return !told_.exchange(true); }
    [[nodiscard]] bool claim_report(std::string_view principal);
    // Why it has ended. Its process is gone.
    [[nodiscard]] WorkerEnd end(const sandbox::ResourceLimits& limits);

    [[nodiscard]] WorkerOutput& output() { return output_; }

    // For its supervisor.
    [[nodiscard]] int reaper_end() const { return reaper_end_.get(); }
    [[nodiscard]] pid_t reaper() const { return reaper_; }
    void signal_reaper(int signal) const;
    void set_dead(bool out_of_memory);
    // The start of its idle time; none: in use.
    [[nodiscard]] std::optional<Clock::time_point> idle_since() const;
    [[nodiscard]] std::optional<Clock::time_point> ending_since() const;
    std::chrono::seconds idle_limit{300};
    std::function<void()> on_ending;         // from any thread
    std::function<void(Worker&)> on_dead{};  // on its supervisor's
    std::string temp;                        // its folder
    std::string group;                       // its control group; empty: it has none

private:
    [[nodiscard]] std::optional<Hold> take_lane(os::FairPlaces::Place place);
    void give_back(std::uint32_t lane);
    bool begin_ending(std::string why);
    void tell_ending();

    Channel channel_;
    const pid_t reaper_;
    const os::Descriptor reaper_end_;  // a pid descriptor
    WorkerOutput output_;
    const os::Descriptor answer_bell_;
    std::unique_ptr<LaneEnd> lanes_[kLanes];
    std::atomic<bool> dead_{false}, ending_{false}, retired_{false}, told_{false};

    os::FairPlaces places_;  // as many as lanes
    mutable Mutex mutex_;
    std::bitset<kLanes> taken_ GUARDED_BY(mutex_);
    std::set<std::string, std::less<>> reported_by_ GUARDED_BY(mutex_);  // principals
    Clock::time_point last_used_ GUARDED_BY(mutex_) = Clock::now();
    std::optional<Clock::time_point> ending_since_ GUARDED_BY(mutex_);
    std::string ended_because_ GUARDED_BY(mutex_);
    bool group_out_of_memory_ GUARDED_BY(mutex_) = false;
};

}  // namespace toolhost::worker
