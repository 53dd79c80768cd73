// Calls over MCP, stdio and HTTP: toolhost in its two isolations beside the TypeScript SDK with the
// same tool and beside floors that parse nothing, all driven by one client in one run.
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <stdexcept>

#include "tests/bench/bench.hpp"
#include "tests/bench/serve_peers.hpp"

namespace toolhost::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kInitialize =
    R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}})";
constexpr const char* kCall =
    R"("method":"tools/call","params":{"name":"add","arguments":{"a":2,"b":3}}})";
constexpr int kRounds = 5;

struct Contender {
    const char* name;
    std::vector<std::string> stdio, http;
    int calls;  // a round
};

// Profiles, events and a cache of its own.
class Folder {
public:
    Folder() : path_(std::filesystem::temp_directory_path() / "toolhost-serve-bench") {
        std::filesystem::create_directories(path_);
        for (const char* isolation : {"in_process", "process"})
            std::ofstream(path_ / (std::string(isolation) + ".yml"))
                << "name: " << isolation
                << "\nextends: default\ndefaults: { isolation: " << isolation
                << ", sandbox: " << (std::string_view(isolation) == "process" ? "required" : "off")
                << " }\n";
        ::setenv("TOOLHOST_CACHE", (path_ / "cache").c_str(), 1);
    }
    ~Folder() { std::filesystem::remove_all(path_); }
    [[nodiscard]] std::string operator/(const char* name) const { return (path_ / name).string(); }

private:
    std::filesystem::path path_;
};

std::vector<std::string> toolhost_command(const Folder& folder, const char* profile,
                                          std::vector<std::string> more) {
    std::vector<std::string> command{
        TOOLHOST_BINARY, "serve",          "--only-plugins", TOOLHOST_FIXTURES "/bench_add",
        "--profile",     folder / profile, "--events",       folder / "events.jsonl"};
    command.insert(command.end(), more.begin(), more.end());
    return command;
}

std::uint16_t port_of(const std::string& line) {
    return static_cast<std::uint16_t>(std::stoul(line.substr(line.rfind(':') + 1)));  // and "/mcp"
}

struct Measured {
    Figures alone{}, eight{};
    double start_ms = 0, rss_mb = 0;
};

Figures best(const std::vector<Line*>& lines, int calls, int window) {
    Figures best;
    for (int i = 0; i < kRounds; ++i) {
        const auto one = drive(lines, calls, window, kCall);
        if (one.calls_per_second > best.calls_per_second) best = one;
    }
    return best;
}

// Sends what opens a session and returns how long its answer took from `start`.
double open_line(Line& line, Clock::time_point start) {
    line.send(kInitialize);
    if (line.receive().find("\"result\"") == std::string::npos)
        throw std::runtime_error("initialize failed");
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

Measured over_stdio(const Contender& who, int cpu) {
    const auto start = Clock::now();
    Peer peer(who.stdio, cpu);
    StdioLine line(peer);
    Measured measured;
    measured.start_ms = open_line(line, start);
    (void)drive({&line}, 1, 1, kCall);
    measured.alone = best({&line}, who.calls, 1);
    measured.eight = best({&line}, who.calls, 8);
    measured.rss_mb = peer.rss_mb();
    return measured;
}

Measured over_http(const Contender& who, int cpu) {
    const auto start = Clock::now();
    Peer peer(who.http, cpu);
    const auto port = port_of(peer.await_line("serving MCP at"));
    Measured measured;
    HttpLine first(port, "");
    measured.start_ms = open_line(first, start);
    auto id = first.header("Mcp-Session-Id");
    if (id.empty()) id = first.header("mcp-session-id");
    const std::string session = id.empty() ? "" : "Mcp-Session-Id: " + id + "\r\n";
    std::vector<std::unique_ptr<HttpLine>> lines;
    std::vector<Line*> all;
    for (int i = 0; i < 8; ++i) {
        lines.push_back(std::make_unique<HttpLine>(port, session));
        all.push_back(lines.back().get());
    }
    (void)drive({all[0]}, 1, 1, kCall);
    measured.alone = best({all[0]}, who.calls / 4, 1);
    measured.eight = best(all, who.calls / 4, 8);
    measured.rss_mb = peer.rss_mb();
    return measured;
}

void print(const char* name, const Measured& one, const Measured& floor) {
    std::printf("%-22s %9.0f %8.1f %8.1f  %5.2f %9.0f %8.1f %8.1f  %5.2f %8.1f %7.1f\n", name,
                one.alone.calls_per_second, one.alone.p50_us, one.alone.p99_us,
                one.alone.calls_per_second / floor.alone.calls_per_second,
                one.eight.calls_per_second, one.eight.p50_us, one.eight.p99_us,
                one.eight.calls_per_second / floor.eight.calls_per_second, one.start_ms,
                one.rss_mb);
}

void table(const char* title, const std::vector<Contender>& all, int cpu,
           std::vector<std::string> Contender::*command,
           Measured (*measure)(const Contender&, int)) {
    std::printf("\n%s\n%-22s %9s %8s %8s  %5s %9s %8s %8s  %5s %8s %7s\n", title, "", "calls/s",
                "p50 us", "p99 us", "floor", "8 at once", "p50 us", "p99 us", "floor", "start ms",
                "MB");
    pin(cpu);
    std::optional<Measured> floor;
    for (const auto& who : all) {
        if ((who.*command).empty()) continue;
        const auto measured = measure(who, cpu);
        if (!floor) floor = measured;
        print(who.name, measured, *floor);
    }
    pin(-1);
}

std::vector<Contender> contenders(const Folder& folder) {
    const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
    std::vector<Contender> all{
        {"floor", {self, "floor-stdio"}, {self, "floor-http"}, 40'000},
        {"floor isolated", {self, "floor-isolated"}, {}, 40'000},
        {"toolhost in_process", toolhost_command(folder, "in_process.yml", {}),
         toolhost_command(folder, "in_process.yml", {"--http", "127.0.0.1:0", "--no-auth"}),
         40'000},
        {"toolhost isolated", toolhost_command(folder, "process.yml", {}),
         toolhost_command(folder, "process.yml", {"--http", "127.0.0.1:0", "--no-auth"}), 40'000}};
    const std::string packages = TOOLHOST_MCP_PACKAGES;
    if (!std::filesystem::exists(packages + "/node_modules/@modelcontextprotocol/sdk")) {
        std::printf(
            "The TypeScript SDK is not there to be measured: sh cmake/bootstrap.sh setup "
            "fetches it.\n");
        return all;
    }
    auto peer = [&](const char* how) {
        return std::vector<std::string>{"env", "-C", packages, "node", TOOLHOST_MCP_PEER, how};
    };
    all.push_back({"TypeScript SDK", peer("stdio"), peer("http"), 4'000});
    return all;
}

}  // namespace

void bench_serve() {
    ::signal(SIGPIPE, SIG_IGN);
    const Folder folder;
    const auto all = contenders(folder);
    // The first start of all looks at the library; those after it do not.
    (void)over_stdio({"", toolhost_command(folder, "in_process.yml", {}), {}, 100}, -1);
    table("MCP over stdio, client and server on one core", all, 0, &Contender::stdio, over_stdio);
    table("MCP over stdio, on all cores", all, -1, &Contender::stdio, over_stdio);
    table("MCP over HTTP, client and server on one core", all, 0, &Contender::http, over_http);
    table("MCP over HTTP, on all cores", all, -1, &Contender::http, over_http);
}

}  // namespace toolhost::bench
