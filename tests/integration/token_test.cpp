// Tokens for agents: created, replaced and removed by the command, and stored as hashes.
#include <doctest/doctest.h>
#include <signal.h>
#include <sys/stat.h>

#include "tests/integration/serve_run.hpp"
#include "tests/raw_client.hpp"

namespace toolhost::test {
namespace {

// The output of a run must be only the token.
std::string token_of(const Run& run) {
    CAPTURE(run);
    REQUIRE(run.exit_code == 0);
    REQUIRE(run.out.ends_with('\n'));
    const auto token = run.out.substr(0, run.out.size() - 1);
    CHECK(token.size() == 52);
    CHECK(token.starts_with("toolhost_"));
    CHECK(token.find_first_of(" \n") == token.npos);
    return token;
}

// Its lines except comments.
std::vector<std::string> entries_of(const fs::path& file) {
    std::vector<std::string> out;
    for (auto& line : lines_of(read_file(file)))
        if (!line.starts_with('#')) out.push_back(line);
    return out;
}

// One line per name and profile; each token equals its name.
void write_tokens(const fs::path& file,
                  const std::vector<std::pair<std::string, std::string>>& agents) {
    std::string text;
    for (const auto& [name, profile] : agents)
        text += name + ' ' + profile + " sha256:" + sha256_of(name) + '\n';
    write_file(file, text);
    REQUIRE(::chmod(file.c_str(), 0600) == 0);
}

TEST_SUITE("token") {
    TEST_CASE("a token is printed once, and its hash is stored for its owner only") {
        const Stage stage;
        const auto file = stage.root() / "new" / "tokens";
        const auto made = stage.run({"token", "ann", "--file", file.string()});
        const auto token = token_of(made);
        CHECK(entries_of(file) == std::vector<std::string>{"ann - sha256:" + sha256_of(token)});
        CHECK_FALSE(contains(read_file(file), token));
        CHECK_FALSE(contains(made.err, token));
        CHECK(contains(made.err, "Authorization: Bearer TOKEN"));
        CHECK(contains(made.err, "--token-file " + file.string()));
        CHECK(mode_of(file) == 0600);
        CHECK(mode_of(file.parent_path()) == 0700);

        const auto again = stage.run({"token", "ann", "--file", file.string()});
        CHECK(again.exit_code == 3);
        CHECK(again.out.empty());
        CHECK(contains(again.err, "'ann' already has a token; use --replace"));
        CHECK(token_of(stage.run({"token", "bob", "--file", file.string()})) != token);
        CHECK(entries_of(file).size() == 2);
        CHECK(mode_of(file) == 0600);
        CHECK(std::distance(fs::directory_iterator(file.parent_path()), {}) == 1);
    }

    TEST_CASE("each has a profile, which is kept when the token is replaced") {
        const Stage stage;
        const Options here{.folder = stage.root()};
        const auto made =
            stage.run({"token", "ci", "--profile", "read-only", "--file", "t", "--json"}, here);
        REQUIRE(made.exit_code == 0);
        const auto first = made.json();
        CHECK(first["name"] == "ci");
        CHECK(first["profile"] == "read-only");
        CHECK(first["file"] == (fs::canonical(stage.root()) / "t").string());
        const auto second = token_of(stage.run({"token", "ci", "--replace", "--file", "t"}, here));
        CHECK(second != first["token"]);
        CHECK(entries_of(stage.root() / "t") ==
              std::vector<std::string>{"ci read-only sha256:" + sha256_of(second)});

        write_file(stage.root() / "own.yml", "extends: default\n");
        const auto own = stage.run({"token", "x", "--profile", "own.yml", "--file", "t"}, here);
        (void)token_of(own);
        CHECK(contains(read_file(stage.root() / "t"),
                       "x " + (fs::canonical(stage.root()) / "own.yml").string() + " sha256:"));
        const auto wrong = stage.run({"token", "y", "--profile", "raed-only", "--file", "t"}, here);
        CHECK(wrong.exit_code == 3);
        CHECK(contains(wrong.err, "did you mean 'read-only'"));
        CHECK(stage.run({"token", "--file", "t"}, here).out ==
              "ci: profile 'read-only'\nx: profile '" +
                  (fs::canonical(stage.root()) / "own.yml").string() + "'\n");
    }

    TEST_CASE("removing a name keeps the rest of the file") {
        const Stage stage;
        const Options here{.folder = stage.root()};
        for (const char* name : {"ann", "bob", "eve"})
            (void)token_of(stage.run({"token", name, "--file", "t"}, here));
        const auto file = stage.root() / "t";
        auto text = read_file(file);
        text.insert(text.find("bob "), "# a friend\n");
        write_file(file, text);
        const auto gone = stage.run({"token", "bob", "--remove", "--file", "t"}, here);
        CHECK(gone.exit_code == 0);
        CHECK(contains(gone.out, "revoked the token of bob"));
        const auto from = text.find("bob ");
        CHECK(read_file(file) == text.erase(from, text.find('\n', from) + 1 - from));
        CHECK(stage.run({"token", "bob", "--remove", "--file", "t"}, here).exit_code == 3);
        const auto listed = stage.run({"token", "--file", "t", "--json"}, here).json();
        CHECK(listed["tokens"] == Json::array({{{"name", "ann"}, {"profile", nullptr}},
                                               {{"name", "eve"}, {"profile", nullptr}}}));
    }

    TEST_CASE("invalid arguments are reported and nothing is written") {
        const Stage stage;
        const Options here{.folder = stage.root()};
        const auto file = stage.root() / "t";
        CHECK(stage.run({"token", "ann"}, here).exit_code == 2);
        CHECK(stage.run({"token", "a b", "--file", "t"}, here).exit_code == 2);
        CHECK(stage.run({"token", "a", "--file", "t", "--remove", "--replace"}, here).exit_code ==
              2);
        CHECK(stage.run({"token", "--file", "t", "--remove"}, here).exit_code == 2);
        const auto none = stage.run({"token", "ann", "--remove", "--file", "t"}, here);
        CHECK(none.exit_code == 12);
        CHECK(contains(none.err, "No such file or directory"));
        CHECK_FALSE(fs::exists(file));

        write_file(file, "ann - nonsense\n");
        REQUIRE(::chmod(file.c_str(), 0600) == 0);
        const auto broken = stage.run({"token", "bob", "--file", "t"}, here);
        CHECK(broken.exit_code == 3);
        CHECK(contains(broken.err, "t:1:7: expected sha256:"));
        CHECK(read_file(file) == "ann - nonsense\n");
        write_file(file, "# empty\n");
        REQUIRE(::chmod(file.c_str(), 0640) == 0);
        const auto open = stage.run({"token", "bob", "--file", "t"}, here);
        CHECK(open.exit_code == 3);
        CHECK(contains(open.err, "run chmod 600 "));
        CHECK(read_file(file) == "# empty\n");
        CHECK(stage.run({"token", "bob", "--file", "/proc/none"}, here).exit_code == 12);
    }

    TEST_CASE("/metrics requires a metrics token, which opens no other path") {
        const Stage stage;
        const Options here{.folder = stage.root()};
        const auto make = [&](std::vector<std::string> args) {
            args.insert(args.begin(), "token");
            args.insert(args.end(), {"--file", "t"});
            return token_of(stage.run(args, here));
        };
        const auto ann = make({"ann"});
        (void)make({"prometheus", "--metrics"});
        const auto scraper = make({"prometheus", "--replace"});
        CHECK(entries_of(stage.root() / "t").at(1) ==
              "prometheus @metrics sha256:" + sha256_of(scraper));
        CHECK(stage.run({"token", "--file", "t"}, here).out ==
              "ann: the host's own profile\nprometheus: /metrics alone\n");
        for (const char* other : {"--remove", "--profile=read-only"})
            CHECK(stage.run({"token", "x", "--metrics", other, "--file", "t"}, here).exit_code ==
                  2);

        ServeRun server(stage, {"--http", "127.0.0.1:0", "--token-file", "t"});
        const auto port = server.port();
        const auto asked = [&](const char* method, const char* path, const std::string& token) {
            RawClient client(port);
            client.send(http_request(method, path, "Authorization: Bearer " + token + "\r\n"));
            return client.read();
        };
        CHECK(contains(asked("GET", "/metrics", scraper).body, "toolhost_workers 0"));
        CHECK(asked("GET", "/metrics", ann).status == 403);
        CHECK(contains(asked("GET", "/metrics", ann).body, "toolhost token NAME --metrics"));
        CHECK(asked("GET", "/metrics", "unknown").status == 401);
        CHECK(asked("DELETE", "/mcp", ann).status ==
              400);  // admitted, with an error about what is missing
        CHECK(asked("DELETE", "/mcp", scraper).status == 403);
    }

    TEST_CASE("without a token file a server generates a token, prints it and requires it") {
        const Stage stage({"adder"});
        ServeRun server(stage, {"--http", "127.0.0.1:0"});
        const auto port = server.port();
        const std::string header = "  Authorization: Bearer ";
        REQUIRE(server.await_stderr(header));
        const auto said = server.stderr_text();
        const auto begin = said.find(header) + header.size();
        const auto token = said.substr(begin, said.find('\n', begin) - begin);
        CHECK(token.size() > 43);  // 256 bits in base64url
        const auto status = [&](const std::string& request) {
            RawClient client(port);
            client.send(request);
            return client.read().status;
        };
        CHECK(status(adder_post("")) == 401);
        CHECK(status(adder_post(token + "x")) == 401);
        CHECK(status(adder_post(token)) == 200);
        CHECK(status(http_request("GET", "/metrics")) == 401);
        CHECK(status(http_request("GET", "/metrics", "Authorization: Bearer " + token + "\r\n")) ==
              200);
        // Another start, another token.
        ServeRun other(stage, {"--http", "127.0.0.1:0"});
        (void)other.port();
        REQUIRE(other.await_stderr(header));
        CHECK_FALSE(contains(other.stderr_text(), token));
    }

    TEST_CASE("--no-auth is explicit, causes a warning, and requires loopback") {
        const Stage stage({"adder"});
        ServeRun server(stage, {"--http", "127.0.0.1:0", "--no-auth"});
        RawClient client(server.port());
        client.send(adder_post(""));
        CHECK(client.read().status == 200);
        CHECK(server.await_stderr("warning: --no-auth"));
        CHECK_FALSE(contains(server.stderr_text(), "Bearer"));
        const auto refused =
            stage.run({"serve", "--http", "0.0.0.0:0", "--no-auth", "--behind-proxy"});
        CHECK(refused.exit_code == 13);
        CHECK(contains(refused.err, "requires tokens"));
        CHECK(stage.run({"serve", "--no-auth"}).exit_code == 2);
        CHECK(stage.run({"serve", "--http", "127.0.0.1:0", "--no-auth", "--token-file", "t"})
                  .exit_code == 2);
    }

    TEST_CASE("a server does not start if the profile of a token is invalid") {
        const Stage stage;
        const auto file = stage.root() / "t";
        const auto started_with = [&](const std::string& profile) {
            write_tokens(file, {{"ann", "-"}, {"bob", profile}});
            return stage.run({"serve", "--http", "127.0.0.1:0", "--token-file", file.string()});
        };
        const auto unknown = started_with("raed-only");
        CHECK(unknown.exit_code == 3);
        CHECK(contains(unknown.err, file.string() + ":2:5: the profile of 'bob' cannot be used: "
                                                    "unknown profile 'raed-only'"));
        CHECK(contains(unknown.err, "did you mean 'read-only'"));
        CHECK(contains(unknown.err, "Fix that profile, or use another one in this line."));

        write_file(stage.root() / "bad.yml", "extends: default\ntools: [\n");
        const auto broken = started_with("./bad.yml");
        CHECK(broken.exit_code == 3);
        CHECK(contains(broken.err, file.string() + ":2:5: the profile of 'bob' cannot be used"));
        CHECK(contains(broken.err, "bad.yml:"));
    }

    TEST_CASE("the profile of a token is reloaded at SIGHUP if it fits the current tools") {
        const Stage stage({"adder", "policied"});
        const auto file = stage.root() / "t", profile = stage.root() / "p.yml";
        const auto use = [&](const std::string& rest) {
            write_file(profile, "name: p\nextends: default\n" + rest);
        };
        use("");
        write_tokens(file, {{"ann", "./p.yml"}, {"bob", "-"}});
        ServeRun server(stage, {"--http", "127.0.0.1:0", "--token-file", file.string()});
        const auto port = server.port();
        const auto denied = [&](const std::string& token) {
            RawClient client(port);
            client.send(adder_post(token));
            return contains(client.read().body, "tool_not_allowed");
        };
        CHECK_FALSE(denied("ann"));
        use("policies: { policied: { no_such_setting: 1 } }\n");
        server.signal(SIGHUP);
        CHECK(server.await_stderr("p.yml:3:25: the policy of tool 'policied'"));
        CHECK(contains(server.stderr_text(), "p.yml', keeping the old one: "));
        CHECK_FALSE(denied("ann"));
        use("tools: { deny: [\"native:*\"] }\n");
        server.signal(SIGHUP);
        // Its effect is the only sign that the file was read.
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
        while (!denied("ann") && std::chrono::steady_clock::now() < end) continue;
        CHECK(denied("ann"));
        CHECK_FALSE(denied("bob"));
        server.signal(SIGTERM);
        CHECK(server.exit_code() == 0);
    }

    TEST_CASE(
        "a running server reloads a token file without the lines whose profile cannot be "
        "used") {
        const Stage stage;
        const auto file = stage.root() / "t";
        write_tokens(file, {{"ann", "-"}});
        ServeRun server(stage, {"--http", "127.0.0.1:0", "--token-file", file.string()});
        const auto port = server.port();
        const auto status_for = [&](const std::string& token) {
            RawClient client(port);
            client.send(http_request("DELETE", "/mcp", "Authorization: Bearer " + token + "\r\n"));
            return client.read().status;
        };
        CHECK(status_for("ann") == 400);  // admitted, with an error about what is missing
        CHECK(status_for("bob") == 401);

        write_tokens(file, {{"bob", "-"}, {"eve", "raed-only"}});
        server.signal(SIGHUP);
        REQUIRE(server.await_stderr("Fix that profile"));
        CHECK(contains(server.stderr_text(), "ignored tokens: " + file.string() +
                                                 ":2:5: the profile of 'eve' cannot be used: "
                                                 "unknown profile 'raed-only'"));
        CHECK(status_for("ann") == 401);
        CHECK(status_for("bob") == 400);
        CHECK(status_for("eve") == 401);
        server.signal(SIGTERM);
        CHECK(server.exit_code() == 0);
    }
}

}  // namespace
}  // namespace toolhost::test
