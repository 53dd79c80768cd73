#include "host/runtime/isolated.hpp"

#include <spdlog/spdlog.h>

#include <condition_variable>

#include "host/registry/json_text.hpp"
#include "host/runtime/child_process.hpp"
#include "host/runtime/conversation.hpp"
#include "host/runtime/patience.hpp"
#include "host/runtime/protected_state.hpp"
#include "host/runtime/sandbox.hpp"
#include "host/runtime/worker_messages.hpp"

namespace toolhost::runtime {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kFirstBackoff{100}, kLongestBackoff{5000};
// Of one library, where callers have workers of their own: each is a process with its memory.
constexpr std::size_t kMostCallerWorkers = 16;

class Turn {
public:
    Turn(SerialGates& gates, SerialGate& gate) : gates_(gates), gate_(gate) {}
    ~Turn() { gates_.leave(gate_); }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

private:
    SerialGates& gates_;
    SerialGate& gate_;
};

// Details may be the worker's own words, so nothing is taken for granted of them.
std::string reason_of(const Error& error) {
    const auto it = error.details.find("reason");
    return it != error.details.end() && it->is_string() ? it->get<std::string>() : "";
}

// The plugin's own doing, and not the host's trouble or another call's end.
bool is_crash(const Error& error) {
    // Lost: how it ended is told in memory that the plugin can write.
    if (reason_of(error) == "channel_garbage" || reason_of(error) == "worker_lost") return true;
    return error.details.is_object() &&
           (error.details.contains("signal") || error.details.contains("exitCode"));
}

Error gave_up(const Stop& stop, const char* why) {
    if (stop.cancel.stop_requested())
        return {ErrorCode::cancelled, "the call was cancelled before it began", {}};
    return {ErrorCode::timeout, why, {}};
}

CrashScope scope_of(const registry::Library& library, const Invocation& invocation) {
    return {library.path, library.sha256, invocation.terms->key, std::string(invocation.caller)};
}

// What the plugin printed during the call belongs to its log.
void log_output(Worker& worker, CallHost& host) {
    if (auto text = worker.output().take(); !text.empty()) host.log(TOOL_LOG_DEBUG, text);
}

}  // namespace

// One library under one confinement.
struct Isolated::Slot {
    registry::Library library;
    std::string terms;   // their key
    std::string caller;  // whose alone it is; empty: everybody's
    SerialGate gate;
    std::mutex mutex;
    std::condition_variable_any changed;
    bool starting = false;         // one thread starts the worker, the others wait for it
    std::weak_ptr<Worker> worker;  // its supervisor's, until it ends
    ProtectedState state;          // as it was when that worker was started
    std::shared_ptr<TrustedTree> tree;

    [[nodiscard]] ProtectedState look(const Confinement& confinement) const {
        return ProtectedState(confinement, tree->look());
    }
    // The worker that takes calls, if there is one. Under the lock.
    [[nodiscard]] std::shared_ptr<Worker> living() const {
        auto known = worker.lock();
        return known && !known->ending() && !known->dead() ? known : nullptr;
    }
};

// Says that a thread starts the worker, until it has done so or failed.
class Isolated::Starting {
public:
    explicit Starting(Slot& slot) : slot_(slot) { slot_.starting = true; }  // under the lock
    ~Starting() {
        {
            std::lock_guard lock(slot_.mutex);
            slot_.starting = false;
            if (worker) {
                slot_.worker = worker;
                slot_.state = state;
            }
        }
        slot_.changed.notify_all();
    }
    Starting(const Starting&) = delete;
    Starting& operator=(const Starting&) = delete;

    std::shared_ptr<Worker> worker;
    ProtectedState state;

private:
    Slot& slot_;
};

Isolated::Isolated(const IsolatedOptions& options)
    : program_(options.program), copies_(options.copies), quarantine_(options.quarantine) {}

Isolated::~Isolated() = default;

Result<std::shared_ptr<Isolated::Slot>> Isolated::slot(const registry::Library& library,
                                                       const Invocation& invocation) {
    const auto& key = invocation.terms->key;
    std::string_view caller;
    if (!invocation.caller.empty() &&
        (library.stateful || quarantine_.crashed_for_caller(scope_of(library, invocation))))
        caller = invocation.caller;
    std::lock_guard lock(mutex_);
    for (const auto& known : slots_)
        if (known->terms == key && known->library.sha256 == library.sha256 &&
            known->library.path == library.path && known->caller == caller)
            return known;
    // Of libraries and profiles that are no longer.
    std::erase_if(slots_, [&](const auto& known) {
        return known.use_count() == 1 && known->worker.expired();
    });
    if (!caller.empty())
        if (auto room = make_room(library); !room) return room.error();
    auto made = std::make_shared<Slot>();
    made->library = library;
    made->terms = key;
    made->caller = caller;
    made->tree = trees_.of(invocation.terms->confinement);
    return slots_.emplace_back(std::move(made));
}

// For one more caller: the worker that nobody has used for the longest time is ended. Under the
// lock.
Result<void> Isolated::make_room(const registry::Library& library) {
    std::size_t count = 0;
    auto oldest = slots_.end();
    auto oldest_use = Clock::time_point::max();
    for (auto it = slots_.begin(); it != slots_.end(); ++it) {
        const auto& known = **it;
        if (known.caller.empty() || known.library.path != library.path) continue;
        ++count;
        if (it->use_count() > 1) continue;  // in a call
        const auto worker = known.worker.lock();
        const auto idle = worker ? worker->idle_since() : Clock::time_point::min();
        if (!idle || *idle >= oldest_use) continue;
        oldest = it;
        oldest_use = *idle;
    }
    if (count < kMostCallerWorkers) return {};
    if (oldest == slots_.end())
        return Error{ErrorCode::resource_exhausted,
                     library.path + " runs calls of " + std::to_string(count) +
                         " clients, each in a process of its own, and can have no more at once; "
                         "try again later",
                     {{"resource", "workers"}}};
    if (const auto worker = (*oldest)->worker.lock())
        worker->close_if_idle(std::chrono::seconds(0));
    slots_.erase(oldest);
    return {};
}

void Isolated::end_caller(std::string_view caller) {
    if (caller.empty()) return;
    std::lock_guard lock(mutex_);
    std::erase_if(slots_, [&](const auto& known) {
        if (known->caller != caller || known.use_count() > 1) return false;
        if (const auto worker = known->worker.lock())
            worker->close_if_idle(std::chrono::seconds(0));
        return true;
    });
}

void Isolated::invoke(const registry::Library& library, Invocation invocation,
                      std::shared_ptr<CallHost> host, const Stop& stop, Done done) {
    if (!invocation.terms)
        return done(Error{ErrorCode::internal, "a call in a worker without terms", {}});
    const auto& missing = missing_sandbox_parts();
    if (invocation.terms->confinement.sandbox == policy::Sandbox::required && !missing.empty())
        return done(Error{ErrorCode::plugin_unavailable,
                          "the profile asks for sandbox: required, and this kernel has no " +
                              missing.front() + "; sandbox: best_effort goes without",
                          {{"missing", missing}}});
    // A fault in reading what a worker sent costs the call, never the host.
    auto outcome = [&]() -> Result<Outcome> {
        try {
            auto place = slot(library, invocation);
            if (!place) return place.error();
            return run(**place, invocation, *host, stop);
        } catch (const std::exception& e) {
            return Error{
                ErrorCode::internal, std::string("a fault of toolhost itself: ") + e.what(), {}};
        }
    }();
    done(outcome);
}

Result<Outcome> Isolated::run(Slot& slot, const Invocation& invocation, CallHost& host,
                              const Stop& stop) {
    const auto& terms = *invocation.terms;
    std::optional<Turn> turn;
    if ((slot.library.flags & TOOL_CONCURRENT) == 0) {
        auto entered = gates_.enter(slot.gate, invocation.chain, host.deadline(), stop.cancel);
        if (!entered) return entered.error();
        turn.emplace(gates_, slot.gate);
    }
    for (;;) {
        auto found = worker(slot, invocation, host, stop);
        if (!found) return found.error();
        auto& worker = **found;
        const auto lane = worker.take_lane(host.deadline(), stop.cancel, invocation.depth);
        if (!lane) {
            if (!stop.cancel.stop_requested() && (worker.ending() || worker.dead()))
                continue;  // it left while we waited
            return gave_up(stop, "all of the library's lanes were busy");
        }
        Conversation talk(worker, **lane, host, stop, terms, slot.library.path);
        auto request = pack_call(invocation, host.deadline(), (**lane).memory());
        auto outcome = talk.run(request);
        (**lane).reuse(std::move(request));
        log_output(worker, host);
        tell_new_files(slot, terms, host);
        if (outcome || !is_crash(outcome.error())) return outcome;
        // A crash ends all calls in the worker and is still one, to each caller that was in it.
        if (worker.first_to_tell()) ++crashes_;
        if (worker.first_to_tell(invocation.caller))
            count_crash(scope_of(slot.library, invocation), terms.workers, outcome.error());
        return outcome;
    }
}

// The kernel holds no name that is not there yet, so a program that a tool ran may have made one.
void Isolated::tell_new_files(Slot& slot, const WorkerTerms& terms, CallHost& host) {
    if (terms.confinement.trusted_files.empty()) return;
    const auto now = slot.look(terms.confinement);
    std::vector<std::string> made;
    {
        const std::lock_guard lock(slot.mutex);
        made = now.new_since(slot.state, terms.confinement);
    }
    for (const auto& path : made)
        spdlog::warn("{} appeared while {} ran; other programs run or trust it: look at it first",
                     path, slot.library.path);
    if (!made.empty()) host.trusted_files_appeared(made);
}

Result<std::shared_ptr<Worker>> Isolated::worker(Slot& slot, const Invocation& invocation,
                                                 CallHost& host, const Stop& stop) {
    const auto& terms = *invocation.terms;
    auto now = slot.look(terms.confinement);
    std::unique_lock lock(slot.mutex);
    for (;;) {
        if (auto known = slot.living()) {
            if (slot.state == now) return known;
            now = slot.look(terms.confinement);  // the worker may be younger than our look
            if (slot.state == now) return known;
            // Its mounts hold files that are no longer there. Calls that are in it may end.
            slot.worker.reset();
            known->close_if_idle(std::chrono::seconds(0));
        }
        if (!slot.starting) break;
        auto started = [&] { return !slot.starting; };
        if (!wait_for(slot.changed, lock, host.deadline(), stop.cancel, started))
            return gave_up(stop, "the library's worker had not started by then");
        now = slot.look(terms.confinement);  // its start may have made folders
    }
    Starting starting(slot);
    lock.unlock();
    if (auto ok = make_host_folders(terms.confinement); !ok) return ok.error();
    // Before the worker looks: what changes in between is noticed at the next call.
    starting.state = slot.look(terms.confinement);
    auto scope = scope_of(slot.library, invocation);
    if (auto ok = check_standing(scope, host, stop); !ok) return ok.error();
    auto started = start(slot.library, terms, starting.state, host, stop);
    if (started) {
        starting.worker = *started;
    } else if (is_crash(started.error()) && reason_of(started.error()) != "worker_lost") {
        scope.caller.clear();  // no input had reached it
        ++crashes_;
        count_crash(scope, terms.workers, started.error());
    }
    return started;
}

Result<std::shared_ptr<Worker>> Isolated::start(const registry::Library& library,
                                                const WorkerTerms& terms,
                                                const ProtectedState& state, CallHost& host,
                                                const Stop& stop) {
    auto copy = copies_.of(library);
    if (!copy) return copy.error();
    Supervisor::Start wanted{program_, minimal_environment(),
                             std::chrono::seconds(terms.workers.idle_seconds),
                             terms.confinement.limits};
    wanted.environment.insert(wanted.environment.end(), terms.confinement.environment.begin(),
                              terms.confinement.environment.end());
    auto worker = supervisor_.start(wanted);
    if (!worker) return worker;
    ++starts_;
    Conversation talk(**worker, (*worker)->first_lane(), host, stop, terms, library.path);
    auto opened =
        talk.open(pack_setup({library.path, *copy, state.with_nested(terms.confinement)}));
    if (opened) {
        spdlog::debug("worker {} runs {}", (*worker)->keeper(), library.path);
        return worker;
    }
    Error error = opened.error();
    // tool_open() has no other way to say why it failed.
    if (const auto said = (*worker)->output().tail();
        error.code == ErrorCode::plugin_unavailable && !said.empty()) {
        if (!error.details.is_object()) error.details = Json::object();
        error.message += "; it printed: " + said;
        error.details["output"] = said;
    }
    log_output(**worker, host);
    (*worker)->end_now("it could not be opened");
    if (reason_of(error) == "worker_lost") error.code = ErrorCode::plugin_unavailable;
    return error;
}

Result<void> Isolated::check_standing(const CrashScope& scope, CallHost& host,
                                      const Stop& stop) const {
    const auto standing = quarantine_.find(scope);
    if (!standing.quarantined) return await_backoff(scope.path, standing, host, stop);
    const auto& held = *standing.quarantined;
    if (standing.for_caller)
        return Error{ErrorCode::plugin_quarantined,
                     scope.path + " is quarantined for this client: its calls crashed it " +
                         std::to_string(held.crashes) + " times in a short time, and in the end " +
                         held.reason + "; it can be called again after a while",
                     {{"since", held.since}, {"crashes", held.crashes}}};
    return Error{ErrorCode::plugin_quarantined,
                 scope.path + " is quarantined: it crashed " + std::to_string(held.crashes) +
                     " times in a short time, and in the end " + held.reason +
                     "; what lets it run again: toolhost retry TOOL, or a new version of the file",
                 {{"since", held.since}, {"crashes", held.crashes}}};
}

// The first restart is free; who crashes on waits ever longer.
Result<void> Isolated::await_backoff(const std::string& path, const Standing& standing,
                                     CallHost& host, const Stop& stop) const {
    const auto crashes = standing.crashes.size();
    if (crashes < 2) return {};
    auto pause = kFirstBackoff;
    for (std::size_t i = 2; i < crashes && pause < kLongestBackoff; ++i) pause *= 2;
    // The times are of another clock, which may have been set since.
    const auto since = Standing::Clock::now() - standing.crashes.back();
    const auto rest = std::min(pause, kLongestBackoff) - std::max(since, decltype(since)::zero());
    if (rest <= rest.zero()) return {};
    const auto until = Clock::now() + rest;
    const auto deadline = host.deadline();
    std::mutex mutex;
    std::condition_variable_any never;
    std::unique_lock waiting(mutex);
    if (wait_for(never, waiting, deadline ? std::min(until, *deadline) : until, stop.cancel,
                 [&] { return Clock::now() >= until; }))
        return {};
    if (stop.cancel.stop_requested()) return gave_up(stop, "");
    return Error{ErrorCode::plugin_unavailable,
                 path + " crashed " + std::to_string(crashes) +
                     " times of late, and is not started again so soon",
                 {}};
}

void Isolated::count_crash(const CrashScope& scope, const policy::Workers& terms,
                           const Error& error) {
    // Whoever reads it is told the path beside it.
    auto reason = error.message;
    if (reason.starts_with(scope.path + ' ')) reason.erase(0, scope.path.size() + 1);
    const auto standing = quarantine_.note_crash(scope, reason, terms.max_crashes,
                                                 std::chrono::seconds(terms.crash_window_seconds));
    if (standing.quarantined)
        spdlog::warn("{} crashed {} times within {} s and is quarantined{}", scope.path,
                     standing.crashes.size(), terms.crash_window_seconds,
                     standing.for_caller ? " for the client that called it" : "");
}

}  // namespace toolhost::runtime
