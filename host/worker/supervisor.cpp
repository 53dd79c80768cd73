#include "host/worker/supervisor.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <spdlog/spdlog.h>

#include <cerrno>
#include <future>
#include <stdexcept>

#include "host/os/spawn.hpp"
#include "host/os/temp_folder.hpp"
#include "host/sandbox/cgroup.hpp"
#include "host/worker/worker_reaper.hpp"

namespace toolhost::worker {
namespace {

// From the polite end to the hard one, and from that to the end of the reaper itself. The reaper
// clears up, and all it waits for is the kernel: hundreds of processes take seconds to die.
constexpr std::chrono::milliseconds kToLeave{1000}, kToKill{30000};
// The reaper, the first process of the namespace, the worker, and some to spare.
constexpr unsigned kOwnProcesses = 8;
constexpr std::chrono::milliseconds kToClear{50}, kMaxToClear{5000};

// A little at a time: this thread has other things to do.
bool remove_folder(const std::string& folder) {
    return os::remove_temp_folder(folder, std::chrono::milliseconds(20));
}

Error not_started(const std::string& what) {
    return {ErrorCode::plugin_unavailable, "cannot start a worker process: " + what, {}};
}

}  // namespace

Supervisor::Supervisor() : wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    if (!wake_) throw std::runtime_error("eventfd: " + os::system_message(errno));
}

void Supervisor::stop() {
    {
        MutexLock lock(mutex_);
        stopping_ = true;
    }
    wake();
    if (thread_.joinable()) thread_.join();
}

void Supervisor::wake() const {
    const std::uint64_t one = 1;
    [[maybe_unused]] auto written = ::write(wake_.get(), &one, sizeof one);
}

Result<std::shared_ptr<Worker>> Supervisor::start(const Start& start) {
    std::promise<Result<std::shared_ptr<Worker>>> promise;
    auto started = promise.get_future();
    try {
        MutexLock lock(mutex_);
        if (stopping_) return not_started("the host is shutting down");
        if (!thread_.joinable()) thread_ = std::thread([this] { watch(); });
        tasks_.emplace_back([&] { promise.set_value(start_here(start)); });
    } catch (const std::system_error& fault) {
        return not_started(fault.what());
    }
    wake();
    return started.get();
}

Result<std::shared_ptr<Worker>> Supervisor::start_here(const Start& start) {
    auto channel = Channel::create();
    if (!channel) return channel.error();
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return not_started("pipe: " + os::system_message(errno));
    os::Descriptor output(ends[0]), printed(ends[1]);
    if (::fcntl(output.get(), F_SETFL, O_NONBLOCK) != 0)
        return not_started("fcntl: " + os::system_message(errno));
    os::Descriptor bell(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (!bell) return not_started("eventfd: " + os::system_message(errno));
    const auto temp = os::make_temp_folder();
    if (temp.empty())
        return not_started("cannot create a folder in " + os::private_folders().back() + ": " +
                           os::system_message(errno));
    const auto group =
        sandbox::make_group(sandbox::delegated_group(), start.limits, kLanes + kOwnProcesses);
    if (group.empty() && !sandbox::delegated_group().empty())
        spdlog::warn("cannot create a control group in {}: {}", sandbox::delegated_group(),
                     os::system_message(errno));
    // Registered here until the worker exists, which then removes them.
    const auto known = to_clear_.size();
    clear_later(temp, remove_folder);
    if (!group.empty()) clear_later(group, sandbox::remove_group);
    auto environment = start.environment;
    environment.push_back("TMPDIR=" + temp);
    pid_t pid = -1;
    const os::SpawnCommand command{start.program,
                                   {kWorkerCommand, std::to_string(::getpid()), temp, group},
                                   environment,
                                   printed.get(),
                                   {channel->descriptor(), bell.get()}};
    if (int fault = os::spawn(command, pid); fault != 0)
        return not_started(os::system_message(fault));
    // The pid stays ours until waited for, so the descriptor cannot mean another process.
    os::Descriptor pidfd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
    if (!pidfd) {
        const auto why = os::system_message(errno);
        ::kill(pid, SIGTERM);
        ::waitpid(pid, nullptr, 0);
        return not_started("pidfd_open: " + why);
    }
    auto worker = std::make_shared<Worker>(*std::move(channel), pid, std::move(pidfd),
                                           std::move(output), std::move(bell));
    worker->idle_limit = start.idle_limit;
    worker->on_ending = [this] { wake(); };
    worker->on_dead = start.on_dead;
    worker->temp = temp;
    worker->group = group;
    to_clear_.resize(known);
    workers_.push_back(worker);
    count_ = workers_.size();
    return worker;
}

void Supervisor::run_tasks() {
    std::uint64_t ignored = 0;
    [[maybe_unused]] auto got = ::read(wake_.get(), &ignored, sizeof ignored);
    std::deque<std::function<void()>> tasks;
    bool stopping = false;
    {
        MutexLock lock(mutex_);
        tasks.swap(tasks_);
        stopping = stopping_;
    }
    for (auto& task : tasks) task();
    if (!stopping) return;
    for (auto& worker : workers_) {
        if (worker->ending()) continue;
        if (!worker->close_if_idle(std::chrono::seconds(0)))
            worker->end_now("the host is shutting down");
    }
}

// Ends those that are idle, and those that should have ended.
void Supervisor::look_after(Worker& worker) {
    const auto now = Clock::now();
    if (const auto ending = worker.ending_since()) {
        if (now - *ending >= kToKill)
            worker.signal_reaper(SIGKILL);
        else if (now - *ending >= kToLeave)
            worker.signal_reaper(SIGTERM);
    } else {
        worker.close_if_idle(worker.idle_limit);
    }
}

// The worker's reaper has ended, and with it all processes of the worker.
void Supervisor::end_of(Worker& worker) {
    int status = 0;
    while (::waitpid(worker.reaper(), &status, 0) < 0 && errno == EINTR) {
    }
    // A reaper that was killed or failed has removed nothing. The worker ends as well, but later.
    if (status != 0) clear_later(worker.temp, remove_folder);
    const bool no_memory = !worker.group.empty() && sandbox::ran_out_of_memory(worker.group);
    if (!worker.group.empty()) clear_later(worker.group, sandbox::remove_group);
    worker.set_dead(no_memory);
}

void Supervisor::clear_later(const std::string& path, Remove remove) {
    to_clear_.push_back({path, remove, Clock::now() + kMaxToClear});
}

void Supervisor::clear() {
    const auto now = Clock::now();
    std::erase_if(to_clear_, [&](const LeftOver& left) {
        if (left.remove(left.path)) return true;
        if (now < left.until) return false;
        spdlog::warn("cannot remove the leftover folder {}", left.path);
        return true;
    });
}

// Idle limits are whole seconds, so nothing needs to be looked at more often than that.
int Supervisor::milliseconds_to_sleep() const {
    auto sleep = std::chrono::milliseconds::max();
    if (!to_clear_.empty()) sleep = kToClear;
    const auto now = Clock::now();
    for (const auto& worker : workers_) {
        using std::chrono::ceil, std::chrono::milliseconds;
        if (worker->ending())
            sleep = std::min(sleep, milliseconds(250));
        else if (const auto idle = worker->idle_since())
            sleep = std::min(sleep, ceil<milliseconds>(*idle + worker->idle_limit - now));
        else
            sleep = std::min(sleep, ceil<milliseconds>(worker->idle_limit));
    }
    if (sleep == std::chrono::milliseconds::max()) return -1;
    return static_cast<int>(std::clamp<std::int64_t>(sleep.count(), 0, 1 << 30));
}

void Supervisor::watch() {
    for (;;) {
        {
            MutexLock lock(mutex_);
            if (stopping_ && workers_.empty() && tasks_.empty() && to_clear_.empty()) return;
        }
        std::vector<pollfd> watched = {{wake_.get(), POLLIN, 0}};
        for (const auto& worker : workers_) {
            watched.push_back({worker->reaper_end(), POLLIN, 0});
            watched.push_back({worker->output().descriptor(), POLLIN, 0});
        }
        const int ready = ::poll(watched.data(), watched.size(), milliseconds_to_sleep());
        if (ready < 0 && errno != EINTR) continue;
        const auto before = workers_;
        for (std::size_t i = 0; i < before.size(); ++i) {
            auto& worker = *before[i];
            if (watched[2 * i + 2].revents != 0) worker.output().drain();
            if (watched[2 * i + 1].revents == 0) {
                look_after(worker);
                continue;
            }
            end_of(worker);
            std::erase(workers_, before[i]);
        }
        count_ = workers_.size();
        if (watched[0].revents != 0) run_tasks();
        clear();
    }
}

}  // namespace toolhost::worker
