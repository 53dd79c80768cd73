#include "host/runtime/posted_calls.hpp"

#include <sys/epoll.h>

#include <algorithm>
#include <bit>
#include <cerrno>
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
    follow_all();
    await_gone();
}

void PostedCalls::await_gone() {
    MutexLock lock(mutex_);
    changed_.wait(lock.native(), [this]() REQUIRES(mutex_) { return living_ == 0; });
}

void PostedCalls::open() {
    const MutexLock lock(mutex_);
    ++collectors_;
    open_ = true;
}

void PostedCalls::close() {
    {
        const MutexLock lock(mutex_);
        if (--collectors_ > 0) return;
        open_ = false;
    }
    follow_all();
}

void PostedCalls::follow_all() {
    std::vector<Call> left;
    {
        const MutexLock lock(mutex_);
        for (auto& [worker, of] : workers_) remove_all(of, left);
        for (auto& [slot, waiting] : backlog_)
            for (auto& [principal, calls] : waiting)
                left.insert(left.end(), calls.begin(), calls.end());
        backlog_.clear();
        waiting_ = 0;
    }
    for (const auto& call : left) follow(call, std::nullopt);
}

// While a call is posted it may be neither in the backlog nor on a lane.
bool PostedCalls::pause() {
    const MutexLock lock(mutex_);
    if (collectors_ > 1 || living_ > 0) return false;
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

std::optional<PostedCalls::Admission> PostedCalls::admit() {
    const MutexLock lock(mutex_);
    if (collectors_ == 0 || pauses_ > 0) return std::nullopt;
    ++living_;
    return std::optional<Admission>(std::in_place, *this);
}

void PostedCalls::forget() {
    // Notified under the lock: the destructor may run as soon as it is free.
    const MutexLock lock(mutex_);
    if (--living_ == 0) changed_.notify_all();
}

bool PostedCalls::post(const Call& call) {
    if (!call->watch()) return false;
    auto how = waiting_ == 0 ? start(call) : Start::no_room;
    if (how == Start::no_room && !wait_at(End::back, call)) how = Start::impossible;
    if (how == Start::impossible) {
        call->unwatch();
        return false;
    }
    if (how == Start::no_room) retry(call->slot());  // the room may have come meanwhile
    if (call->is_stopped()) call->get_thread();
    return true;
}

// Where the call could begin only with a thread that waits, it gets one.
PostedCalls::Start PostedCalls::start(const Call& call) {
    auto sent = Isolated::Sent::impossible;
    try {
        sent = isolated_.send(*call);
    } catch (const std::exception&) {  // no memory
        return Start::impossible;
    }
    if (sent == Isolated::Sent::no_room) return Start::no_room;
    if (sent == Isolated::Sent::impossible) return Start::impossible;
    if (sent == Isolated::Sent::in_part || !add(call)) {
        call->worker()->announce(call->lane());
        call->worker()->wake();
        follow(call, std::nullopt);
    }
    return Start::begun;
}

bool PostedCalls::add(const Call& call) {
    auto& worker = *call->worker();
    MutexLock lock(mutex_);
    if (collectors_ == 0) return false;
    auto* of = find_or_add(call->worker());
    if (!of) return false;
    // One that was added after gone() would never be removed.
    if (worker.dead() && of->lanes == 0) {
        forget_worker(worker);
        return false;
    }
    of->calls[call->lane()] = call;
    of->lanes |= bit_of(call->lane());
    ++sent_;
    worker.answers().take(call->lane());  // of an earlier call
    if (sleepers_ > 0) worker.answers().expect_wake();
    worker.announce(call->lane());
    // With one core the worker would run at once: it is woken when this thread has no more to do.
    if (!os::can_spin() && sleepers_ == 0) {
        unwoken_ = true;
        return true;
    }
    lock.unlock();
    worker.wake();
    return true;
}

PostedCalls::OfWorker* PostedCalls::find_or_add(const std::shared_ptr<worker::Worker>& worker) try {
    const auto known = workers_.find(worker.get());
    if (known != workers_.end()) return &known->second;
    auto& added = workers_[worker.get()];
    added.worker = worker;
    epoll_event bell{};
    bell.events = EPOLLIN | EPOLLET;  // so that the bells themselves need not be read
    if (::epoll_ctl(bells_.get(), EPOLL_CTL_ADD, worker->answer_bell(), &bell) == 0) return &added;
    workers_.erase(worker.get());
    return nullptr;
} catch (const std::bad_alloc&) {
    return nullptr;
}

void PostedCalls::forget_worker(const worker::Worker& worker) {
    ::epoll_ctl(bells_.get(), EPOLL_CTL_DEL, worker.answer_bell(), nullptr);
    workers_.erase(&worker);
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
        const auto how = start(call);
        if (how == Start::impossible || (how == Start::no_room && !wait_at(End::front, call)))
            follow(call, std::nullopt);
        // It could not be taken while it was in neither place.
        if (call->is_stopped()) call->get_thread();
        // Room that came before the call was back in the backlog was not seen by the other retry.
        if (how == Start::no_room && retries_ == seen) return;
    }
}

bool PostedCalls::wait_at(End end, const Call& call) try {
    const MutexLock lock(mutex_);
    if (collectors_ == 0) return false;
    auto& calls = backlog_[&call->slot()][std::string(call->invocation().who())];
    calls.insert(end == End::front ? calls.begin() : calls.end(), call);
    ++waiting_;
    return true;
} catch (const std::bad_alloc&) {
    return false;
}

// Of the principal with the fewest calls in the worker the one that has waited longest.
PostedCalls::Call PostedCalls::next_in(const worker::WorkerSlot& slot) {
    const auto worker = [&] {
        const MutexLock lock(slot.mutex);
        return slot.living();
    }();
    const MutexLock lock(mutex_);
    const auto found = backlog_.find(&slot);
    if (found == backlog_.end()) return nullptr;
    auto& waiting = found->second;
    auto next = waiting.begin();
    if (waiting.size() > 1 && worker)
        next = std::ranges::min_element(
            waiting, {}, [&](const auto& calls_of) { return worker->lanes_of(calls_of.first); });
    auto call = std::move(next->second.front());
    next->second.pop_front();
    --waiting_;
    if (next->second.empty()) waiting.erase(next);
    if (waiting.empty()) backlog_.erase(found);
    return call;
}

bool PostedCalls::remove_waiting(const PostedCall& call) {
    const auto found = backlog_.find(&call.slot());
    if (found == backlog_.end()) return false;
    auto& waiting = found->second;
    const auto of = waiting.find(call.invocation().who());
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
    auto found = worker::Conversation::Found::nothing;
    std::optional<worker::Message> message;
    const auto call = take_answered(found, message);
    if (!call) return false;
    if (found == worker::Conversation::Found::outcome)
        call->finish(*std::move(message));
    else
        follow(call, std::move(message));
    return true;
}

PostedCalls::Call PostedCalls::take_answered(worker::Conversation::Found& found,
                                             std::optional<worker::Message>& message) {
    const MutexLock lock(mutex_);
    auto it = workers_.upper_bound(last_worker_);
    for (std::size_t looked = 0; looked < workers_.size(); ++looked, ++it) {
        if (it == workers_.end()) it = workers_.begin();
        auto call = take_answered_in(it->second, found, message);
        if (!call) continue;
        last_worker_ = it->first;
        return call;
    }
    return nullptr;
}

PostedCalls::Call PostedCalls::take_answered_in(OfWorker& of, worker::Conversation::Found& found,
                                                std::optional<worker::Message>& message) {
    auto answered = of.worker->answers().lanes() & of.lanes;
    while (answered != 0) {
        const auto first = static_cast<std::uint32_t>(
            std::countr_zero(std::rotr(answered, static_cast<int>(next_lane_))));
        const auto lane = (next_lane_ + first) % worker::kLanes;
        next_lane_ = (lane + 1) % worker::kLanes;
        answered &= ~bit_of(lane);
        of.worker->answers().take(lane);
        try {
            found = of.calls[lane]->look(message);
        } catch (const std::exception&) {  // no memory for what it sent
            message.reset();
            found = worker::Conversation::Found::other;
        }
        if (found != worker::Conversation::Found::nothing) return remove(of, lane);
    }
    return nullptr;
}

void PostedCalls::follow(const Call& call, std::optional<worker::Message> message) {
    wake_workers();  // the thread waits for one of them, and this one may wait for it
    try {
        runners_.run(
            [call, message = std::move(message)]() mutable { call->follow(std::move(message)); });
    } catch (const std::exception&) {
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
        forget_worker(worker);
    }
    for (const auto& call : left) follow(call, std::nullopt);
}

void PostedCalls::wake_workers() {
    if (!unwoken_ || !unwoken_.exchange(false)) return;
    const MutexLock lock(mutex_);
    for (const auto& [worker, of] : workers_)
        if (of.lanes != 0) of.worker->wake();
}

PostedCalls::Sleep::Sleep(PostedCalls& calls) : calls_(calls) {
    {
        const MutexLock lock(calls_.mutex_);
        ++calls_.sleepers_;
        calls_.expect_wakes();
    }
    calls_.wake_workers();
}

PostedCalls::Sleep::~Sleep() {
    const MutexLock lock(calls_.mutex_);
    --calls_.sleepers_;
}

void PostedCalls::expect_wakes() {
    for (const auto& [worker, of] : workers_)
        if (of.lanes != 0) of.worker->answers().expect_wake();
}

// A bell rings once: it must ring again for threads that go on sleeping.
void PostedCalls::read_bells() {
    constexpr int kAtOnce = 16;
    epoll_event rung[kAtOnce];
    while (::epoll_wait(bells_.get(), rung, kAtOnce, 0) == kAtOnce) {
    }
    const MutexLock lock(mutex_);
    if (sleepers_ > 1) expect_wakes();
}

}  // namespace toolhost::runtime
