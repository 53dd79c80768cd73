// Keep-alive clients of a real `toolhost serve --http`: mixed tools, some of whose plugins crash.
// Every request must get its own correct answer, and the server's memory must not grow.
// usage: toolhost_load [SECONDS [CLIENTS]]
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <stdexcept>
#include <thread>
#include <vector>

#include "tests/raw_client.hpp"
#include "tests/soak/footprint.hpp"
#include "tests/unit/temp_folder.hpp"

namespace toolhost::load {
namespace {

using Json = nlohmann::json;
using Clock = std::chrono::steady_clock;

// Growth after the first quarter, when all workers and buffers exist.
constexpr std::size_t kSlackKb = 24u << 10;

struct Counts {
    std::atomic<std::uint64_t> right{0}, crashed{0}, busy{0}, wrong{0}, lost{0};
};

// The server under test, as a child of this process.
class Server {
public:
    explicit Server(const test::TempFolder& folder) {
        int err[2];
        if (::pipe2(err, O_CLOEXEC) != 0) throw std::runtime_error("pipe2");
        const auto plugins = folder / "plugins", profile = folder / "load.yml";
        process_ = ::fork();
        if (process_ < 0) throw std::runtime_error("fork");
        if (process_ == 0) {
            ::prctl(PR_SET_PDEATHSIG, SIGKILL);
            ::setenv("HOME", folder.path().c_str(), 1);
            ::setenv("TMPDIR", folder.path().c_str(), 1);
            ::dup2(err[1], STDERR_FILENO);
            ::execl(TOOLHOST_BINARY, TOOLHOST_BINARY, "serve", "--http", "127.0.0.1:0", "--no-auth",
                    "--only-plugins", plugins.c_str(), "--profile", profile.c_str(), "--log-level",
                    "off", nullptr);
            ::_exit(127);
        }
        ::close(err[1]);
        std::string said;
        for (char byte; said.find("/mcp\n") == said.npos && ::read(err[0], &byte, 1) == 1;)
            said += byte;
        if (said.find("/mcp\n") == said.npos) throw std::runtime_error("no server: " + said);
        port_ = static_cast<std::uint16_t>(
            std::stoi(said.substr(said.rfind(':', said.find("/mcp\n")) + 1)));
        drain_ = std::thread([from = err[0]] {
            char bytes[4096];
            while (::read(from, bytes, sizeof bytes) > 0) continue;
            ::close(from);
        });
    }
    ~Server() {
        if (process_ > 0) (void)end();
    }
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    [[nodiscard]] std::uint16_t port() const { return port_; }
    [[nodiscard]] std::size_t rss_kb() const {
        std::ifstream statm("/proc/" + std::to_string(process_) + "/statm");
        std::size_t total = 0, resident = 0;
        statm >> total >> resident;
        return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) / 1024;
    }
    // Stops it; returns its exit code.
    int end() {
        ::kill(process_, SIGTERM);
        int status = 0;
        ::waitpid(process_, &status, 0);
        process_ = -1;
        drain_.join();
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }

private:
    pid_t process_ = -1;
    std::uint16_t port_ = 0;
    std::thread drain_;
};

struct ChosenCall {
    std::string tool;
    Json arguments;
    std::string wanted;  // expected in the answer's text; empty: the tool crashes
};

ChosenCall choose(std::minstd_rand& random, int client, int number) {
    const int a = client * 100'000 + number;
    switch (random() % 16) {
        case 0:
            return {"hostile_crash", {{"how", "segfault"}}, ""};
        case 1:
        case 2:
            return {"waiter", {{"ms", 2}}, "waited"};
        case 3:
        case 4:
        case 5: {
            const auto text = "n" + std::to_string(a) + std::string(random() % 20'000, 'x');
            return {"echo", {{"text", text}}, text};
        }
        default:
            return {"adder", {{"a", a}, {"b", 1}}, std::to_string(a + 1)};
    }
}

// The last message of an answer, which may be a stream.
Json last_message(const test::HttpAnswer& answer) {
    if (answer.header("content-type") != "text/event-stream")
        return Json::parse(answer.body, nullptr, false);
    const auto data = answer.body.rfind("data: ");
    if (data == answer.body.npos) return Json();
    const auto end = answer.body.find('\n', data);
    return Json::parse(answer.body.substr(data + 6, end - data - 6), nullptr, false);
}

void judge(const Json& message, int id, const ChosenCall& asked, Counts& counts) {
    if (!message.is_object() || message.value("id", Json()) != id) {
        ++counts.wrong;
        return;
    }
    if (message.contains("error")) {  // a limit, with its message
        ++(message["error"].value("code", 0) == -32000 ? counts.busy : counts.wrong);
        return;
    }
    const auto& result = message["result"];
    const bool failed = result.value("isError", false);
    if (asked.wanted.empty())
        ++(failed ? counts.crashed : counts.wrong);
    else if (failed)
        ++counts.wrong;
    else
        ++(result["content"].dump().find(asked.wanted) != std::string::npos ? counts.right
                                                                            : counts.wrong);
}

void ask_until(std::uint16_t port, int client_number, Clock::time_point end, Counts& counts) {
    std::minstd_rand random(static_cast<unsigned>(client_number) + 1);
    test::RawClient client(port);
    for (int id = 1; Clock::now() < end; ++id) {
        const auto asked = choose(random, client_number, id);
        const Json message{{"jsonrpc", "2.0"},
                           {"id", id},
                           {"method", "tools/call"},
                           {"params",
                            {{"name", asked.tool},
                             {"arguments", asked.arguments},
                             {"_meta",
                              {{"io.modelcontextprotocol/protocolVersion", "2026-07-28"},
                               {"io.modelcontextprotocol/clientCapabilities", Json::object()},
                               {"progressToken", id}}}}}};
        try {
            if (!client.send(test::mcp_post(message.dump(),
                                            "MCP-Protocol-Version: 2026-07-28\r\n"
                                            "Mcp-Method: tools/call\r\nMcp-Name: " +
                                                asked.tool + "\r\n")))
                throw std::runtime_error("the connection was closed");
            const auto answer = client.read();
            if (answer.status == 0) throw std::runtime_error("the connection was closed");
            judge(last_message(answer), id, asked, counts);
        } catch (const std::exception& fault) {
            std::fprintf(stderr, "client %d, request %d: %s\n", client_number, id, fault.what());
            ++counts.lost;
            return;
        }
    }
}

int run(std::chrono::seconds time, int clients) {
    const test::TempFolder folder;
    boost::filesystem::create_directory(folder / "plugins");
    for (const char* fixture : {"adder", "echo", "waiter", "hostile_crash"})
        folder.take(fixture, std::string("plugins/") + fixture);
    folder.write("load.yml",
                 "name: load\nextends: default\ndefaults: { timeoutMs: 20000 }\n"
                 "workers: { graceMs: 200, maxCrashes: 1000 }\nworkspace: " +
                     folder.path() + "\n");
    Server server(folder);
    Counts counts;
    const auto start = Clock::now();
    std::size_t early = 0;
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < clients; ++i)
            threads.emplace_back([&, i] { ask_until(server.port(), i, start + time, counts); });
        std::this_thread::sleep_until(start + time / 4);
        early = server.rss_kb();
    }
    const auto late = server.rss_kb();
    std::printf("%d clients, %lld s: %llu right, %llu crashes told, %llu told to come back\n",
                clients, static_cast<long long>(time.count()),
                static_cast<unsigned long long>(counts.right.load()),
                static_cast<unsigned long long>(counts.crashed.load()),
                static_cast<unsigned long long>(counts.busy.load()));
    std::printf("resident: %zu kB after a quarter, %zu kB in the end\n", early, late);
    int bad = 0;
    auto complain = [&](const char* what, std::uint64_t count) {
        if (count == 0) return;
        std::printf("WRONG: %s: %llu\n", what, static_cast<unsigned long long>(count));
        bad = 1;
    };
    complain("wrong answers", counts.wrong);
    complain("lost answers", counts.lost);
    complain("no right answer", counts.right == 0 ? 1 : 0);
    complain("no crash", counts.crashed == 0 ? 1 : 0);
    complain("kB grown", late > early + kSlackKb ? late - early : 0);
    complain("exit code", static_cast<std::uint64_t>(server.end()));
    complain("processes left", soak::descendants().size());
    return bad;
}

}  // namespace
}  // namespace toolhost::load

int main(int argc, char** argv) {
    const int seconds = argc > 1 ? std::atoi(argv[1]) : 60;
    const int clients = argc > 2 ? std::atoi(argv[2]) : 64;
    if (seconds < 1 || clients < 1) {
        std::fprintf(stderr, "usage: toolhost_load [SECONDS [CLIENTS]]\n");
        return 2;
    }
    ::prctl(PR_SET_CHILD_SUBREAPER,
            1);  // leftover processes of the server become descendants of this one
    return toolhost::load::run(std::chrono::seconds(seconds), clients);
}
