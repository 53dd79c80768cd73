// What a profile does not grant is impossible, even for root; what it grants works.
#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/integration/hostile_stage.hpp"
#include "tests/integration/live_run.hpp"
#include "tests/integration/serve_run.hpp"
#include "tests/raw_client.hpp"
#include "tests/signing.hpp"
#include "tests/tls_client.hpp"

namespace toolhost::test {
namespace {

const std::string kTool = "hostile_escape";

// A listening port on loopback.
class Listener {
public:
    Listener() : wire_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_in here{};
        here.sin_family = AF_INET;
        here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof here;
        auto* address = reinterpret_cast<sockaddr*>(&here);
        REQUIRE(::bind(wire_, address, size) == 0);
        REQUIRE(::listen(wire_, 8) == 0);
        REQUIRE(::getsockname(wire_, address, &size) == 0);
        port_ = ntohs(here.sin_port);
    }
    ~Listener() { ::close(wire_); }
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;
    [[nodiscard]] int port() const { return port_; }

private:
    int wire_, port_ = 0;
};

Json request(Json input) {
    return {{"tool", kTool}, {"input", std::move(input)}};
}

// The results of the attempts, separated by spaces. All in one host and one worker, and the same in
// a program that embeds the host.
// program that embeds the host.
std::string tried(const HostileStage& hostile, const std::vector<Json>& inputs,
                  const std::string& grants) {
    std::vector<Json> requests;
    for (const auto& input : inputs) requests.push_back(request(input));
    const ProfileValues values{.grants = grants.empty() ? "" : kTool + ": [" + grants + "]"};
    const auto through = [&](Through host) {
        std::string said;
        for (const auto& result : outlived(hostile, requests, values, host))
            said += ' ' + text_of(result);
        return said;
    };
    const auto said = through(Through::command_line);
    CHECK(through(Through::library) == said);
    return said;
}

TEST_SUITE("forbidden") {
    TEST_CASE(
        "files: only the workspace is accessible, even through links and paths that lead out") {
        if (!can_be_closed()) return;
        const HostileStage hostile({kTool});
        const auto inside = hostile.workspace(), outside = hostile.stage().root() / "outside";
        fs::create_directory(outside);
        for (const auto& folder : {inside, outside}) write_file(folder / "file", "text");
        fs::create_symlink(outside / "file", inside / "link");
        fs::create_directory_symlink(outside, inside / "folder");
        std::vector<Json> reads, writes;
        for (const auto& path :
             {inside / "file", inside / "link", inside / "folder/file", inside / "../outside/file",
              outside / "file", fs::path("/etc/passwd"), fs::path("/proc/self/environ")})
            reads.push_back({{"how", "read"}, {"path", path.string()}});
        for (const auto& path :
             {inside / "new", inside / "file", inside / "link", inside / "folder/new",
              outside / "new", outside / "file", hostile.stage().root() / "tmp/new"})
            writes.push_back({{"how", "write"}, {"path", path.string()}});
        const std::string no = " EACCES", yes = " done", none = no + no + no + no + no;
        CHECK(tried(hostile, reads, "") == yes + no + none);
        CHECK(tried(hostile, writes, "") == no + no + none);
        CHECK_FALSE(fs::exists(inside / "new"));

        CHECK(tried(hostile, reads, "network, exec, write") == yes + no + none);
        CHECK(tried(hostile, writes, "write") == yes + yes + none);
        CHECK(fs::exists(inside / "new"));
        CHECK_FALSE(fs::exists(outside / "new"));
        CHECK(read_file(outside / "file") == "text");
    }

    TEST_CASE("files: no grant allows flags, leases or attributes") {
        if (!can_be_closed()) return;
        const HostileStage hostile({kTool});
        const auto inside = hostile.workspace() / "file", outside = hostile.stage().root() / "file";
        for (const auto& file : {inside, outside}) write_file(file, "text");
        std::vector<Json> inputs;
        for (const char* how : {"flags", "attributes", "lease"})
            inputs.push_back({{"how", how}, {"path", inside.string()}});
        inputs.push_back({{"how", "names"}, {"path", outside.string()}});
        for (const auto* grants : {"", "network, exec, write"})
            CHECK(tried(hostile, inputs, grants) == " ENOTTY ENOTTY EPERM EOPNOTSUPP");
    }

    TEST_CASE("network and programs: with the grant, and only with it") {
        if (!can_be_closed()) return;
        const HostileStage hostile({kTool});
        const Listener listener;
        const std::vector<Json> inputs{{{"how", "connect"}, {"number", listener.port()}},
                                       {{"how", "shell"}}};
        CHECK(tried(hostile, inputs, "") == " EACCES EACCES");
        CHECK(tried(hostile, inputs, "write") == " EACCES EACCES");
        CHECK(tried(hostile, inputs, "network") == " done EACCES");
        CHECK(tried(hostile, inputs, "exec") == " EACCES done");
        CHECK(tried(hostile, inputs, "network, exec, write") == " done done");
    }

    TEST_CASE("a grant takes effect, or is revoked, when the server reloads") {
        if (!can_be_closed()) return;
        const Stage stage({kTool});
        const auto config = stage.root() / "config.yml";
        const auto file = stage.root() / "own.yml";
        write_file(config, "allow: []\n");
        write_file(file, "name: own\nextends: default\n");
        ServeRun run(stage, {"--config", config.string(), "--profile", file.string()});
        run.initialize();
        const auto run_a_program = [&](int id) {
            run.call(id, kTool, {{"how", "shell"}});
            return run.answer(id).at("result").at("content").at(0).value("text", "");
        };
        CHECK(run_a_program(1) == "EACCES");
        const auto granted = stage.run({"grant", kTool, "exec", "--config", config.string()});
        CHECK(granted.exit_code == 0);
        CHECK(run_a_program(2) == "EACCES");
        // Its effect is the only sign that the file was read.
        int id = 3;
        const auto becomes = [&](const std::string& what) {
            run.signal(SIGHUP);
            const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
            while (std::chrono::steady_clock::now() < end)
                if (run_a_program(id++) == what) return true;
            return false;
        };
        CHECK(becomes("done"));
        // An invalid profile does not keep a revoked grant active.
        write_file(file, "name: own\nextends: missing\n");
        CHECK(stage.run({"grant", kTool, "exec", "--revoke", "--config", config.string()})
                  .exit_code == 0);
        CHECK(becomes("EACCES"));
        CHECK(contains(run.stderr_text(), "keeping the old one"));
        run.close_stdin();
        CHECK(run.exit_code() == 0);
    }

    TEST_CASE("a server's own files in a writable workspace") {
        if (!can_be_closed()) return;
        const HostileStage hostile({kTool});
        const auto folder = hostile.workspace();
        const auto certificate = make_certificate(folder, "localhost");
        const auto guest = folder / "guest.yml", tokens = folder / "tokens",
                   keys = folder / "keys.json", events = folder / "events.jsonl",
                   config = folder / "c.yml", grants = folder / "c.grants.yml";
        // Not bob's profile, but that of another client.
        write_file(guest, "name: guest\nextends: default\n");
        write_file(tokens, "ann guest.yml sha256:" + sha256_of("ann") +
                               "\nbob - sha256:" + sha256_of("bob") + '\n');
        REQUIRE(::chmod(tokens.c_str(), 0600) == 0);
        write_file(keys, key_set({SigningKey::p256().jwk("one")}));
        write_file(config, "");
        ServeRun run(hostile.stage(),
                     {"--profile",        hostile.write_profile({.grants = kTool + ": [write]"}),
                      "--config",         config,
                      "--http",           "127.0.0.1:0",
                      "--token-file",     tokens,
                      "--events",         events,
                      "--tls-cert",       certificate.chain_file,
                      "--tls-key",        certificate.key_file,
                      "--oauth-issuer",   "http://127.0.0.1:1",
                      "--oauth-audience", "https://tools.example.com/mcp",
                      "--oauth-jwks",     keys});
        TlsClient client(run.port(), certificate.chain_file);
        REQUIRE(client.is_trusting());
        const auto write = [&](const fs::path& path) {
            const Json params{{"name", kTool},
                              {"arguments", {{"how", "write"}, {"path", path.string()}}},
                              {"_meta",
                               {{"io.modelcontextprotocol/protocolVersion", "2026-07-28"},
                                {"io.modelcontextprotocol/clientCapabilities", Json::object()}}}};
            const Json call{
                {"jsonrpc", "2.0"}, {"id", 1}, {"method", "tools/call"}, {"params", params}};
            return client.ask(
                mcp_post(call.dump(),
                         "Authorization: Bearer bob\r\nMCP-Protocol-Version: 2026-07-28\r\n"
                         "Mcp-Method: tools/call\r\nMcp-Name: " +
                             kTool + "\r\n"));
        };
        for (const fs::path& path :
             {guest, tokens, keys, events, config, grants, fs::path(certificate.chain_file),
              fs::path(certificate.key_file)}) {
            const auto answer = write(path);
            CAPTURE(path);
            CAPTURE(answer);
            CHECK((contains(answer, "EROFS") || contains(answer, "EACCES")));
        }
        CHECK(contains(write(folder / "another"), "done"));
        // It was missing, and was created empty so that no tool can create it.
        CHECK(read_file(grants).empty());
        CHECK(mode_of(grants) == 0600);
    }

    TEST_CASE("other processes: the host, its environment, another worker's channel") {
        if (!can_be_closed()) return;
        // A host whose worker is running a call, as the closest possible victim.
        const HostileStage victim({"waiter"}), hostile({kTool});
        LiveRun live(victim.stage(), {"call", "waiter", "ms=600000", "--json", "--stream",
                                      "--profile", victim.write_profile({}).string()});
        REQUIRE(live.await("started"));
        const auto processes = victim.processes();
        REQUIRE(processes.size() >= 3);  // the host, and its worker with its reaper
        std::vector<Json> inputs;
        std::string all_refused;
        for (const auto pid : processes) {
            all_refused += " EPERM EACCES EACCES EACCES";
            inputs.push_back({{"how", "ptrace"}, {"number", pid}});
            for (const char* door : {"environ", "mem", "maps"})
                inputs.push_back(
                    {{"how", "read"}, {"path", "/proc/" + std::to_string(pid) + '/' + door}});
        }
        for (const auto* grants : {"", "network, exec, write"})
            CHECK(tried(hostile, inputs, grants) == all_refused);
        const auto most = *std::max_element(processes.begin(), processes.end());
        const auto opened =
            outlived(hostile, {request({{"how", "processes"}, {"number", most}})}, {}).front();
        CAPTURE(opened.dump());
        CHECK(opened.value("/content/0/json"_json_pointer, -1) == 0);
    }

    TEST_CASE("a refusal contains the command that would grant it") {
        if (!can_be_closed()) return;
        const HostileStage hostile({"hostile_greedy"});
        const auto result =
            outlived(hostile, {{{"tool", "hostile_greedy"}, {"input", {{"how", "nothing"}}}}}, {})
                .front();
        CAPTURE(result.dump(2));
        CHECK(code_of(result) == "tool_failed");
        CHECK(contains(result.dump(), "toolhost grant hostile_greedy exec"));
    }

    TEST_CASE("a grandchild that has left its group and session is killed with its worker") {
        if (!can_be_closed()) return;
        const HostileStage hostile({kTool});
        const auto mark = hostile.workspace() / "it-ran";
        CHECK(tried(hostile, {{{"how", "daemonise"}, {"path", mark.string()}}}, "exec, write") ==
              " done");
        CHECK(fs::exists(mark));
        CHECK(tried(hostile, {{{"how", "daemonise"}, {"path", mark.string()}}}, "write") ==
              " EACCES");
    }
}

}  // namespace
}  // namespace toolhost::test
