#include "host/runtime/isolated.hpp"

#include <spdlog/spdlog.h>

#include <condition_variable>
#include <cstdlib>

#include "host/registry/json_text.hpp"
#include "host/runtime/child_process.hpp"
#include "host/runtime/conversation.hpp"
#include "host/runtime/sandbox.hpp"
#include "host/runtime/worker_messages.hpp"

namespace toolhost::runtime {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kFirstBackoff{100}, kLongestBackoff{5000};

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
    if (reason_of(error) == "channel_garbage") return true;
    return error.details.is_object() &&
           (error.details.contains("signal") || error.details.contains("exitCode"));
}

// What the plugin printed during the call belongs to its log.
void log_output(Worker& worker, CallHost& host) {
    if (auto text = worker.output().take(); !text.empty()) host.log(TOOL_LOG_INFO, text);
}

}  // namespace

// One library under one confinement.
struct Isolated::Slot {
    registry::Library library;
    SerialGate gate;
    std::mutex mutex;                       // one thread starts the worker, the others wait for it
    std::weak_ptr<Worker> worker;           // its supervisor's, until it ends
    std::deque<Clock::time_point> crashes;  // within the window
    std::optional<Quarantined> quarantined;
    bool stored = true;  // the quarantine; else it holds as long as this process
};

Isolated::Isolated(const IsolatedOptions& options)
    : program_(options.program), copies_(options.copies), quarantine_(options.quarantine) {}

Isolated::~Isolated() = default;

std::shared_ptr<Isolated::Slot> Isolated::slot(const registry::Library& library,
                                               const WorkerTerms& terms) {
    const auto key = library.path + '\n' + library.sha256 + '\n' + terms.key;
    std::lock_guard lock(mutex_);
    auto& entry = slots_[key];
    if (!entry) {
        entry = std::make_shared<Slot>();
        entry->library = library;
        entry->quarantined = quarantine_.find(library.path, library.sha256);
    }
    return entry;
}

Result<void> Isolated::check_quarantine(Slot& slot) const {
    if (!slot.quarantined) return {};
    // Somebody may have lifted it since.
    if (slot.stored) slot.quarantined = quarantine_.find(slot.library.path, slot.library.sha256);
    if (!slot.quarantined) {
        slot.crashes.clear();
        return {};
    }
    return Error{ErrorCode::plugin_quarantined,
                 slot.library.path + " is quarantined, since it crashed " +
                     std::to_string(slot.quarantined->crashes) +
                     " times in a short time: " + slot.quarantined->reason + "; toolhost retry " +
                     slot.library.path + " lets it run again",
                 {{"since", slot.quarantined->since}, {"crashes", slot.quarantined->crashes}}};
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
            return run(*slot(library, *invocation.terms), invocation, *host, stop);
        } catch (const std::exception& e) {
            return Error{
                ErrorCode::internal, std::string("a fault of toolhost itself: ") + e.what(), {}};
        }
    }();
    done(std::move(outcome));
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
        auto found = worker(slot, terms, host, stop);
        if (!found) return found.error();
        auto& worker = **found;
        const auto lane = worker.take_lane(host.deadline(), stop.cancel);
        if (!lane) {
            if (stop.cancel.stop_requested())
                return Error{ErrorCode::cancelled, "the call was cancelled before it began", {}};
            if (worker.ending() || worker.dead()) continue;  // it left while we waited
            return Error{ErrorCode::timeout, "all of the library's lanes were busy", {}};
        }
        Conversation talk(worker, **lane, host, stop,
                          std::chrono::milliseconds(terms.workers.grace_ms));
        auto request = pack_call(invocation, host.deadline(), (**lane).memory());
        auto outcome = talk.run(request, slot.library.path, terms.confinement.limits);
        (**lane).reuse(std::move(request));
        log_output(worker, host);
        // A crash ends all calls in the worker and is still one.
        if (!outcome && is_crash(outcome.error()) && worker.first_to_tell())
            count_crash(slot, terms.workers, outcome.error());
        return outcome;
    }
}

Result<std::shared_ptr<Worker>> Isolated::worker(Slot& slot, const WorkerTerms& terms,
                                                 CallHost& host, const Stop& stop) {
    std::unique_lock lock(slot.mutex);
    if (auto ok = check_quarantine(slot); !ok) return ok.error();
    if (auto known = slot.worker.lock(); known && !known->ending() && !known->dead()) return known;
    if (auto ok = await_backoff(slot, host, stop); !ok) return ok.error();
    auto started = start(slot.library, terms, host, stop);
    if (started) {
        slot.worker = *started;
        return started;
    }
    lock.unlock();
    if (is_crash(started.error())) count_crash(slot, terms.workers, started.error());
    return started;
}

Result<std::shared_ptr<Worker>> Isolated::start(const registry::Library& library,
                                                const WorkerTerms& terms, CallHost& host,
                                                const Stop& stop) {
    auto copy = copies_.of(library);
    if (!copy) return copy.error();
    Supervisor::Start wanted{program_, minimal_environment(),
                             std::chrono::seconds(terms.workers.idle_seconds)};
    wanted.environment.insert(wanted.environment.end(), terms.confinement.environment.begin(),
                              terms.confinement.environment.end());
    // For the keeper, which makes the worker's own folder there and puts that in its place.
    if (const char* temp = std::getenv("TMPDIR"))
        wanted.environment.insert(wanted.environment.begin(), std::string("TMPDIR=") + temp);
    auto worker = supervisor_.start(wanted);
    if (!worker) return worker;
    Conversation talk(**worker, (*worker)->first_lane(), host, stop,
                      std::chrono::milliseconds(terms.workers.grace_ms));
    auto opened = talk.open(pack_setup({library.path, *copy, terms.confinement}), library.path,
                            terms.confinement.limits);
    if (opened) {
        spdlog::debug("worker {} runs {}", (*worker)->keeper(), library.path);
        return worker;
    }
    log_output(**worker, host);
    (*worker)->end_now("it could not be opened");
    Error error = opened.error();
    if (reason_of(error) == "worker_lost") error.code = ErrorCode::plugin_unavailable;
    return error;
}

// The first restart is free; who crashes on waits ever longer.
Result<void> Isolated::await_backoff(Slot& slot, CallHost& host, const Stop& stop) const {
    if (slot.crashes.size() < 2) return {};
    auto pause = kFirstBackoff;
    for (std::size_t i = 2; i < slot.crashes.size() && pause < kLongestBackoff; ++i) pause *= 2;
    const auto until = slot.crashes.back() + std::min(pause, kLongestBackoff);
    const auto deadline = host.deadline();
    std::mutex mutex;
    std::condition_variable_any never;
    std::unique_lock waiting(mutex);
    never.wait_until(waiting, stop.cancel, deadline ? std::min(until, *deadline) : until,
                     [] { return false; });
    if (stop.cancel.stop_requested())
        return Error{ErrorCode::cancelled, "the call was cancelled before it began", {}};
    if (Clock::now() >= until) return {};
    return Error{ErrorCode::plugin_unavailable,
                 slot.library.path + " crashed " + std::to_string(slot.crashes.size()) +
                     " times of late, and is not started again so soon",
                 {}};
}

void Isolated::count_crash(Slot& slot, const policy::Workers& terms, const Error& error) {
    std::lock_guard lock(slot.mutex);
    const auto now = Clock::now();
    const auto window = std::chrono::seconds(terms.crash_window_seconds);
    while (!slot.crashes.empty() && now - slot.crashes.front() > window) slot.crashes.pop_front();
    slot.crashes.push_back(now);
    if (slot.crashes.size() < terms.max_crashes) return;
    slot.quarantined = {slot.library.path, slot.library.sha256, "",
                        static_cast<std::uint32_t>(slot.crashes.size()), error.message};
    slot.stored = quarantine_.put(*slot.quarantined);
    spdlog::warn("{} crashed {} times within {} s and is quarantined", slot.library.path,
                 slot.crashes.size(), terms.crash_window_seconds);
}

}  // namespace toolhost::runtime
