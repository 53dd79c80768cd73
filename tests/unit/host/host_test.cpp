#include "host/host.hpp"

#include <stdlib.h>
#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <thread>

#include "tests/unit/doctest.hpp"
#include "tests/unit/temp_folder.hpp"

using namespace toolhost;
using toolhost::core::Host;
using toolhost::core::HostOptions;
using toolhost::test::TempFolder;

namespace {

// A plugin folder, a config file and profiles for one test.
struct Home {
    Home() {
        ::setenv("XDG_CACHE_HOME", (folder / "cache").c_str(), 1);
        for (const char* name : {"plugins", "profiles", "workspace"})
            boost::filesystem::create_directory(folder / name);
        folder.write("config.yml", "profile: own\n");
        profile("own", "");
    }
    void profile(const char* name, const std::string& more) const {
        folder.write(std::string("profiles/") + name + ".yml",
                     std::string("name: ") + name +
                         "\nextends: default\nworkspace: " + (folder / "workspace") + '\n' + more);
    }
    void add(const char* fixture) const { folder.take(fixture, std::string("plugins/") + fixture); }
    [[nodiscard]] HostOptions options() {
        HostOptions out;
        out.plugins.only = {folder / "plugins"};
        out.config.config = folder / "config.yml";
        out.program = TOOLHOST_BINARY;
        out.warn = [this](const std::string& warning) { warnings.push_back(warning); };
        return out;
    }
    TempFolder folder;
    std::vector<std::string> warnings;
};

call::ToolResult result_of(call::Invoker& invoker, const char* tool) {
    call::ToolUse use;
    use.reference = tool;
    use.input = Json::object();
    return invoker.call(std::move(use));
}

bool has_code(const call::ToolResult& result, ErrorCode code) {
    return result.error && result.error->code == code;
}

bool is_protected(call::Invoker& invoker, const std::string& path) {
    const auto view = invoker.view();
    return std::ranges::any_of(view->rules()->user.host_files,
                               [&](const call::HostFile& file) { return file.path == path; });
}

}  // namespace

TEST_CASE("a host opens, runs a plugin and finds one that is added later") {
    Home home;
    auto host = Host::open(home.options());
    REQUIRE(host);
    CHECK((*host)->configuration().profile_name == "own");
    CHECK(has_code(result_of((*host)->invoker(), "echo"), ErrorCode::unknown_tool));
    CHECK_FALSE((*host)->reload());
    home.add("echo");
    CHECK((*host)->reload());
    CHECK(result_of((*host)->invoker(), "echo").ok());
}

TEST_CASE("an invalid profile is an error, unless it is allowed") {
    Home home;
    auto options = home.options();
    options.config.profile = "nope";
    const auto refused = Host::open(options);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().message.find("unknown profile 'nope'") != std::string::npos);
    options.allow_invalid_profile = true;
    const auto host = Host::open(options);
    REQUIRE(host);
    CHECK((*host)->profile_problem() == refused.error().message);
}

TEST_CASE("a profile that does not fit the tools is an error, unless it is allowed") {
    Home home;
    home.add("echo");
    home.profile("own", "policies: {echo: {unheard_of: 1}}\n");
    const auto refused = Host::open(home.options());
    REQUIRE_FALSE(refused);
    CHECK(refused.error().message.find("unheard_of") != std::string::npos);
    auto options = home.options();
    options.allow_invalid_profile = true;
    const auto host = Host::open(options);
    REQUIRE(host);
    CHECK_FALSE((*host)->profile_problem().empty());
}

TEST_CASE("the invoker of a profile stays the same and follows its profile") {
    Home home;
    home.add("echo");
    home.profile("other", "");
    auto host = Host::open(home.options());
    REQUIRE(host);
    auto* const own = *(*host)->invoker_of("");
    CHECK(own == &(*host)->invoker());
    const auto found = (*host)->invoker_of("other");
    REQUIRE(found);
    auto& other = **found;
    CHECK(&other != own);
    CHECK(result_of(other, "echo").ok());
    home.profile("other", "tools: {deny: [echo]}\n");
    CHECK((*host)->reload_rules());
    CHECK(*(*host)->invoker_of("other") == &other);
    CHECK(has_code(result_of(other, "echo"), ErrorCode::tool_not_allowed));
    CHECK(result_of(*own, "echo").ok());
    CHECK((*host)->invokers().size() == 2);
    CHECK_FALSE((*host)->invoker_of("nope"));
}

TEST_CASE("a profile that became invalid causes a warning and stays active") {
    Home home;
    home.add("echo");
    home.profile("own", "tools: {deny: [echo]}\n");
    auto host = Host::open(home.options());
    REQUIRE(host);
    home.profile("own", "tools: {deny: [\n");
    CHECK_FALSE((*host)->reload_rules());
    CHECK(has_code(result_of((*host)->invoker(), "echo"), ErrorCode::tool_not_allowed));
    CHECK(std::ranges::any_of(home.warnings, [](const std::string& warning) {
        return warning.starts_with("cannot reload profile 'own', keeping the old one: ");
    }));
}

TEST_CASE("a host that watches its folders reports a new plugin") {
    Home home;
    auto host = Host::open(home.options());
    REQUIRE(host);
    std::promise<void> changed;
    (*host)->watch([&, is_told = false](bool is_changed) mutable {
        if (is_changed && !std::exchange(is_told, true)) changed.set_value();
    });
    home.add("echo");
    CHECK(changed.get_future().wait_for(std::chrono::minutes(1)) == std::future_status::ready);
    (*host)->stop_watching();
    CHECK(result_of((*host)->invoker(), "echo").ok());
}

TEST_CASE("the targets of plugin links are protected from tools") {
    Home home;
    home.profile("other", "");
    boost::filesystem::create_directories(home.folder / "workspace/build/folder");
    home.folder.take("echo", "workspace/build/libecho");
    home.folder.take("caller", "workspace/build/folder/folder");
    auto host = Host::open(home.options());
    REQUIRE(host);
    auto& other = **(*host)->invoker_of("other");
    const auto library = home.folder / "workspace/build/libecho.so";
    const auto folder = home.folder / "workspace/build/folder/";
    CHECK_FALSE(is_protected(other, library));
    boost::filesystem::create_symlink(library, home.folder / "plugins/echo.so");
    boost::filesystem::create_directory_symlink(folder, home.folder / "plugins/folder");
    CHECK((*host)->rescan());
    for (auto* invoker : {&(*host)->invoker(), &other}) {
        CHECK(is_protected(*invoker, library));
        CHECK(is_protected(*invoker, folder));
    }
    // A link whose target does not exist yet.
    const auto missing = home.folder / "workspace/build/missing.so";
    boost::filesystem::create_symlink(missing, home.folder / "plugins/missing.so");
    (void)(*host)->rescan();
    CHECK(is_protected(other, missing));
    boost::filesystem::remove(home.folder / "plugins/echo.so");
    (void)(*host)->rescan();
    CHECK_FALSE(is_protected(other, library));
}

TEST_CASE("the files of every profile in use are protected from tools") {
    Home home;
    auto host = Host::open(home.options());
    REQUIRE(host);
    auto& own = (*host)->invoker();
    home.folder.write("base.yml", "name: base\nextends: default\n");
    home.folder.write("first.yml", "name: first\nextends: " + (home.folder / "base.yml") + '\n');
    home.folder.write("second.yml", "name: second\nextends: default\n");
    const auto first = (*host)->invoker_of(home.folder / "first.yml");
    REQUIRE(first);
    for (const char* file : {"first.yml", "base.yml"}) CHECK(is_protected(own, home.folder / file));
    CHECK_FALSE(is_protected(own, home.folder / "second.yml"));
    const auto second = (*host)->invoker_of(home.folder / "second.yml");
    REQUIRE(second);
    for (auto* invoker : {&own, *first, *second})
        for (const char* file : {"first.yml", "base.yml", "second.yml"}) {
            CAPTURE(file);
            CHECK(is_protected(*invoker, home.folder / file));
        }
    // A profile that starts to extend another one.
    home.folder.write("more.yml", "name: more\nextends: default\n");
    home.folder.write("second.yml", "name: second\nextends: " + (home.folder / "more.yml") + '\n');
    (void)(*host)->reload_rules();
    for (auto* invoker : {&own, *first, *second})
        CHECK(is_protected(*invoker, home.folder / "more.yml"));
    // An invalid profile of a token is protected too: a tool must not be able to fix it.
    home.folder.write("broken.yml", "name: [");
    CHECK_FALSE((*host)->invoker_of(home.folder / "broken.yml"));
    CHECK(is_protected(own, home.folder / "broken.yml"));
}

TEST_CASE("a command is not run from a folder that tools of another profile may write") {
    Home home;
    home.add("requires_version");
    const auto programs = home.folder / "theirs/bin";
    boost::filesystem::create_directories(programs);
    home.folder.write("theirs/bin/toolhost-test-command", "#!/bin/sh\necho version 99.5.0\n");
    REQUIRE(::chmod((programs + "/toolhost-test-command").c_str(), 0755) == 0);
    const std::string path = ::getenv("PATH");
    ::setenv("PATH", (programs + ':' + path).c_str(), 1);
    auto host = Host::open(home.options());
    REQUIRE(host);
    const auto is_usable = [&] { return (*host)->catalogue()->tools().front().usable(); };
    CHECK(is_usable());
    home.folder.write("profiles/other.yml", "name: other\nextends: default\n");
    REQUIRE((*host)->invoker_of("other"));
    CHECK(is_usable());
    home.folder.write("profiles/theirs.yml", "name: theirs\nextends: default\nworkspace: " +
                                                 (home.folder / "theirs") + '\n');
    REQUIRE((*host)->invoker_of("theirs"));
    CHECK_FALSE(is_usable());
    home.folder.write("profiles/theirs.yml", "name: theirs\nextends: default\n");
    (void)(*host)->reload_rules();
    CHECK(is_usable());
    ::setenv("PATH", path.c_str(), 1);
}

TEST_CASE("the configuration and the report can be read during a reload") {
    Home home;
    home.add("echo");
    auto host = Host::open(home.options());
    REQUIRE(host);
    std::atomic<int> reloads{0};
    std::jthread reload([&](const std::stop_token& stop) {
        for (; !stop.stop_requested(); ++reloads) (*host)->reload();
    });
    while (reloads < 5) {
        CHECK((*host)->configuration().profile_name == "own");
        CHECK((*host)->report().findings.size() == 1);
    }
}

TEST_CASE("the workers' program is among the protected files") {
    Home home;
    auto host = Host::open(home.options());
    REQUIRE(host);
    const auto files = (*host)->invoker().view()->rules()->user.host_files;
    CHECK(std::ranges::any_of(files, [](const call::HostFile& file) {
        return file.path == TOOLHOST_BINARY && file.called == "its program";
    }));
    // The grants file of another config file, which no tool may create either.
    CHECK(std::ranges::any_of(files, [&](const call::HostFile& file) {
        return file.path == home.folder / "grants.yml" && file.create;
    }));
}
