// Calls in workers that no thread waits for. Collectors, such as a server between two requests, end
// those whose outcome has come. A call that needs more gets a thread: its tool asks for something,
// its caller cancels it, it takes long, or its worker ends.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "host/base/mutex.hpp"
#include "host/os/descriptor.hpp"
#include "host/os/runners.hpp"
#include "host/runtime/watchdog.hpp"
#include "host/worker/conversation.hpp"
#include "host/worker/worker.hpp"
#include "host/worker/worker_slot.hpp"

namespace toolhost::runtime {

class Isolated;
class PostedCall;

class PostedCalls {
public:
    explicit PostedCalls(Isolated& isolated);
    ~PostedCalls();  // returns when all calls are gone
    PostedCalls(const PostedCalls&) = delete;
    PostedCalls& operator=(const PostedCalls&) = delete;

    // Calls are posted only while there is a collector.
    void open();
    // With the last collector, every posted call gets a thread.
    void close();
    // Returns when all calls are gone, with what they held of their callers.
    void await_gone();
    // No call is posted until resume(). False: there are posted calls, or another collector.
    [[nodiscard]] bool pause();
    void resume();
    // Whether more calls may come before those that run have ended. If not, and there is one core
    // only, a thread that waits for its call is cheaper.
    void expect_more(bool more) { expects_more_ = more; }

    // Ends one call whose outcome has come. False: none has.
    bool collect();
    [[nodiscard]] bool ready();
    // While a Sleep lives, this descriptor is readable when ready() may have become true. A
    // collector looks at ready() between the two, and reads bells() when it was woken.
    class Sleep {
    public:
        explicit Sleep(PostedCalls& calls);
        ~Sleep();
        Sleep(const Sleep&) = delete;
        Sleep& operator=(const Sleep&) = delete;

    private:
        PostedCalls& calls_;
    };
    [[nodiscard]] int bells() const { return bells_.get(); }
    void read_bells();

    // Whether a call should be posted now.
    [[nodiscard]] bool are_wanted() const;
    // Counts a call for as long as it exists.
    class Admission {
    public:
        explicit Admission(PostedCalls& calls) : calls_(&calls) {}
        Admission(Admission&& other) noexcept : calls_(std::exchange(other.calls_, nullptr)) {}
        Admission& operator=(Admission&&) = delete;
        ~Admission() {
            if (calls_) calls_->forget();
        }

    private:
        PostedCalls* calls_;
    };
    // Nothing: no call can be posted now.
    [[nodiscard]] std::optional<Admission> admit();
    // Sends the call now, or when a lane is free. False: it was not taken, and the caller runs it.
    [[nodiscard]] bool post(const std::shared_ptr<PostedCall>& call);
    // Calls of the slot that wait for a lane are tried again.
    void retry(const worker::WorkerSlot& slot);
    // Announced calls begin, where their workers sleep.
    void wake_workers();
    // The process of the worker has ended.
    void gone(const worker::Worker& worker);

    // For PostedCall. take(): from now on the caller ends it; false: another thread does.
    [[nodiscard]] bool take(const PostedCall& call);
    // Gives it a thread. It was taken.
    void follow(const std::shared_ptr<PostedCall>& call, std::optional<worker::Message> message);
    [[nodiscard]] Watchdog& watchdog() { return watchdog_; }

private:
    using Call = std::shared_ptr<PostedCall>;
    struct OfWorker {
        std::shared_ptr<worker::Worker> worker{};
        std::array<Call, worker::kLanes> calls{};
        std::uint32_t lanes = 0;  // those with a call
    };
    using Waiting = std::map<std::string, std::deque<Call>, std::less<>>;  // none is empty
    using Workers = std::map<const worker::Worker*, OfWorker>;
    enum class Start { begun, no_room, impossible };
    [[nodiscard]] Start start(const Call& call);
    [[nodiscard]] bool add(const Call& call);
    [[nodiscard]] OfWorker* find_or_add(const std::shared_ptr<worker::Worker>& worker)
        REQUIRES(mutex_);
    void forget_worker(const worker::Worker& worker) REQUIRES(mutex_);
    [[nodiscard]] Call remove(OfWorker& of, std::uint32_t lane) REQUIRES(mutex_);
    void remove_all(OfWorker& of, std::vector<Call>& into) REQUIRES(mutex_);
    enum class End { front, back };
    // Into the backlog. False: it cannot wait there.
    [[nodiscard]] bool wait_at(End end, const Call& call);
    [[nodiscard]] bool remove_waiting(const PostedCall& call) REQUIRES(mutex_);
    [[nodiscard]] Call next_in(const worker::WorkerSlot& slot);
    // Gives every call a thread.
    void follow_all();
    void forget();
    // A call whose worker has announced something for it, and what. Null: there is none.
    [[nodiscard]] Call take_answered(worker::Conversation::Found& found,
                                     std::optional<worker::Message>& message);
    [[nodiscard]] Call take_answered_in(OfWorker& of, worker::Conversation::Found& found,
                                        std::optional<worker::Message>& message) REQUIRES(mutex_);
    void expect_wakes() REQUIRES(mutex_);

    Isolated& isolated_;
    const os::Descriptor bells_;  // an epoll descriptor: the workers' answer bells
    mutable Mutex mutex_;
    std::condition_variable changed_;
    Workers workers_ GUARDED_BY(mutex_);
    // Of each slot the calls that wait for a lane, by principal and in the order they came.
    std::map<const worker::WorkerSlot*, Waiting> backlog_ GUARDED_BY(mutex_);
    int collectors_ GUARDED_BY(mutex_) = 0;
    int sleepers_ GUARDED_BY(mutex_) = 0;
    int pauses_ GUARDED_BY(mutex_) = 0;
    std::size_t living_ GUARDED_BY(mutex_) = 0;  // admitted, whoever ends them
    // So that each worker and each lane has its turn.
    const worker::Worker* last_worker_ GUARDED_BY(mutex_) = nullptr;
    std::uint32_t next_lane_ GUARDED_BY(mutex_) = 0;
    std::atomic<std::size_t> waiting_{0};  // in the backlog
    std::atomic<std::size_t> sent_{0};     // to be collected
    std::atomic<std::uint64_t> retries_{0};
    std::atomic<bool> open_{false}, expects_more_{false};
    std::atomic<bool> unwoken_{false};  // a call was announced to a worker that may sleep
    Watchdog watchdog_;
    os::Runners runners_;
};

}  // namespace toolhost::runtime
