#include "host/worker/worker_child.hpp"

#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <new>
#include <system_error>

#include "host/base/json_text.hpp"
#include "host/base/mutex.hpp"
#include "host/loading/loaded_library.hpp"
#include "host/os/listener_pool.hpp"
#include "host/sandbox/resource_limits.hpp"
#include "host/sandbox/sandbox.hpp"
#include "host/worker/worker_messages.hpp"

#ifdef TOOLHOST_COVERAGE
extern "C" void __gcov_dump(void);
#endif

namespace toolhost::worker {
namespace {

// Where calls usually take longer than this, each has a thread at once: waking one costs a tenth.
constexpr std::chrono::nanoseconds kLongCall{200'000};
// The host is told of a larger one at once: it may have to make room for the rest.
constexpr std::size_t kLargeResult = 64u << 10;
// Quick calls one after the other use little of it, and asking costs more than they do.
constexpr std::chrono::milliseconds kBetweenAllowances{100};

// What code that is not C++ took is known only by what is left of it.
bool memory_is_left() {
    constexpr std::size_t kLittle = 4u << 20;
    void* spare = ::mmap(nullptr, kLittle, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (spare == MAP_FAILED) return errno != ENOMEM;
    ::munmap(spare, kLittle);
    return true;
}

// Threads count as processes do.
bool processes_are_left() {
    pthread_t thread;
    const int fault = ::pthread_create(
        &thread, nullptr, [](void*) -> void* { return nullptr; }, nullptr);
    if (fault == 0) return ::pthread_join(thread, nullptr) == 0;
    return fault != EAGAIN || !memory_is_left();
}

[[noreturn]] void leave(int code) {
#ifdef TOOLHOST_COVERAGE
    __gcov_dump();
#endif
    ::_exit(code);
}

// The host's side of a lane goes away only with the host. `announce` is called whenever the host
// has something to receive.
template <class Announce>
void send(LaneEnd& lane, MessageKind kind, std::string_view payload, Announce announce) {
    auto sending = lane.send(kind, payload);
    while (sending == LaneEnd::Sending::unfinished) {
        announce();
        sending = lane.resume_sending(std::nullopt);
    }
    if (sending == LaneEnd::Sending::broken) leave(1);
    announce();
}

void send(LaneEnd& lane, MessageKind kind, std::string_view payload) {
    send(lane, kind, payload, [] {});
}

Message receive(LaneEnd& lane) {
    Message message;
    for (;;) switch (lane.receive(message, std::nullopt)) {
            case LaneEnd::Receipt::message:
                return message;
            case LaneEnd::Receipt::nothing:
                break;
            case LaneEnd::Receipt::broken:
                leave(1);
        }
}

// How the host is told that a posted call has something for it.
struct HostBell {
    AnswerSignal& answers;
    const int descriptor;

    void announce(std::uint32_t lane) const { answers.announce(lane); }
    void ring() const { answers.wake(descriptor); }
};

// What the plugin asks for, passed on to the host.
class ServedCall : public loading::CallHost {
public:
    // `bell`: of a posted call; else null.
    ServedCall(LaneEnd& lane, std::uint32_t number, const HostBell* bell, std::int64_t budget_ms)
        : lane_(lane), number_(number), bell_(bell) {
        if (budget_ms >= 0)
            deadline_ = std::chrono::steady_clock::now() + std::chrono::milliseconds(budget_ms);
    }

    void emit(std::string_view kind, std::string_view json) override {
        send_one(MessageKind::emit, pack_pair(kind, json));
    }
    [[nodiscard]] bool cancelled() const override { return lane_.cancelled(); }
    void log(int level, std::string_view message) override {
        send_one(MessageKind::log, pack_numbered(level, message));
    }
    std::pair<tool_status, std::string> call_tool(std::string_view reference,
                                                  std::string_view input) override {
        auto answer = ask(MessageKind::call_tool, pack_pair(reference, input));
        return {static_cast<tool_status>(answer.number), std::move(answer.text)};
    }
    std::pair<tool_status, std::string> interrupt(std::string_view name,
                                                  std::string_view reason_json) override {
        auto answer = ask(MessageKind::interrupt, pack_pair(name, reason_json));
        return {static_cast<tool_status>(answer.number), std::move(answer.text)};
    }
    std::pair<tool_status, std::string> ask_client(std::string_view kind,
                                                   std::string_view params_json) override {
        auto answer = ask(MessageKind::ask_client, pack_pair(kind, params_json));
        return {static_cast<tool_status>(answer.number), std::move(answer.text)};
    }
    [[nodiscard]] os::Deadline deadline() const override { return deadline_; }

private:
    // emit and log may come from any thread.
    void send_one(MessageKind kind, const std::string& payload) {
        if (payload.size() > kMaxMessageBytes) return;  // too large to be valid
        MutexLock lock(sending_);
        send(lane_, kind, payload, [this] {
            if (!bell_) return;
            bell_->announce(number_);
            bell_->ring();
        });
    }
    NumberedText ask(MessageKind kind, const std::string& payload) {
        send_one(kind, payload);
        auto message = receive(lane_);
        if (message.kind != MessageKind::answer) leave(1);
        return unpack_numbered(message.payload);
    }

    LaneEnd& lane_;
    const std::uint32_t number_;
    const HostBell* const bell_;
    Mutex sending_;
    os::Deadline deadline_;
};

// A lane, and the lock that the thread holds which runs its call.
struct ServedLane {
    ServedLane(const Channel& channel, std::uint32_t number)
        : end(LaneEnd::Side::worker, channel.words().lanes[number], channel.rings(number)) {}

    Mutex mutex;
    LaneEnd end GUARDED_BY(mutex);
};

class WorkerChild {
public:
    WorkerChild(Channel& channel, int answer_bell)
        : channel_(channel), bell_{channel.words().answers, answer_bell} {
        for (std::uint32_t i = 0; i < kLanes; ++i)
            lanes_[i] = std::make_unique<ServedLane>(channel, i);
    }

    void open(const WorkerPlace& place) {
        const MutexLock lock(lanes_[0]->mutex);
        auto& first = lanes_[0]->end;
        auto message = receive(first);
        if (message.kind != MessageKind::setup) leave(1);
        setup_ = unpack_setup(message.payload);
        const auto folder = setup_.load.substr(0, setup_.load.rfind('/'));
        const auto& most = setup_.confinement.limits.processes;
        if (place.own_processes && most) sandbox::limit_process_numbers(*most + kOwnThreads + 7);
        auto ok = sandbox::enter_sandbox(setup_.confinement,
                                         {{folder},
                                          place.temp,
                                          kOwnThreads,
                                          place.own_processes,
                                          true,
                                          place.temp.substr(0, place.temp.rfind('/'))});
        // Before the plugin can use up all threads.
        if (ok) ok = start_listening();
        if (ok) ok = library_.open(setup_.load, setup_.name);
        if (ok) return send(first, MessageKind::ready, "");
        send(first, MessageKind::refused, pack_refusal(ok.error()));
        leave(0);
    }

    // Until the host closes it.
    [[noreturn]] void serve() {
        pool_.wait();
        library_.close();
        leave(0);
    }

private:
    using Clock = std::chrono::steady_clock;
    // One per lane, one that listens for calls while all lanes are busy, and one that monitors
    // whether any does.
    static constexpr unsigned kOwnThreads = kLanes + 2;

    Result<void> start_listening() {
        try {
            pool_.start();
            return {};
        } catch (const std::system_error& fault) {
            return Error{ErrorCode::plugin_unavailable,
                         std::string("cannot start a thread in the worker: ") + fault.what(),
                         {}};
        }
    }

    // The next call, on this thread. Short calls in a row need no other thread; where one takes
    // long, another thread listens.
    bool take_turn() {
        auto& calls = channel_.words().calls;
        std::unique_lock turn(serial_, std::defer_lock);
        if (!setup_.concurrent && !turn.try_lock()) {
            bell_.ring();  // the call that is running takes long
            turn.lock();
        }
        ring_for_all();
        const auto lane = calls.await(spin_);
        if (!lane) return false;
        // The host may send the lane's next call before this one is over here.
        const MutexLock lock(lanes_[*lane]->mutex);
        auto message = receive(lanes_[*lane]->end);
        const bool is_posted = message.kind == MessageKind::post;
        if (message.kind != MessageKind::invoke && !is_posted) leave(1);
        // The next posted call of a library that runs one at a time waits for this one.
        const bool is_alone = !setup_.concurrent && is_posted;
        if (!setup_.concurrent && !is_alone) turn.unlock();
        std::optional<os::ListenerPool::Away> away;
        if (!is_alone || !os::can_spin()) {
            away.emplace(pool_);
            if (calls_are_long())
                away->hand_over();
            else
                away->watch();
        }
        const auto begun = Clock::now();
        serve_call(*lane, std::move(message), is_posted);
        count_time(Clock::now() - begun);
        ring_for_all();  // this thread may be one too many by now
        return true;
    }

    // With one core the host would run at once: it is woken when it can take all answers.
    void ring_for_all() {
        if (!channel_.words().calls.any() && bell_.answers.lanes() != 0) bell_.ring();
    }

    [[nodiscard]] bool calls_are_long() const { return usual_ns_ > kLongCall.count(); }
    // A running average, so that one call among many does not change how the next are run.
    void count_time(std::chrono::nanoseconds time) {
        const auto usual = usual_ns_.load(std::memory_order_relaxed);
        usual_ns_.store(usual + (time.count() - usual) / 8, std::memory_order_relaxed);
    }

    void serve_call(std::uint32_t number, Message message, bool is_posted)
        REQUIRES(lanes_[number]->mutex) {
        auto& lane = lanes_[number]->end;
        const auto call = unpack_call(message.payload);
        begin();
        ServedCall host(lane, number, is_posted ? &bell_ : nullptr, call.budget_ms);
        auto outcome = library_.invoke(call.invocation, host);
        auto packed = conclude(outcome, lane.memory());
        --running_;
        lane.reuse(std::move(message.payload));
        send(lane, MessageKind::outcome, packed, [&] {
            if (!is_posted) return;
            bell_.announce(number);
            if (os::can_spin() || calls_are_long() || packed.size() > kLargeResult) bell_.ring();
        });
        lane.reuse(std::move(packed));
    }

    // CPU time is counted from where the worker was idle: a warm one serves many calls.
    void begin() {
        if (running_++ > 0) return;
        channel_.words().out_of_memory = 0;
        const auto now = Clock::now();
        if (now - cpu_allowed_ < kBetweenAllowances) return;
        cpu_allowed_ = now;
        if (auto seconds = setup_.confinement.limits.cpu_seconds)
            sandbox::allow_cpu_seconds(*seconds);
    }

    std::string conclude(loading::Outcome& outcome, std::string memory) {
        if (outcome.content.size() > loading::kMaxReplyBytes) {
            outcome.content.clear();
            outcome.exhausted.emplace_back("reply");
        }
        if (outcome.status != TOOL_OK) {
            if (channel_.words().out_of_memory != 0 || !memory_is_left())
                outcome.exhausted.emplace_back("memoryMb");
            if (os::Descriptor spare(::dup(STDIN_FILENO)); !spare && errno == EMFILE)
                outcome.exhausted.emplace_back("openFiles");
            if (!processes_are_left()) outcome.exhausted.emplace_back("processes");
        }
        return pack_outcome(outcome, std::move(memory));
    }

    Channel& channel_;
    const HostBell bell_;
    std::unique_ptr<ServedLane> lanes_[kLanes];
    WorkerSetup setup_;
    loading::LoadedLibrary library_;
    std::atomic<int> running_{0};
    Clock::time_point cpu_allowed_{};
    std::atomic<std::int64_t> usual_ns_{0};  // what a call takes
    os::AdaptiveSpin spin_;
    // Of a library that runs one call at a time: held by the one thread that listens or runs a
    // posted call, since the pool may have several threads in a turn.
    Mutex serial_;
    os::ListenerPool pool_{[this] { return take_turn(); }};
};

// Known to the handler of failed allocations, which gets no argument.
std::atomic<std::uint32_t>* memory_word = nullptr;

void on_no_memory() {
    *memory_word = 1;
    throw std::bad_alloc();
}

}  // namespace

void serve_calls(Channel& channel, const WorkerPlace& place) {
    // A sanitizer's handler would turn a crash into an exit, and the two are told apart.
    for (int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT}) ::signal(signal, SIG_DFL);
    memory_word = &channel.words().out_of_memory;
    std::set_new_handler(on_no_memory);
    // Each thread's own arena would reserve many times what it uses, and limits count addresses.
    ::mallopt(M_ARENA_MAX, 2);
    // Large replies come again: giving their memory back each time costs more than copying them.
    ::mallopt(M_MMAP_THRESHOLD, 16 << 20);
    ::mallopt(M_TRIM_THRESHOLD, 32 << 20);
    WorkerChild worker(channel, place.answer_bell);
    worker.open(place);
    worker.serve();
}

}  // namespace toolhost::worker
