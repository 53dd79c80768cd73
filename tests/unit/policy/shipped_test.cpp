// Shipped profiles must load, describe themselves, and match the documentation.
#include <boost/filesystem/fstream.hpp>
#include <sstream>

#include "host/policy/embedded.hpp"
#include "tests/unit/doctest.hpp"
#include "tests/unit/policy/specs.hpp"

using namespace toolhost;
using namespace toolhost::policy;
using test::spec;

namespace {

ProfilePtr shipped(const std::string& name) {
    auto loaded = load_profile(name, "");
    REQUIRE_MESSAGE(loaded, name);
    return *loaded;
}

}  // namespace

TEST_CASE("every shipped profile loads and describes itself") {
    auto known = known_profiles("");
    REQUIRE(known.size() == embedded_profiles().size());
    for (const auto& one : known) {
        CAPTURE(one.name);
        CHECK(one.problem == "");
        CHECK(one.description != "");
        auto profile = shipped(one.name);
        CHECK(profile->name() == one.name);
        for (const auto& [pointer, origin] : profile->document().origins())
            if (!origin.place().file.empty()) CHECK(origin.place().text().starts_with("shipped:"));
        CHECK(profile->redact().size() > 5);
    }
}

TEST_CASE("every shipped profile passes the checks that a start skips") {
    for (const auto& file : embedded_profiles()) {
        const auto name = std::string(file.name);
        auto layer = read_layer(file.content, name, name.substr(0, name.rfind('.')));
        CHECK_MESSAGE(layer, name, ": ", layer ? "" : layer.error().message);
    }
}

TEST_CASE("default equals the built-in profile and asks for consent") {
    auto profile = built_in_profile();
    CHECK(profile->name() == "default");
    CHECK(profile == built_in_profile());
    CHECK(profile->consent() == Consent::ask);
    CHECK(profile->judge(spec("anything")).allowed);
    CHECK_FALSE(profile->speaks_of(spec("anything")));
    auto limits = profile->limits(spec("t"));
    CHECK(limits.timeout_ms == Limits().timeout_ms);
    CHECK(limits.max_input_bytes == Limits().max_input_bytes);
    CHECK(limits.max_output_chars == Limits().max_output_chars);
    CHECK(limits.isolation == runtime::Isolation::process);
    CHECK(limits.sandbox == sandbox::Enforcement::required);
    CHECK(profile->origin("/timeoutMs") == "shipped:default.yml:8:14");
}

TEST_CASE("every profile limits workers, and locked-down has the strictest limits") {
    const auto limits = built_in_profile()->resource_limits();
    CHECK(limits.memory_mb == 512u);
    CHECK(limits.cpu_seconds == 20u);
    CHECK(limits.processes == 16u);
    CHECK(limits.open_files == 128u);
    CHECK(limits.file_size_mb == 64u);
    const auto tight = shipped("locked-down")->resource_limits();
    CHECK(tight.memory_mb < limits.memory_mb);
    CHECK(tight.cpu_seconds < limits.cpu_seconds);
    CHECK(tight.processes < limits.processes);
    CHECK(tight.open_files < limits.open_files);
    CHECK(tight.file_size_mb < limits.file_size_mb);
    for (const auto& name : built_in_profile()->environment()) {
        CAPTURE(name);  // inherited by others' profiles
        for (const char* part : {"TOKEN", "KEY", "SECRET", "LD_", "HOME"})
            CHECK(name.find(part) == std::string::npos);
    }
}

TEST_CASE("read-only denies tools that write, execute or send data") {
    auto profile = shipped("read-only");
    for (const char* name : {"file_write", "file-write", "shell", "python_exec", "http_request"}) {
        CAPTURE(name);
        CHECK(profile->judge(spec(name)).denied);
    }
    CHECK(profile->judge(spec("file_read")).allowed);
    CHECK(profile->consent() == Consent::deny);
}

TEST_CASE("ci does not ask and has shorter timeouts") {
    CHECK(shipped("ci")->consent() == Consent::deny);
    CHECK(shipped("ci")->limits(spec("t")).timeout_ms < Limits().timeout_ms);
    CHECK(shipped("ci")->judge(spec("anything")).allowed);
}

TEST_CASE("locked-down allows no tools until a child names them") {
    auto profile = shipped("locked-down");
    CHECK_FALSE(profile->judge(spec("current_time")).allowed);
    CHECK_FALSE(profile->judge(spec("current_time")).denied);
    CHECK(profile->consent() == Consent::deny);
    CHECK(profile->resource_limits().memory_mb);
    auto child = test::profile("extends: locked-down\ntools: { allow: [current_time] }\n");
    CHECK(child->judge(spec("current_time")).allowed);
    CHECK_FALSE(child->judge(spec("git")).allowed);
}

TEST_CASE("read-only and locked-down grant nothing, whatever default grants") {
    for (const char* name : {"read-only", "locked-down"}) {
        CAPTURE(name);
        const auto profile = shipped(name);
        CHECK(profile->grants().empty());
        CHECK_FALSE(profile->user_grants());
        // Not by removing names: a future grant in `default` would be inherited.
        const auto& own = profile->layers().back()->document.value;
        CHECK(own.value("inheritGrants", true) == false);
        const Json all{{"needs", {{"network", true}, {"exec", true}, {"write", true}}}};
        for (const auto& grant : built_in_profile()->grants()) {
            const auto tool = grant.key.text.substr(grant.key.text.find(':') + 1);
            CHECK(profile->granted(spec(tool, all), true, built_in_profile()->grants())
                      .missing.size() == 3);
        }
    }
}

TEST_CASE("the first example of docs/policies.md loads") {
    boost::filesystem::ifstream file(std::string(TOOLHOST_DOCS) + "/policies.md");
    std::stringstream text;
    text << file.rdbuf();
    const auto page = text.str();
    const std::string fence = "```yaml\n";
    const auto start = page.find(fence);
    REQUIRE(start != std::string::npos);
    const auto end = page.find("```", start + fence.size());
    auto example = page.substr(start + fence.size(), end - start - fence.size());
    test::TempFolder folder;
    folder.write("reviewer.yml", example);
    auto profile = load_profile("reviewer", folder.path());
    REQUIRE_MESSAGE(profile, (profile ? "" : profile.error().message));
    CHECK((*profile)->judge(spec("git")).allowed);
    CHECK((*profile)->judge(spec("file_read")).allowed);
    CHECK((*profile)->judge(spec("file_write")).denied);
    CHECK_FALSE((*profile)->judge(spec("shell")).allowed);
    CHECK((*profile)->limits(spec("http_request")).timeout_ms == 5000);
    CHECK((*profile)->resource_limits().memory_mb == 512u);
}
