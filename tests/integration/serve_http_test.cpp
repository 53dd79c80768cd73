// `toolhost serve --http` as a long-running service: its certificate is renewed, and its
// descriptors run out.
#include <doctest/doctest.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>
#include <set>
#include <sstream>

#include "tests/integration/serve_run.hpp"
#include "tests/raw_client.hpp"
#include "tests/tls_client.hpp"

namespace toolhost::test {
namespace {

using namespace std::chrono_literals;

const std::string kHealth = http_request("GET", "/healthz");

// The limit that leaves `room` descriptors to a running process.
rlim_t limit_with_room(pid_t process, std::size_t room) {
    std::set<rlim_t> taken;
    for (const auto& entry : fs::directory_iterator("/proc/" + std::to_string(process) + "/fd"))
        taken.insert(std::stoul(entry.path().filename().string()));
    rlim_t limit = 0;
    for (std::size_t free = 0; free < room; ++limit)
        if (!taken.contains(limit)) ++free;
    return limit;
}

void set_open_files(pid_t process, rlim_t most) {
    const rlimit limit{most, most};
    REQUIRE(::prlimit(process, RLIMIT_NOFILE, &limit, nullptr) == 0);
}

// Its CPU time in milliseconds.
long used_ms(pid_t process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::string text;
    std::getline(file, text);
    std::istringstream rest(text.substr(text.rfind(')') + 2));
    std::string skipped;
    for (int field = 3; field < 14; ++field) rest >> skipped;
    long user = 0, system = 0;
    rest >> user >> system;
    return (user + system) * 1000 / ::sysconf(_SC_CLK_TCK);
}

}  // namespace

TEST_SUITE("serve-http") {
    TEST_CASE("a certificate is renewed at SIGHUP, and a broken one changes nothing") {
        const Stage stage({"adder"});
        const auto first = make_certificate(stage.root(), "localhost");
        const auto second = make_certificate(stage.root(), "other.example");
        const auto chain = stage.root() / "chain.pem", key = stage.root() / "key.pem";
        const auto use = [&](const std::string& new_chain, const std::string& new_key) {
            write_file(chain, read_file(new_chain));
            write_file(key, read_file(new_key));
        };
        use(first.chain_file, first.key_file);
        ServeRun run(stage,
                     {"--http", "127.0.0.1:0", "--no-auth", "--tls-cert", chain, "--tls-key", key});
        const auto port = run.port();
        TlsClient before(port, first.chain_file);
        REQUIRE(before.is_trusting());
        write_file(chain, "nonsense");
        run.signal(SIGHUP);
        CHECK(run.await_stderr("cannot reload the certificate, keeping the old one: " +
                               chain.string()));
        CHECK(TlsClient(port, first.chain_file).is_trusting());
        use(second.chain_file, second.key_file);
        run.signal(SIGHUP);
        // The new certificate is the only sign that it was read.
        const auto end = std::chrono::steady_clock::now() + 30s;
        bool renewed = false;
        while (!renewed && std::chrono::steady_clock::now() < end)
            renewed = TlsClient(port, second.chain_file).is_trusting();
        CHECK(renewed);
        CHECK_FALSE(TlsClient(port, first.chain_file).is_trusting());
        CHECK(before.ask(kHealth).starts_with("HTTP/1.1 200"));
        run.signal(SIGTERM);
        CHECK(run.exit_code() == 0);
    }
}

// Sanitizers need a descriptor to read memory, so this test is not run with them.
TEST_SUITE("serve-hostile") {
    TEST_CASE("without descriptors connections wait, and are served when there are some") {
        constexpr std::size_t kRoom = 4, kClients = 8;
        const Stage stage({"adder"});
        ServeRun run(stage, {"--http", "127.0.0.1:0", "--no-auth"});
        const auto port = run.port();
        set_open_files(run.process(), limit_with_room(run.process(), kRoom));
        std::vector<RawClient> clients;
        for (std::size_t i = 0; i < kClients; ++i) {
            clients.emplace_back(port);
            clients.back().send(kHealth);
        }
        for (std::size_t i = 0; i < kRoom; ++i) CHECK(clients[i].read().status == 200);
        CHECK(run.await_stderr("cannot accept connections: Too many open files"));
        // Accepted connections are served, the others wait without using CPU time.
        const auto before = used_ms(run.process());
        CHECK_FALSE(clients[kRoom].receives_within(1000));
        CHECK(used_ms(run.process()) - before < 300);
        clients[0].send(kHealth);
        CHECK(clients[0].read().status == 200);
        // A closed connection makes room for another.
        clients[0].close();
        CHECK(clients[kRoom].read().status == 200);
        for (std::size_t i = 1; i < kRoom; ++i) clients[i].close();
        for (std::size_t i = kRoom + 1; i < kClients; ++i) CHECK(clients[i].read().status == 200);
        CHECK(run.await_stderr("accepting connections again"));
        run.signal(SIGTERM);
        CHECK(run.exit_code() == 0);
    }
}

}  // namespace toolhost::test
