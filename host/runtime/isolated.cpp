#include "host/runtime/isolated.hpp"

#include <spdlog/spdlog.h>

#include "host/registry/json_text.hpp"
#include "host/runtime/child_process.hpp"
#include "host/runtime/conversation.hpp"
#include "host/runtime/patience.hpp"
#include "host/runtime/protected_state.hpp"
#include "host/runtime/sandbox.hpp"
#include "host/runtime/worker_messages.hpp"

namespace toolhost::runtime {
namespace {

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

Error gave_up(const Stop& stop, const char* why) {
    if (stop.cancel.stop_requested())
        return {ErrorCode::cancelled, "the call was cancelled before it began", {}};
    return {ErrorCode::timeout, why, {}};
}

CrashScope scope_of(const registry::Library& library, const Invocation& invocation) {
    const auto who = invocation.principal.empty() ? invocation.caller : invocation.principal;
    return {library.path, library.identity, invocation.terms->key, std::string(who)};
}

// What the plugin printed during the call belongs to its log.
void log_output(Worker& worker, CallHost& host) {
    if (auto text = worker.output().take(); !text.empty()) host.log(TOOL_LOG_DEBUG, text);
}

}  // namespace

Isolated::Isolated(const IsolatedOptions& options)
    : program_(options.program), copies_(options.copies), crash_guard_(options.quarantine) {}

Isolated::~Isolated() = default;

SlotOwner Isolated::owner_of(const registry::Library& library, const Invocation& invocation) const {
    if (invocation.principal.empty() && invocation.caller.empty()) return {};
    std::string principal(invocation.principal), caller(invocation.caller);
    if (library.stateful) return {std::move(principal), std::move(caller)};
    if (!crash_guard_.has_crashed(scope_of(library, invocation))) return {};
    if (principal.empty()) return {"", std::move(caller)};
    return {std::move(principal), ""};
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
            for (;;) {
                auto slot = slots_.find_or_add(library, *invocation.terms,
                                               owner_of(library, invocation));
                if (!slot) return slot.error();
                if (auto ended = run(**slot, invocation, *host, stop)) return *std::move(ended);
            }
        } catch (const std::exception& e) {
            return Error{
                ErrorCode::internal, std::string("a fault of toolhost itself: ") + e.what(), {}};
        }
    }();
    done(outcome);
}

std::optional<Result<Outcome>> Isolated::run(WorkerSlot& slot, const Invocation& invocation,
                                             CallHost& host, const Stop& stop) {
    const auto& terms = *invocation.terms;
    std::optional<Turn> turn;
    if ((slot.library.flags & TOOL_CONCURRENT) == 0) {
        auto entered = gates_.enter(slot.gate, invocation.chain, host.deadline(), stop.cancel);
        if (!entered) return entered.error();
        turn.emplace(gates_, slot.gate);
    }
    for (;;) {
        // Its principal may have crashed a worker while this call waited.
        if (slot.owner != owner_of(slot.library, invocation)) return std::nullopt;
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
        // A crash ends all calls in the worker and is still one, to each principal that was in it.
        if (worker.first_to_tell()) ++crashes_;
        const auto scope = scope_of(slot.library, invocation);
        if (worker.first_to_tell(scope.principal))
            crash_guard_.count(scope, terms.workers, outcome.error(), slot.owner.is_everybody());
        return outcome;
    }
}

// The kernel holds no name that is not there yet, so a program that a tool ran may have made one.
void Isolated::tell_new_files(WorkerSlot& slot, const WorkerTerms& terms, CallHost& host) {
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

Result<std::shared_ptr<Worker>> Isolated::worker(WorkerSlot& slot, const Invocation& invocation,
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
    StartingWorker starting(slot);
    lock.unlock();
    if (auto ok = make_host_folders(terms.confinement); !ok) return ok.error();
    // Before the worker looks: what changes in between is noticed at the next call.
    starting.state = slot.look(terms.confinement);
    auto scope = scope_of(slot.library, invocation);
    if (auto ok = crash_guard_.check(scope, host, stop); !ok) return ok.error();
    auto started = start(slot.library, terms, starting.state, host, stop);
    if (started) {
        starting.worker = *started;
    } else if (is_crash(started.error()) && !is_worker_lost(started.error())) {
        scope.principal.clear();  // no input had reached it
        ++crashes_;
        crash_guard_.count(scope, terms.workers, started.error(), false);
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
    if (is_worker_lost(error)) error.code = ErrorCode::plugin_unavailable;
    return error;
}

}  // namespace toolhost::runtime
