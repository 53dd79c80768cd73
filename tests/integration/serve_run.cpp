#include "tests/integration/serve_run.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "tests/integration/child.hpp"

namespace toolhost::test {
namespace {

constexpr int kServerPatienceMs = 60'000;

struct Pipe {
    int ends[2];
    Pipe() {
        if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("pipe2");
    }
};

void close_it(int& descriptor) {
    if (descriptor >= 0) ::close(std::exchange(descriptor, -1));
}

}  // namespace

ServeRun::ServeRun(const Stage& stage, std::vector<std::string> args, const Options& options) {
    args.insert(args.begin(), "serve");
    const auto [command, settings] = stage.command(std::move(args), options);
    const auto argv = pointers(command);
    const auto envp = pointers(settings);
    Pipe in, out, err;
    process_ = ::fork();
    if (process_ < 0) throw std::runtime_error("fork");
    if (process_ == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        ::dup2(in.ends[0], STDIN_FILENO);
        ::dup2(out.ends[1], STDOUT_FILENO);
        ::dup2(err.ends[1], STDERR_FILENO);
        if (::chdir(stage.root().c_str()) == 0) ::execve(argv[0], argv.data(), envp.data());
        ::_exit(127);
    }
    for (const int end : {in.ends[0], out.ends[1], err.ends[1]}) ::close(end);
    in_ = in.ends[1];
    out_ = out.ends[0];
    err_ = err.ends[0];
    // Writing to a server that has ended is an error, not a signal.
    ::signal(SIGPIPE, SIG_IGN);
    listener_ = std::thread([this] { read_stderr(); });
}

ServeRun::~ServeRun() {
    if (process_ > 0) {
        ::kill(process_, SIGKILL);
        ::waitpid(process_, nullptr, 0);
    }
    listener_.join();
    for (int* end : {&in_, &out_, &err_}) close_it(*end);
}

void ServeRun::read_stderr() {
    char bytes[4096];
    for (;;) {
        const auto got = ::read(err_, bytes, sizeof bytes);
        if (got < 0 && errno == EINTR) continue;
        std::lock_guard lock(mutex_);
        if (got > 0) said_.append(bytes, static_cast<std::size_t>(got));
        said_all_ = got <= 0;
        changed_.notify_all();
        if (said_all_) return;
    }
}

bool ServeRun::await_stderr(std::string_view text) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::milliseconds(kServerPatienceMs),
                      [&] { return said_all_ || contains(said_, text); });
    return contains(said_, text);
}

std::string ServeRun::stderr_text() {
    std::lock_guard lock(mutex_);
    return said_;
}

std::uint16_t ServeRun::port() {
    if (!await_stderr("/mcp\n")) throw std::runtime_error("no port: " + stderr_text());
    const auto text = stderr_text();
    const auto at = text.rfind(':', text.find("/mcp\n"));
    return static_cast<std::uint16_t>(std::stoi(text.substr(at + 1)));
}

bool ServeRun::write(std::string_view bytes) const {
    while (!bytes.empty()) {
        const auto written = ::write(in_, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

void ServeRun::request(const Json& id, const std::string& method, Json params) const {
    send({{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(params)}});
}

void ServeRun::initialize(Json capabilities, const char* revision) {
    request("init", "initialize",
            {{"protocolVersion", revision},
             {"capabilities", std::move(capabilities)},
             {"clientInfo", {{"name", "test"}, {"version", "1"}}}});
    CHECK(answer("init").contains("result"));
    send({{"jsonrpc", "2.0"}, {"method", "notifications/initialized"}});
}

void ServeRun::call(const Json& id, const std::string& tool, Json arguments) const {
    request(
        id, "tools/call",
        {{"name", tool}, {"arguments", std::move(arguments)}, {"_meta", {{"progressToken", id}}}});
}

Json ServeRun::next() {
    for (;;) {
        if (const auto end = read_.find('\n'); end != read_.npos) {
            const auto line = read_.substr(0, end);
            read_.erase(0, end + 1);
            CAPTURE(line);
            auto message = Json::parse(line, nullptr, false);
            CHECK(message.is_object());
            CHECK(message.value("jsonrpc", "") == "2.0");
            return message;
        }
        pollfd waiting{out_, POLLIN, 0};
        const int ready = ::poll(&waiting, 1, kServerPatienceMs);
        if (ready < 0 && errno == EINTR) continue;
        if (ready <= 0) throw std::runtime_error("the server says nothing: " + stderr_text());
        char bytes[64 << 10];
        const auto got = ::read(out_, bytes, sizeof bytes);
        if (got <= 0) {
            CHECK(read_.empty());  // no incomplete line
            return nullptr;
        }
        read_.append(bytes, static_cast<std::size_t>(got));
    }
}

Json ServeRun::await(const char* member, const Json& value) {
    for (;;) {
        auto message = next();
        if (message.is_null()) throw std::runtime_error("the server ended: " + stderr_text());
        if (message.contains(member) && message[member] == value) return message;
    }
}

void ServeRun::await_full_stdout() const {
    // A pipe has 16 pages, and a write that does not fit into the rest of a page starts another
    // one: writes of half a page fill it with 32 KiB.
    constexpr int kAlmostAll = 32'000;
    for (int waiting = 0; waiting < kAlmostAll;) {
        if (::ioctl(out_, FIONREAD, &waiting) != 0) throw std::runtime_error("FIONREAD");
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

void ServeRun::close_stdin() {
    close_it(in_);
}

void ServeRun::close_stdout() {
    close_it(out_);
}

void ServeRun::signal(int number) const {
    if (::kill(process_, number) != 0) throw std::runtime_error("kill");
}

int ServeRun::exit_code() {
    if (!ends_within(process_, std::chrono::milliseconds(kServerPatienceMs)))
        throw std::runtime_error("the server does not end: " + stderr_text());
    int status = 0;
    while (::waitpid(process_, &status, 0) < 0)
        if (errno != EINTR) throw std::runtime_error("waitpid");
    process_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::size_t ServeRun::status_kb(std::string_view field) const {
    std::ifstream status("/proc/" + std::to_string(process_) + "/status");
    for (std::string name; status >> name;) {
        std::size_t kb = 0;
        if (name == field && status >> kb) return kb;
    }
    return 0;
}

}  // namespace toolhost::test
