#include "host/runtime/isolated.hpp"

#include <spdlog/spdlog.h>

#include "host/base/json_text.hpp"
#include "host/os/child_process.hpp"
#include "host/os/temp_folder.hpp"
#include "host/os/timed_wait.hpp"
#include "host/runtime/new_files.hpp"
#include "host/runtime/posted_call.hpp"
#include "host/sandbox/protected_state.hpp"
#include "host/sandbox/sandbox.hpp"
#include "host/worker/conversation.hpp"
#include "host/worker/worker_messages.hpp"

namespace toolhost::runtime {
namespace {

// What is larger is left to run(), which refuses what no message can hold.
constexpr std::size_t kMaxPosted = worker::kMaxMessageBytes / 2;
constexpr const char* kSearchTooSlow =
    "the search for files that other programs trust took too long";

class Turn {
public:
    Turn(loading::SerialGates& gates, loading::SerialGate& gate) : gates_(gates), gate_(gate) {}
    ~Turn() {
        if (!kept_) gates_.leave(gate_);
    }
    // Left by another thread, later.
    void keep() { kept_ = true; }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

private:
    loading::SerialGates& gates_;
    loading::SerialGate& gate_;
    bool kept_ = false;
};

Error gave_up(const loading::Stop& stop, const char* why) {
    if (stop.cancel.stop_requested())
        return {ErrorCode::cancelled, "the call was cancelled before it started", {}};
    return {ErrorCode::timeout, why, {}};
}

worker::CrashScope scope_of(const registry::Library& library, const PlacedInvocation& invocation) {
    return {library.path, library.identity, invocation.config->key, std::string(invocation.who())};
}

// What the plugin printed during the call belongs to its log.
void log_output(worker::Worker& worker, loading::CallHost& host) {
    if (auto text = worker.output().take(); !text.empty()) host.log(TOOL_LOG_DEBUG, text);
}

}  // namespace

Isolated::Isolated(const IsolatedOptions& options)
    : program_(options.program),
      copies_(options.copies),
      crash_guard_(options.quarantine),
      posted_(*this) {}

// Ends the workers, by that the calls in them, and only then what calls use.
Isolated::~Isolated() {
    supervisor_.stop();
}

worker::SlotOwner Isolated::owner_of(const registry::Library& library,
                                     const PlacedInvocation& invocation) const {
    if (invocation.principal.empty() && invocation.caller.empty()) return {};
    std::string principal(invocation.principal), caller(invocation.caller);
    if (library.stateful) return {std::move(principal), std::move(caller)};
    if (!crash_guard_.has_crashed(scope_of(library, invocation))) return {};
    if (principal.empty()) return {"", std::move(caller)};
    return {std::move(principal), ""};
}

Result<loading::Outcome> Isolated::run(const registry::Library& library,
                                       const PlacedInvocation& invocation, loading::CallHost& host,
                                       const loading::Stop& stop) {
    if (!invocation.config)
        return Error{ErrorCode::internal, "the call has no worker configuration", {}};
    const auto& missing = sandbox::missing_sandbox_parts();
    if (invocation.config->confinement.sandbox == sandbox::Enforcement::required &&
        !missing.empty())
        return Error{ErrorCode::sandbox_unavailable,
                     "the profile sets sandbox: required, but the kernel does not support " +
                         missing.front() + "; sandbox: best_effort runs without it",
                     {{"missing", missing}}};
    posted_.wake_workers();  // this thread may now wait for long
    // A fault in reading what a worker sent costs the call, never the host.
    try {
        for (;;) {
            const auto owner = owner_of(library, invocation);
            auto slot = slots_.find_or_add(library, *invocation.config, owner, invocation.slot);
            if (!slot) return slot.error();
            auto ended = run_in(**slot, owner, invocation, host, stop);
            posted_.retry(**slot);  // it has left the gate and its lane
            if (ended) return *std::move(ended);
        }
    } catch (const std::exception& e) {
        return Error{ErrorCode::internal, std::string("internal error: ") + e.what(), {}};
    }
}

Result<void> Isolated::open(const registry::Library& library, const worker::WorkerConfig& config,
                            loading::CallHost& host) {
    const auto slot = slots_.find_or_add(library, config, {});
    if (!slot) return slot.error();
    PlacedInvocation nothing;
    nothing.config = &config;
    const auto started = worker(**slot, nothing, host, {});
    if (!started) return started.error();
    return {};
}

std::optional<Result<loading::Outcome>> Isolated::run_in(worker::WorkerSlot& slot,
                                                         const worker::SlotOwner& owner,
                                                         const PlacedInvocation& invocation,
                                                         loading::CallHost& host,
                                                         const loading::Stop& stop) {
    const auto& config = *invocation.config;
    // A principal that found no room for its own worker is not let into the shared one by that.
    if (slot.owner != owner)
        if (auto ok = crash_guard_.check(scope_of(slot.library, invocation), host, stop); !ok)
            return ok.error();
    std::optional<Turn> turn;
    if ((slot.library.flags & TOOL_CONCURRENT) == 0) {
        auto entered = gates_.enter(slot.gate, invocation.chain, host.deadline(), stop.cancel);
        if (!entered) return entered.error();
        turn.emplace(gates_, slot.gate);
    }
    for (;;) {
        // Its principal may have crashed a worker while this call waited.
        if (owner != owner_of(slot.library, invocation)) return std::nullopt;
        auto found = worker(slot, invocation, host, stop);
        if (!found) return found.error();
        auto& worker = *found->worker;
        const auto lane =
            worker.take_lane(invocation.who(), host.deadline(), stop.cancel, invocation.depth);
        if (!lane) {
            if (!stop.cancel.stop_requested() && !worker.takes_calls())
                continue;  // it left while we waited
            return gave_up(stop, "all lanes of the library were busy");
        }
        worker::Conversation talk(worker, *lane, host, stop, config, slot.library);
        auto request = worker::pack_call(invocation, host.deadline(), (**lane).memory());
        auto outcome = talk.run(request);
        (**lane).reuse(std::move(request));
        conclude(slot, *found, invocation, talk, outcome, host, stop);
        return outcome;
    }
}

void Isolated::conclude(worker::WorkerSlot& slot, const worker::StartedWorker& started,
                        const PlacedInvocation& invocation, const worker::Conversation& talk,
                        const Result<loading::Outcome>& outcome, loading::CallHost& host,
                        const loading::Stop& stop) {
    const auto& config = *invocation.config;
    auto& worker = *started.worker;
    log_output(worker, host);
    look_for_new_files(*started.files, slot, config.confinement, host, stop);
    if (outcome) return;
    const auto scope = scope_of(slot.library, invocation);
    const auto& end = talk.end();
    const bool is_crash = end && end->is_crash();
    const bool is_shared = slot.owner.is_everybody() && !scope.principal.empty();
    // A call that did not stop costs the others in a shared worker as much as a crash.
    if (!is_crash && !(is_shared && talk.ended_worker())) return;
    // A crash ends all calls in the worker and is still one, to each principal that was in it.
    if (is_crash && worker.claim_report()) ++crashes_;
    if (worker.claim_report(scope.principal))
        crash_guard_.count(
            scope, config.workers, *end,
            is_shared ? worker::CrashPlace::shared_worker : worker::CrashPlace::own_worker);
}

// A call that may call tools itself needs a thread if its library runs one call at a time.
bool Isolated::try_post(const registry::Library& library, const PlacedInvocation& invocation,
                        const std::shared_ptr<PluginCall>& call, const loading::Stop& stop) try {
    const auto* config = invocation.config;
    const bool is_serial = (library.flags & TOOL_CONCURRENT) == 0;
    if ((is_serial && invocation.may_call_tools) || !config || !invocation.slot ||
        !posted_.are_wanted())
        return false;
    if (config->confinement.sandbox == sandbox::Enforcement::required &&
        !sandbox::missing_sandbox_parts().empty())
        return false;
    if (invocation.input.size() + invocation.policy.size() + invocation.state.size() > kMaxPosted)
        return false;
    auto slot = invocation.slot->get();
    if (!slot || !owner_of(library, invocation).is_everybody()) return false;
    auto admission = posted_.admit();
    if (!admission) return false;
    return posted_.post(std::make_shared<PostedCall>(*std::move(admission), *this, posted_,
                                                     std::move(slot), invocation, call, stop));
} catch (const std::exception&) {  // no memory, before anything was sent
    return false;
}

Isolated::Sent Isolated::send(PostedCall& call) {
    auto& slot = call.slot();
    const auto& invocation = call.invocation();
    const bool is_serial = (slot.library.flags & TOOL_CONCURRENT) == 0;
    auto started =
        slot.usable(invocation.config->confinement, call.time_limit(), call.stop().cancel);
    if (!started) return slot.is_starting() ? Sent::no_room : Sent::impossible;
    std::optional<Turn> turn;
    if (is_serial) {
        if (!gates_.try_enter_posted(slot.gate)) return Sent::no_room;
        turn.emplace(gates_, slot.gate);
    }
    auto lane = started->worker->try_take_lane(invocation.who(), invocation.depth);
    if (!lane) return started->worker->takes_calls() ? Sent::no_room : Sent::impossible;
    const bool is_whole = call.send(*std::move(started), *std::move(lane));
    if (turn) turn->keep();
    return is_whole ? Sent::whole : Sent::in_part;
}

void Isolated::leave_posted(worker::WorkerSlot& slot) {
    if ((slot.library.flags & TOOL_CONCURRENT) == 0) gates_.leave(slot.gate);
}

Result<worker::StartedWorker> Isolated::worker(worker::WorkerSlot& slot,
                                               const PlacedInvocation& invocation,
                                               loading::CallHost& host, const loading::Stop& stop) {
    const auto& confinement = invocation.config->confinement;
    std::shared_ptr<worker::Worker> outdated;  // as of the look before
    std::shared_ptr<worker::Worker> replaced;
    for (;;) {
        const auto now = slot.look(confinement, host.deadline(), stop.cancel);
        if (!now) return gave_up(stop, kSearchTooSlow);
        MutexLock lock(slot.mutex);
        if (slot.starting) {
            auto ended = [&]() REQUIRES(slot.mutex) { return !slot.starting; };
            if (!os::wait_for(slot.changed, lock, host.deadline(), stop.cancel, ended))
                return gave_up(stop, "the library's worker did not start in time");
            continue;  // its start may have made folders
        }
        if (auto known = slot.living()) {
            if (slot.files->state() == *now) return worker::StartedWorker{known, slot.files};
            // It may be younger than our look.
            if (known != outdated) {
                outdated = std::move(known);
                continue;
            }
            // Its mounts hold files that are no longer there.
            tell_new_files(*slot.files, *now, slot, confinement, host);
            slot.worker.reset();
            replaced = std::move(known);
        }
        std::optional<worker::StartingWorker> starting(std::in_place, slot);
        lock.unlock();  // first: slots lock themselves before one of them
        if (replaced) slots_.retire(slot, replaced);
        auto started = start_in(*starting, invocation, host, stop);
        starting.reset();
        posted_.retry(slot);
        return started;
    }
}

Result<worker::StartedWorker> Isolated::start_in(worker::StartingWorker& starting,
                                                 const PlacedInvocation& invocation,
                                                 loading::CallHost& host,
                                                 const loading::Stop& stop) {
    const auto& config = *invocation.config;
    const auto& slot = starting.slot();
    if (auto ok = slots_.make_room_for(slot); !ok) return ok.error();
    if (auto ok = sandbox::make_host_files(config.confinement); !ok) return ok.error();
    // The worker's folders are made in these. A folder that appears after the look would count as a
    // change, and end the worker and its state at the next call.
    for (const auto& folder : os::private_folders()) (void)os::make_private_folder(folder);
    // Before the worker looks: what changes in between is noticed at the next call.
    auto state = slot.look(config.confinement, host.deadline(), stop.cancel);
    if (!state) return gave_up(stop, kSearchTooSlow);
    const auto scope = scope_of(slot.library, invocation);
    if (auto ok = crash_guard_.check(scope, host, stop); !ok) return ok.error();
    auto worker = start(slot.library, scope, config, *state, host, stop);
    if (!worker) return worker.error();
    return starting.started = {*worker, std::make_shared<worker::WorkerFiles>(*std::move(state))};
}

Result<std::shared_ptr<worker::Worker>> Isolated::start(const registry::Library& library,
                                                        const worker::CrashScope& scope,
                                                        const worker::WorkerConfig& config,
                                                        const sandbox::ProtectedState& state,
                                                        loading::CallHost& host,
                                                        const loading::Stop& stop) {
    auto copy = copies_.of(library);
    if (!copy) return copy.error();
    worker::Supervisor::Start wanted{
        program_, os::minimal_environment(), std::chrono::seconds(config.workers.idle_seconds),
        config.confinement.limits, [this](worker::Worker& ended) { posted_.gone(ended); }};
    wanted.environment.insert(wanted.environment.end(), config.confinement.environment.begin(),
                              config.confinement.environment.end());
    auto worker = supervisor_.start(wanted);
    if (!worker) return worker;
    ++starts_;
    worker::Conversation talk(**worker, host, stop, config, library);
    auto opened =
        talk.open(worker::pack_setup({library.name(), *copy, (library.flags & TOOL_CONCURRENT) != 0,
                                      state.with_nested(config.confinement)}));
    if (opened) {
        spdlog::debug("worker {} runs {}", (*worker)->reaper(), library.path);
        return worker;
    }
    Error error = opened.error();
    // A model reads the error. Which path of the server it is about is the operator's to know.
    if (const auto path = error.details.find(sandbox::kServerPath); path != error.details.end()) {
        // The library's code has run in the worker by now, and may have written this.
        constexpr std::size_t kMaxLogged = 4096;
        const auto cut = [](std::string text) { return text.substr(0, kMaxLogged); };
        spdlog::error("{}: {}: {}", library.name(), cut(error.message), cut(dump(*path)));
        error.details.erase(path);
        if (error.details.empty()) error.details = nullptr;
    }
    // tool_open() has no other way to say why it failed.
    if (const auto said = (*worker)->output().tail();
        error.code == ErrorCode::plugin_unavailable && !said.empty()) {
        if (!error.details.is_object()) error.details = Json::object();
        error.message += "; output: " + said;
        error.details["output"] = said;
    }
    log_output(**worker, host);
    (*worker)->end_now("the library could not be opened");
    const auto& end = talk.end();
    if (!end || !end->is_crash()) return error;
    if (end->how == worker::WorkerEnd::How::lost) {
        error.code = ErrorCode::plugin_unavailable;
        return error;
    }
    ++crashes_;
    if (end->is_start_crash())
        crash_guard_.count(scope, config.workers, *end, worker::CrashPlace::start);
    return error;
}

}  // namespace toolhost::runtime
