#include "host/runtime/posted_calls.hpp"

#include <sys/epoll.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <limits>
#include <stdexcept>
#include <system_error>

#include "host/runtime/isolated.hpp"
#include "host/runtime/posted_call.hpp"

namespace toolhost::runtime {
namespace {

std::uint32_t bit_of(std::uint32_t lane) {
    return 1u << lane;
}

}  // namespace

PostedCalls::PostedCalls(Isolated& isolated)
    : isolated_(isolated), bells_(::epoll_create1(EPOLL_CLOEXEC)) {
    if (!bells_) throw std::runtime_error("epoll_create1: " + os::system_message(errno));
}

PostedCalls::~PostedCalls() {
    MutexLock lock(mutex_);
    changed_.wait(lock.native(), [this]() REQUIRES(mutex_) { return living_ == 0; });
}

void PostedCalls::open() {
    const MutexLock lock(mutex_);
    ++collectors_;
    open_ = true;
}

void PostedCalls::close() {
    std::vector<Call> left;
    {
        const MutexLock lock(mutex_);
        if (--collectors_ > 0) return;
        open_ = false;
        for (auto& [worker, of] : workers_) remove_all(of, left);
        for (auto& [slot, waiting] : backlog_)
            for (auto& [principal, calls] : waiting)
                left.insert(left.end(), calls.begin(), calls.end());
        backlog_.clear();
        waiting_ = 0;
    }
    for (const auto& call : left) follow(call, std::nullopt);
}

bool PostedCalls::pause() {
    const MutexLock lock(mutex_);
    if (collectors_ > 1 || sent_ > 0 || waiting_ > 0) return false;
    ++pauses_;
    return true;
}

void PostedCalls::resume() {
    const MutexLock lock(mutex_);
    --pauses_;
}

bool PostedCalls::are_wanted() const {
    return open_ && (os::can_spin() || expects_more_ || sent_ > 0);
}

bool PostedCalls::post(const Call& call) {
    if (!call->watch()) return false;
    const auto& slot = call->slot();
    auto how = Start::no_room;
    {
        const MutexLock lock(mutex_);
        if (collectors_ == 0 || pauses_ > 0) how = Start::impossible;
        ++living_;
    }
    if (how != Start::impossible && waiting_ == 0) how = start(call);
    if (how == Start::impossible) {
        call->unwatch();
        forget();
        return false;
    }
    if (how == Start::no_room) {
        {
            const MutexLock lock(mutex_);
            queue_of(*call).push_back(call);
            ++waiting_;
        }
        retry(slot);  // the room may have come meanwhile
    }
    if (call->is_stopped()) call->get_thread();
    return true;
}

// Where the call could begin only with a thread that waits, it gets one.
PostedCalls::Start PostedCalls::start(const Call& call) {
    switch (isolated_.send(*call)) {
        case Isolated::Sent::whole:
            break;
        case Isolated::Sent::in_part:
            call->worker()->announce(call->lane());
            call->worker()->wake();
            follow(call, std::nullopt);
            return Start::begun;
        case Isolated::Sent::no_room:
            return Start::no_room;
        case Isolated::Sent::impossible:
            return Start::impossible;
    }
    if (add(call)) {
        call->worker()->announce(call->lane());
        if (os::can_spin())
            call->worker()->wake();
        else
            unwoken_ = true;
    } else {
        call->worker()->announce(call->lane());
        call->worker()->wake();
        follow(call, std::nullopt);
    }
    return Start::begun;
}

bool PostedCalls::add(const Call& call) {
    auto& worker = *call->worker();
    const MutexLock lock(mutex_);
    if (collectors_ == 0) return false;
    auto* of = find_or_add(call->worker());
    if (!of) return false;
    // One that was added after gone() would never be removed.
    if (worker.dead() && of->lanes == 0) {
        workers_.erase(&worker);
        return false;
    }
    of->calls[call->lane()] = call;
    of->lanes |= bit_of(call->lane());
    ++sent_;
    worker.answers().take(call->lane());  // of an earlier call
    if (sleepers_ > 0) worker.answers().expect_wake();
    return true;
}

PostedCalls::OfWorker* PostedCalls::find_or_add(const std::shared_ptr<worker::Worker>& worker) {
    const auto known = workers_.find(worker.get());
    if (known != workers_.end()) return &known->second;
    epoll_event bell{};
    bell.events = EPOLLIN | EPOLLET;  // so that the bells themselves need not be read
    if (::epoll_ctl(bells_.get(), EPOLL_CTL_ADD, worker->answer_bell(), &bell) != 0) return nullptr;
    auto& added = workers_[worker.get()];
    added.worker = worker;
    return &added;
}

PostedCalls::Call PostedCalls::remove(OfWorker& of, std::uint32_t lane) {
    of.lanes &= ~bit_of(lane);
    --sent_;
    return std::move(of.calls[lane]);
}

void PostedCalls::remove_all(OfWorker& of, std::vector<Call>& into) {
    while (of.lanes != 0)
        into.push_back(remove(of, static_cast<std::uint32_t>(std::countr_zero(of.lanes))));
}

void PostedCalls::retry(const worker::WorkerSlot& slot) {
    ++retries_;
    while (waiting_ > 0) {
        const auto seen = retries_.load();
        const auto call = next_in(slot);
        if (!call) return;
        bool is_full = false;
        switch (start(call)) {
            case Start::begun:
                break;
            case Start::impossible:
                follow(call, std::nullopt);
                break;
            case Start::no_room: {
                const MutexLock lock(mutex_);
                queue_of(*call).push_front(call);
                ++waiting_;
                is_full = true;
                break;
            }
        }
        // It could not be taken while it was in neither place.
        if (call->is_stopped()) call->get_thread();
        // Room that came before the call was back in the backlog was not seen by the other retry.
        if (is_full && retries_ == seen) return;
    }
}

// Of the principal with the fewest calls on lanes the one that has waited longest.
PostedCalls::Call PostedCalls::next_in(const worker::WorkerSlot& slot) {
    const MutexLock lock(mutex_);
    const auto found = backlog_.find(&slot);
    if (found == backlog_.end()) return nullptr;
    auto& waiting = found->second;
    auto next = waiting.begin();
    if (waiting.size() > 1)
        next = std::ranges::min_element(waiting, {}, [&](const auto& of) REQUIRES(mutex_) {
            return running_of(slot, of.first);
        });
    auto call = std::move(next->second.front());
    next->second.pop_front();
    --waiting_;
    if (next->second.empty()) waiting.erase(next);
    if (waiting.empty()) backlog_.erase(found);
    return call;
}

std::size_t PostedCalls::running_of(const worker::WorkerSlot& slot,
                                    std::string_view principal) const {
    std::size_t running = 0;
    for (const auto& [worker, of] : workers_)
        for (const auto& call : of.calls)
            if (call && &call->slot() == &slot && call->invocation().principal == principal)
                ++running;
    return running;
}

std::deque<PostedCalls::Call>& PostedCalls::queue_of(const PostedCall& call) {
    return backlog_[&call.slot()][std::string(call.invocation().principal)];
}

bool PostedCalls::remove_waiting(const PostedCall& call) {
    const auto found = backlog_.find(&call.slot());
    if (found == backlog_.end()) return false;
    auto& waiting = found->second;
    const auto of = waiting.find(call.invocation().principal);
    if (of == waiting.end()) return false;
    const auto place = std::ranges::find(of->second, &call, &Call::get);
    if (place == of->second.end()) return false;
    of->second.erase(place);
    --waiting_;
    if (of->second.empty()) waiting.erase(of);
    if (waiting.empty()) backlog_.erase(found);
    return true;
}

bool PostedCalls::take(const PostedCall& call) {
    const MutexLock lock(mutex_);
    if (remove_waiting(call)) return true;
    for (auto& [worker, of] : workers_)
        for (std::uint32_t lane = 0; lane < worker::kLanes; ++lane)
            if (of.calls[lane].get() == &call) return remove(of, lane) != nullptr;
    return false;
}

bool PostedCalls::ready() {
    if (sent_ == 0) return false;
    const MutexLock lock(mutex_);
    return std::ranges::any_of(workers_, [](const auto& known) {
        return (known.second.worker->answers().lanes() & known.second.lanes) != 0;
    });
}

bool PostedCalls::collect() {
    if (sent_ == 0) return false;
    using Found = worker::Conversation::Found;
    Call call;
    std::optional<worker::Message> message;
    auto found = Found::nothing;
    {
        const MutexLock lock(mutex_);
        for (auto it = workers_.begin(); it != workers_.end() && !call; ++it) {
            auto& of = it->second;
            auto answered = of.worker->answers().lanes() & of.lanes;
            while (answered != 0 && !call) {
                const auto first = static_cast<std::uint32_t>(
                    std::countr_zero(std::rotr(answered, static_cast<int>(next_lane_))));
                const auto lane = (next_lane_ + first) % worker::kLanes;
                next_lane_ = (lane + 1) % worker::kLanes;
                answered &= ~bit_of(lane);
                of.worker->answers().take(lane);
                found = of.calls[lane]->look(message);
                if (found != Found::nothing) call = remove(of, lane);
            }
        }
    }
    if (!call) return false;
    if (found == Found::outcome)
        call->finish(*std::move(message));
    else
        follow(call, std::move(message));
    return true;
}

void PostedCalls::follow(const Call& call, std::optional<worker::Message> message) {
    try {
        runners_.run([call, message = std::move(message)] { call->follow(message); });
    } catch (const std::system_error&) {
        call->give_up();
    }
}

void PostedCalls::gone(const worker::Worker& worker) {
    std::vector<Call> left;
    {
        const MutexLock lock(mutex_);
        const auto of = workers_.find(&worker);
        if (of == workers_.end()) return;
        remove_all(of->second, left);
        ::epoll_ctl(bells_.get(), EPOLL_CTL_DEL, worker.answer_bell(), nullptr);
        workers_.erase(of);
    }
    for (const auto& call : left) follow(call, std::nullopt);
}

void PostedCalls::forget() {
    // Notified under the lock: the destructor may run as soon as it is free.
    const MutexLock lock(mutex_);
    if (--living_ == 0) changed_.notify_all();
}

void PostedCalls::wake_workers() {
    if (!unwoken_ || !unwoken_.exchange(false)) return;
    const MutexLock lock(mutex_);
    for (const auto& [worker, of] : workers_)
        if (of.lanes != 0) of.worker->wake();
}

PostedCalls::Sleep::Sleep(PostedCalls& calls) : calls_(calls) {
    calls_.wake_workers();
    const MutexLock lock(calls_.mutex_);
    ++calls_.sleepers_;
    for (const auto& [worker, of] : calls_.workers_)
        if (of.lanes != 0) of.worker->answers().expect_wake();
}

PostedCalls::Sleep::~Sleep() {
    const MutexLock lock(calls_.mutex_);
    --calls_.sleepers_;
}

void PostedCalls::read_bells() const {
    constexpr int kAtOnce = 16;
    epoll_event rung[kAtOnce];
    while (::epoll_wait(bells_.get(), rung, kAtOnce, 0) == kAtOnce) {
    }
}

}  // namespace toolhost::runtime
