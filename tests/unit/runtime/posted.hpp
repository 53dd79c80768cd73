// Posts calls and collects them, as a server does.
#pragma once

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "tests/unit/runtime/workers.hpp"

namespace toolhost::runtime {

using RecordingCallPtr = std::shared_ptr<RecordingCall>;

constexpr int kBellMs = 20'000;

inline std::string deed(const std::string& how, int ms = 0) {
    return R"({"how":")" + how + R"(","ms":)" + std::to_string(ms) + '}';
}

inline RecordingCallPtr make_call(const std::string& tool, const std::string& input = "{}",
                                  const std::string& principal = "") {
    return std::make_shared<RecordingCall>(tool, input, principal);
}

// Starts the library's worker, without which no call is posted.
inline void start_worker(Workers& workers, const std::string& tool,
                         const std::string& input = "{}") {
    const auto first = make_call(tool, input);
    workers.invoke(first);
    REQUIRE(first->is_well());
}

inline RecordingCallPtr posted(Workers& workers, const std::string& tool,
                               const std::string& input = "{}", const std::string& principal = "") {
    auto call = make_call(tool, input, principal);
    REQUIRE(workers.post(call));
    return call;
}

// Collects on the test's own thread, between begin and end.
class Collecting {
public:
    explicit Collecting(PostedCalls& calls) : calls_(calls) {
        calls_.open();
        calls_.expect_more(true);  // with one core calls are posted only then
    }
    ~Collecting() { calls_.close(); }
    Collecting(const Collecting&) = delete;
    Collecting& operator=(const Collecting&) = delete;

    // Whether the bells rang.
    [[nodiscard]] bool await_bells() const {
        pollfd bells{calls_.bells(), POLLIN, 0};
        return ::poll(&bells, 1, kBellMs) == 1;
    }
    // Until the call has ended, by this thread. False: no bell rang for it.
    [[nodiscard]] bool collect(const RecordingCallPtr& call) {
        while (call->times_ended() == 0) {
            if (calls_.collect()) continue;
            const PostedCalls::Sleep sleep(calls_);
            if (calls_.ready()) continue;
            if (!await_bells()) return false;
            calls_.read_bells();
        }
        return true;
    }

private:
    PostedCalls& calls_;
};

// Collects on a thread of its own.
class CollectorThread {
public:
    explicit CollectorThread(PostedCalls& calls)
        : calls_(calls), ended_(::eventfd(0, EFD_CLOEXEC)) {
        calls_.open();
        calls_.expect_more(true);
        thread_ = std::thread([this] { work(); });
    }
    ~CollectorThread() { stop(); }
    CollectorThread(const CollectorThread&) = delete;
    CollectorThread& operator=(const CollectorThread&) = delete;

    void stop() {
        if (!thread_.joinable()) return;
        stopped_ = true;
        const std::uint64_t one = 1;
        REQUIRE(::write(ended_.get(), &one, sizeof one) == sizeof one);
        thread_.join();
        calls_.close();
    }
    [[nodiscard]] std::thread::id id() const { return thread_.get_id(); }

private:
    void work() {
        pollfd waited[] = {{calls_.bells(), POLLIN, 0}, {ended_.get(), POLLIN, 0}};
        while (!stopped_) {
            if (calls_.collect()) continue;
            const PostedCalls::Sleep sleep(calls_);
            if (calls_.ready()) continue;
            ::poll(waited, 2, -1);
            if (waited[0].revents != 0) calls_.read_bells();
        }
    }

    PostedCalls& calls_;
    const os::Descriptor ended_;
    std::atomic<bool> stopped_{false};
    std::thread thread_;
};

}  // namespace toolhost::runtime
