#include "host/host.hpp"

#include <stdlib.h>

#include <algorithm>
#include <future>

#include "tests/unit/doctest.hpp"
#include "tests/unit/temp_folder.hpp"

using namespace toolhost;
using toolhost::core::Host;
using toolhost::core::HostOptions;
using toolhost::test::TempFolder;

namespace {

// A plugin folder, a config file and profiles of a test's own.
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

TEST_CASE("a profile that cannot be used is an error, unless it is forgiven") {
    Home home;
    auto options = home.options();
    options.config.profile = "nope";
    const auto refused = Host::open(options);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().message.find("unknown profile 'nope'") != std::string::npos);
    options.forgive_profile = true;
    const auto host = Host::open(options);
    REQUIRE(host);
    CHECK((*host)->profile_problem() == refused.error().message);
}

TEST_CASE("a profile that does not fit the tools is an error, unless it is forgiven") {
    Home home;
    home.add("echo");
    home.profile("own", "policies: {echo: {unheard_of: 1}}\n");
    const auto refused = Host::open(home.options());
    REQUIRE_FALSE(refused);
    CHECK(refused.error().message.find("unheard_of") != std::string::npos);
    auto options = home.options();
    options.forgive_profile = true;
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
    CHECK((*host)->reread_rules());
    CHECK(*(*host)->invoker_of("other") == &other);
    CHECK(has_code(result_of(other, "echo"), ErrorCode::tool_not_allowed));
    CHECK(result_of(*own, "echo").ok());
    CHECK((*host)->invokers().size() == 2);
    CHECK_FALSE((*host)->invoker_of("nope"));
}

TEST_CASE("a profile that became invalid is warned of and stays in force") {
    Home home;
    home.add("echo");
    home.profile("own", "tools: {deny: [echo]}\n");
    auto host = Host::open(home.options());
    REQUIRE(host);
    home.profile("own", "tools: {deny: [\n");
    CHECK_FALSE((*host)->reread_rules());
    CHECK(has_code(result_of((*host)->invoker(), "echo"), ErrorCode::tool_not_allowed));
    CHECK(std::ranges::any_of(home.warnings, [](const std::string& warning) {
        return warning.starts_with("cannot reload profile 'own', keeping the old one: ");
    }));
}

TEST_CASE("a host that watches its folders tells of a new plugin") {
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

TEST_CASE("what no tool may write includes the program of the workers") {
    Home home;
    auto host = Host::open(home.options());
    REQUIRE(host);
    const auto files = (*host)->invoker().view()->rules()->user.host_files;
    CHECK(std::ranges::any_of(files, [](const call::HostFile& file) {
        return file.path == TOOLHOST_BINARY && file.called == "its program";
    }));
}
