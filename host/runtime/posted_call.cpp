#include "host/runtime/posted_call.hpp"

#include <spdlog/spdlog.h>

#include "host/runtime/isolated.hpp"
#include "host/runtime/posted_calls.hpp"
#include "host/worker/worker_messages.hpp"

namespace toolhost::runtime {
namespace {

// A call that takes longer gets a thread. A worker that does not announce its answers delays them
// by no more than this.
constexpr std::chrono::seconds kLongCall{1};

Error internal_error(const std::exception& e) {
    return {ErrorCode::internal, std::string("internal error: ") + e.what(), {}};
}

}  // namespace

bool PostedCall::watch() {
    if (!calls_.watchdog().start()) return false;
    try {
        watched_until_ = calls_.watchdog().watch(shared_from_this()).time;
        cancelled_.emplace(stop_.cancel, OnStop{this});
        abandoned_.emplace(stop_.abandon, OnStop{this});
        return true;
    } catch (const std::exception&) {  // no memory
        unwatch();
        return false;
    }
}

void PostedCall::unwatch() {
    settled_ = true;
    cancelled_.reset();
    abandoned_.reset();
    calls_.watchdog().forget({watched_until_, shared_from_this()});
}

os::Deadline PostedCall::deadline() const {
    const auto limit = time_limit();
    const auto is_long = begun_ + kLongCall;
    return limit ? std::min(*limit, is_long) : is_long;
}

void PostedCall::get_thread() {
    if (!calls_.take(*this)) return;
    settled_ = true;
    calls_.follow(shared_from_this(), std::nullopt);
}

bool PostedCall::send(worker::StartedWorker started, worker::Worker::Hold lane) {
    auto request = worker::pack_call(invocation_, time_limit(), (*lane).memory());
    started_ = std::move(started);
    lane_.emplace(std::move(lane));
    lane_number_ = lane_->lane();
    talk_.emplace(*started_.worker, *lane_, *call_, stop_, *invocation_.config, slot_->library);
    request_ = std::move(request);
    return talk_->post(request_);
}

void PostedCall::finish(worker::Message&& message) {
    unwatch();
    end(talk_->finish(std::move(message)));
}

void PostedCall::follow(std::optional<worker::Message> message) {
    unwatch();
    auto outcome = [&]() -> Result<loading::Outcome> {
        try {
            return run_to_end(std::move(message));
        } catch (const std::exception& e) {
            return internal_error(e);
        }
    }();
    end(std::move(outcome));
}

Result<loading::Outcome> PostedCall::run_to_end(std::optional<worker::Message> message) {
    if (!talk_) return isolated_.run(slot_->library, invocation_, *call_, stop_);
    // What another call did to the worker before this one began does not cost this one.
    if (!message && started_.worker->dead() && talk_->withdraw()) {
        conclude(loading::Outcome{});
        leave_lane();
        return isolated_.run(slot_->library, invocation_, *call_, stop_);
    }
    return talk_->follow(std::move(message));
}

void PostedCall::give_up() {
    unwatch();
    if (talk_ && !talk_->withdraw())
        started_.worker->end_now("the host could not start a thread for a call in it");
    end(Error{ErrorCode::resource_exhausted,
              "cannot start a thread for the call",
              {{"resource", "threads"}}});
}

void PostedCall::conclude(const Result<loading::Outcome>& outcome) {
    if (!lane_) return;
    (**lane_).reuse(std::move(request_));
    isolated_.conclude(*slot_, started_, invocation_, *talk_, outcome, *call_, stop_);
}

void PostedCall::leave_lane() {
    if (!lane_) return;
    lane_.reset();
    isolated_.leave_posted(*slot_);
    calls_.retry(*slot_);
}

// It leaves its lane before it ends for its caller, who may call again at once.
void PostedCall::end(Result<loading::Outcome> outcome) {
    try {
        conclude(outcome);
    } catch (const std::exception& e) {
        outcome = internal_error(e);
    }
    leave_lane();
    try {
        call_->ended(outcome);
    } catch (const std::exception& e) {
        spdlog::error("a call could not be ended: {}", e.what());
    }
}

}  // namespace toolhost::runtime
