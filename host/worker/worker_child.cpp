#include "host/worker/worker_child.hpp"

#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <new>
#include <system_error>
#include <thread>

#include "host/base/json_text.hpp"
#include "host/base/mutex.hpp"
#include "host/loading/loaded_library.hpp"
#include "host/sandbox/resource_limits.hpp"
#include "host/sandbox/sandbox.hpp"
#include "host/worker/worker_messages.hpp"

#ifdef TOOLHOST_COVERAGE
extern "C" void __gcov_dump(void);
#endif

namespace toolhost::worker {
namespace {

constexpr std::chrono::milliseconds kToTryAgain{10};
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

// The host's side of a lane goes away only with the host.
void send(LaneEnd& lane, MessageKind kind, std::string_view payload) {
    auto sending = lane.send(kind, payload);
    while (sending == LaneEnd::Sending::unfinished) sending = lane.resume_sending(std::nullopt);
    if (sending == LaneEnd::Sending::broken) leave(1);
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

// What the plugin asks for, passed on to the host.
class ServedCall : public loading::CallHost {
public:
    ServedCall(LaneEnd& lane, std::int64_t budget_ms) : lane_(lane) {
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
        send(lane_, kind, payload);
    }
    NumberedText ask(MessageKind kind, const std::string& payload) {
        send_one(kind, payload);
        auto message = receive(lane_);
        if (message.kind != MessageKind::answer) leave(1);
        return unpack_numbered(message.payload);
    }

    LaneEnd& lane_;
    Mutex sending_;
    os::Deadline deadline_;
};

class WorkerChild {
public:
    explicit WorkerChild(Channel& channel) : channel_(channel) {
        for (std::uint32_t i = 0; i < kLanes; ++i)
            lanes_[i] = std::make_unique<LaneEnd>(LaneEnd::Side::worker, channel.words().lanes[i],
                                                  channel.rings(i));
    }

    void open(const WorkerPlace& place) {
        auto message = receive(*lanes_[0]);
        if (message.kind != MessageKind::setup) leave(1);
        setup_ = unpack_setup(message.payload);
        const auto folder = setup_.load.substr(0, setup_.load.rfind('/'));
        const auto& most = setup_.confinement.limits.processes;
        if (place.own_processes && most) sandbox::limit_process_numbers(*most + kLanes + 8);
        auto ok = sandbox::enter_sandbox(setup_.confinement,
                                         {{folder},
                                          place.temp,
                                          kLanes + 1,
                                          place.own_processes,
                                          true,
                                          place.temp.substr(0, place.temp.rfind('/'))});
        if (ok) ok = library_.open(setup_.load, setup_.name);
        if (ok) return send(*lanes_[0], MessageKind::ready, "");
        send(*lanes_[0], MessageKind::refused, pack_refusal(ok.error()));
        leave(0);
    }

    // Starts a thread for each lane that the host wants, and waits for the end.
    [[noreturn]] void attend() {
        auto& wanted = channel_.words().wanted;
        for (std::uint32_t serving = 0;;) {
            const auto seen = wanted.load();
            if ((seen & kClosing) != 0) close();
            while (serving < std::min(seen, kLanes) && start_serving(*lanes_[serving])) ++serving;
            // A plugin that has used up all threads or memory may give some back.
            os::Deadline again;
            if (serving < std::min(seen, kLanes)) again = Clock::now() + kToTryAgain;
            os::futex_wait(wanted, seen, again, os::FutexScope::shared);
        }
    }

private:
    using Clock = std::chrono::steady_clock;

    bool start_serving(LaneEnd& lane) {
        try {
            std::thread([this, &lane] { serve(lane); }).detach();
            return true;
        } catch (const std::system_error&) {
            return false;
        }
    }

    [[noreturn]] void serve(LaneEnd& lane) {
        for (;;) {
            auto message = receive(lane);
            if (message.kind != MessageKind::invoke) leave(1);
            const auto call = unpack_call(message.payload);
            begin();
            ServedCall host(lane, call.budget_ms);
            auto outcome = library_.invoke(call.invocation, host);
            auto packed = conclude(outcome, lane.memory());
            send(lane, MessageKind::outcome, packed);
            --running_;
            lane.reuse(std::move(message.payload));
            lane.reuse(std::move(packed));
        }
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

    [[noreturn]] void close() {
        library_.close();
        leave(0);
    }

    Channel& channel_;
    std::unique_ptr<LaneEnd> lanes_[kLanes];
    WorkerSetup setup_;
    loading::LoadedLibrary library_;
    std::atomic<int> running_{0};
    Clock::time_point cpu_allowed_{};
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
    WorkerChild worker(channel);
    worker.open(place);
    worker.attend();
}

}  // namespace toolhost::worker
