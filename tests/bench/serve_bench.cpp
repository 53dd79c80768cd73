// Calls over MCP with stdio and HTTP: toolhost, and the TypeScript SDK with the same tool, compared
// with a floor that parses nothing. One client drives all of them, which take turns in one run.
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
using Command = std::vector<std::string>;

constexpr const char* kInitialize =
    R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}})";
constexpr const char* kListTools = R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})";
constexpr const char* kCall =
    R"("method":"tools/call","params":{"name":"add","arguments":{"a":2,"b":3}}})";
// Medians of this many rounds, in which the servers take turns.
constexpr int kRounds = 7, kStarts = 15;
constexpr int kAllCores = -1, kOneCore = 0;

// `hop`: a floor that passes each message to another process and back.
enum class Kind { in_process, process, hop };

struct Work {
    const char* name;
    bool http;
    Kind kind;
    int cpu;
    int clients;  // connections of HTTP; on stdio, calls in flight
    int calls;    // per round
};
using enum Kind;
constexpr Work kWorks[] = {
    {"stdio, one core, in-process", false, in_process, kOneCore, 1, 40'000},
    {"stdio, one core, isolated", false, process, kOneCore, 1, 24'000},
    {"stdio, one core, floor with a hop", false, hop, kOneCore, 1, 32'000},
    {"stdio, one core, 8 in flight, in-process", false, in_process, kOneCore, 8, 80'000},
    {"stdio, one core, 8 in flight, isolated", false, process, kOneCore, 8, 40'000},
    {"stdio, 8 in flight, in-process", false, in_process, kAllCores, 8, 80'000},
    {"stdio, 8 in flight, isolated", false, process, kAllCores, 8, 40'000},
    {"HTTP, 1 client, isolated", true, process, kAllCores, 1, 16'000},
    {"HTTP, 8 clients, in-process", true, in_process, kAllCores, 8, 24'000},
    {"HTTP, 8 clients, isolated", true, process, kAllCores, 8, 20'000},
    {"HTTP, 64 clients, in-process", true, in_process, kAllCores, 64, 24'000},
    {"HTTP, 64 clients, isolated", true, process, kAllCores, 64, 20'000},
};

// Separate profiles, events and cache.
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

Command floor_command(const char* floor) {
    static const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
    return {self, floor};
}

Command floor_of(const Work& work) {
    return floor_command(work.http ? "floor-http" : "floor-stdio");
}

Command toolhost_command(const Folder& folder, const Work& work) {
    if (work.kind == hop) return floor_command("floor-isolated");
    Command command{
        TOOLHOST_BINARY,  "serve",
        "--only-plugins", TOOLHOST_FIXTURES "/bench_add",
        "--profile",      folder / (work.kind == in_process ? "in_process.yml" : "process.yml"),
        "--events",       folder / "events.jsonl"};
    if (work.http) command.insert(command.end(), {"--http", "127.0.0.1:0", "--no-auth"});
    return command;
}

// Empty if the packages are not installed.
Command sdk_command(bool http) {
    const std::string packages = TOOLHOST_MCP_PACKAGES;
    if (!std::filesystem::exists(packages + "/node_modules/@modelcontextprotocol/sdk")) return {};
    return {"env", "-C", packages, "node", TOOLHOST_MCP_PEER, http ? "http" : "stdio"};
}

std::string ask(Line& line, const char* request) {
    line.send(request);
    auto answer = line.receive();
    if (answer.find("\"result\"") == std::string::npos)
        throw std::runtime_error("not an answer: " + answer);
    return answer;
}

// A running server, and the connections of its clients.
class Contender {
public:
    Contender(const Command& command, const Work& work) : work_(work), peer_(command, work.cpu) {
        if (work.http)
            connect();
        else
            owned_.push_back(std::make_unique<StdioLine>(peer_));
        for (const auto& line : owned_) lines_.push_back(line.get());
        if (!work.http) ask(*lines_[0], kInitialize);
        (void)drive({lines_[0]}, 1, 1, kCall);  // starts the worker, which is not measured
    }

    void round(int calls) {
        const auto cpu = peer_.cpu_seconds();
        const auto one = drive(lines_, calls, work_.clients, kCall);
        rates_.push_back(one.calls_per_second);
        medians_.push_back(one.p50_us);
        cpu_us_.push_back((peer_.cpu_seconds() - cpu) * 1e6 / calls);
    }
    [[nodiscard]] double rate() const { return median(rates_); }
    [[nodiscard]] double p50_us() const { return median(medians_); }
    [[nodiscard]] double cpu_us() const { return median(cpu_us_); }

private:
    void connect() {
        const auto line = peer_.await_line("serving MCP at");
        const auto port = static_cast<std::uint16_t>(std::stoul(line.substr(line.rfind(':') + 1)));
        HttpLine first(port, "");
        ask(first, kInitialize);
        auto id = first.header("Mcp-Session-Id");
        if (id.empty()) id = first.header("mcp-session-id");
        const std::string session = id.empty() ? "" : "Mcp-Session-Id: " + id + "\r\n";
        for (int i = 0; i < work_.clients; ++i)
            owned_.push_back(std::make_unique<HttpLine>(port, session));
    }

    const Work& work_;
    Peer peer_;
    std::vector<std::unique_ptr<Line>> owned_;
    std::vector<Line*> lines_;
    std::vector<double> rates_, medians_, cpu_us_;
};

void measure(const Work& work, const Folder& folder) {
    pin(work.cpu);
    Contender floor(floor_of(work), work), host(toolhost_command(folder, work), work);
    std::optional<Contender> sdk;
    if (const auto command = sdk_command(work.http); !command.empty()) sdk.emplace(command, work);
    for (int i = 0; i < kRounds; ++i) {
        floor.round(work.calls);
        host.round(work.calls);
        if (sdk && i % 3 == 0) sdk->round(work.calls / 40);  // an order of magnitude slower
    }
    std::printf("%-42s %9.0f %9.0f %6.2f %8.1f %8.1f", work.name, floor.rate(), host.rate(),
                host.rate() / floor.rate(), host.p50_us(), host.cpu_us());
    if (sdk) std::printf(" %9.0f", sdk->rate());
    std::printf("\n");
    std::fflush(stdout);
    pin(kAllCores);
}

// From the start of the process to the answer of the first `tools/list`.
double start_ms(const Command& command) {
    const auto start = Clock::now();
    Peer peer(command, kAllCores);
    StdioLine line(peer);
    ask(line, kInitialize);
    ask(line, kListTools);
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

// The shipped tools with the default profile, after they were probed.
void measure_start() {
    const Command host{TOOLHOST_BINARY, "serve", "--only-plugins", TOOLHOST_SHIPPED};
    const auto floor = floor_command("floor-stdio"), sdk = sdk_command(false);
    (void)start_ms(host);
    std::vector<double> floors, hosts, sdks;
    for (int i = 0; i < kStarts; ++i) {
        floors.push_back(start_ms(floor));
        hosts.push_back(start_ms(host));
        if (!sdk.empty() && i % 5 == 0) sdks.push_back(start_ms(sdk));
    }
    std::printf("%-42s %9.1f %9.1f %6s %8s %8s", "start to first tools/list, ms", median(floors),
                median(hosts), "", "", "");
    if (!sdks.empty()) std::printf(" %9.1f", median(sdks));
    std::printf("\n");
}

}  // namespace

int bench_serve(int argc, char** argv) {
    const std::string_view only = argc > 1 ? argv[1] : "";
    ::signal(SIGPIPE, SIG_IGN);
    const Folder folder;
    std::printf("\n%-42s %9s %9s %6s %8s %8s", "MCP, calls/s", "floor", "toolhost", "ratio",
                "p50 us", "CPU us");
    if (sdk_command(false).empty())
        std::printf(
            "\n(no TypeScript SDK to compare with: sh cmake/bootstrap.sh setup fetches it)\n");
    else
        std::printf(" %9s\n", "TS SDK");
    for (const auto& work : kWorks)
        if (std::string_view(work.name).find(only) != std::string_view::npos) measure(work, folder);
    if (only.empty()) measure_start();
    return 0;
}

}  // namespace toolhost::bench
