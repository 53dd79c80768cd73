#include "host/discovery/command_version.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <utility>
#include <vector>

#include "host/discovery/cache_file.hpp"
#include "host/discovery/candidate.hpp"
#include "host/os/child_process.hpp"
#include "host/os/content_hash.hpp"
#include "host/os/descriptor.hpp"
#include "host/sandbox/resource_limits.hpp"
#include "host/sandbox/sandbox.hpp"
#include "host/worker/packed.hpp"

namespace toolhost::discovery {
namespace {

constexpr std::chrono::milliseconds kVersionDeadline{5000};
constexpr unsigned kVersionSeconds = 5;
constexpr std::size_t kMaxVersionOutput = 1024;  // the version is in the first lines
constexpr std::size_t kMaxVersionsBytes = 8u << 20;

CacheFile versions_file(const std::string& path) {
    return {path, "toolhost-commands", 1, kMaxVersionsBytes};
}

// Enough memory for interpreters; few processes, small files.
sandbox::Confinement confinement_of(const std::string& program) {
    sandbox::Confinement confinement;
    confinement.sandbox = sandbox::Enforcement::best_effort;
    confinement.exec = true;
    confinement.read = {program};
    confinement.limits.memory_mb = 4096;
    confinement.limits.processes = 32;
    confinement.limits.open_files = 256;
    confinement.limits.file_size_mb = 1;
    return confinement;
}

// Returns false if no process could be started, which means nothing for the program.
bool run_version(const std::string& host, const std::string& program,
                 CommandVersions::Answer& answer) {
    os::ChildCommand command;
    command.program = host;
    command.arguments = {kVersionCommand, program};
    command.environment = os::minimal_environment();
    command.deadline = kVersionDeadline;
    command.max_result = 4096;
    command.max_output = kMaxVersionOutput;
    const auto end = os::run_child(command);
    using How = os::ChildEnd::How;
    answer.output = end.output;
    if (end.how == How::not_started)
        answer.fault = "cannot start: " + os::system_message(end.value);
    else if (!end.result.empty())
        answer.fault = end.result;
    else if (end.how == How::timed_out)
        answer.fault = "it did not end within " + std::to_string(kVersionDeadline.count()) + " ms";
    return end.how != How::not_started;
}

std::string hash_of(const std::string& program) {
    const auto file = os::open_regular(program);
    return file ? os::hash_file(file.get()) : "";
}

}  // namespace

void version_child(const std::string& program) {
    auto fail = [](const std::string& why) {
        static_cast<void>(os::write_all(os::kResultDescriptor, why));
        ::_exit(1);
    };
    if (::fcntl(os::kResultDescriptor, F_SETFD, FD_CLOEXEC) != 0 ||
        ::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || ::chdir("/") != 0)
        fail("cannot start: " + os::system_message(errno));
    ::alarm(kVersionSeconds + 2);  // in case the host dies before
    if (auto entered = sandbox::enter_sandbox(confinement_of(program), {}); !entered)
        fail(entered.error().message);
    sandbox::allow_cpu_seconds(kVersionSeconds);
    // Nothing of the host's environment is passed on: it could mislead the loader or an
    // interpreter.
    const std::vector<std::string> words = {program, "--version"};
    const std::vector<std::string> settings = {"PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8", "HOME=/"};
    ::execve(program.c_str(), os::pointers(words).data(), os::pointers(settings).data());
    fail("cannot start in the sandbox: " + os::system_message(errno));
    ::_exit(1);
}

CommandVersions::CommandVersions(const std::string& cache, std::string host)
    : file_(cache.empty() ? "" : cache + "/commands"), host_(std::move(host)) {}

// A damaged file is rebuilt silently: the spec cache beside it reports the problem.
void CommandVersions::load() {
    if (std::exchange(loaded_, true) || file_.empty()) return;
    std::string warning;
    const auto body = read_cache_file(versions_file(file_), warning);
    try {
        for (worker::Unpacker unpacker(body); !unpacker.done();) {
            auto path = unpacker.text();
            Known known;
            known.stamp.size = static_cast<std::uint64_t>(unpacker.number());
            known.stamp.inode = static_cast<std::uint64_t>(unpacker.number());
            known.stamp.mtime_ns = unpacker.number();
            known.stamp.ctime_ns = unpacker.number();
            known.seen_at = unpacker.number();
            for (auto* text : {&known.sha256, &known.answer.output, &known.answer.fault})
                *text = unpacker.text();
            known_.insert_or_assign(std::move(path), std::move(known));
        }
    } catch (const std::exception&) {
        known_.clear();
    }
}

bool CommandVersions::is_current(Known& known, const std::string& program, const FileStamp& stamp) {
    if (known.stamp == stamp && is_settled(stamp, known.seen_at)) return true;
    if (known.stamp.size != stamp.size || known.sha256.empty()) return false;
    const auto now = now_seconds();
    if (hash_of(program) != known.sha256) return false;
    known.stamp = stamp;
    known.seen_at = now;
    changed_ = true;
    return true;
}

CommandVersions::Answer CommandVersions::ask(const std::string& program, bool again) {
    load();
    struct stat info {};
    if (::stat(program.c_str(), &info) != 0)
        return {"", "cannot start: " + os::system_message(errno)};
    const auto stamp = stamp_of(info);
    const auto it = known_.find(program);
    if (it != known_.end() && !again && is_current(it->second, program, stamp))
        return it->second.answer;
    Known known{stamp, now_seconds(), hash_of(program), {}};
    if (!run_version(host_, program, known.answer)) return known.answer;
    changed_ = true;
    return (known_[program] = std::move(known)).answer;
}

void CommandVersions::save() {
    if (!changed_ || file_.empty()) return;
    changed_ = false;
    worker::Packer packer;
    for (const auto& [path, known] : known_) {
        if (::access(path.c_str(), F_OK) != 0) continue;
        packer.text(path);
        for (auto part : {static_cast<std::int64_t>(known.stamp.size),
                          static_cast<std::int64_t>(known.stamp.inode), known.stamp.mtime_ns,
                          known.stamp.ctime_ns, known.seen_at})
            packer.number(part);
        for (const auto* text : {&known.sha256, &known.answer.output, &known.answer.fault})
            packer.text(*text);
    }
    // If it cannot be written, the next start runs the command again; the spec cache reports why.
    static_cast<void>(write_cache_file(versions_file(file_), packer.packed()));
}

}  // namespace toolhost::discovery
