#include "host/policy/config.hpp"

#include <cstdlib>

#include "tests/unit/doctest.hpp"
#include "tests/unit/temp_folder.hpp"

using namespace toolhost;
using namespace toolhost::policy;

namespace {

std::string refusal(const std::string& yaml) {
    test::TempFolder folder;
    folder.write("config.yml", yaml);
    auto config = load_config(folder / "config.yml", true);
    return config ? "" : config.error().message.substr(folder.path().size() + 1);
}

}  // namespace

TEST_CASE("a config names a profile and additionally allowed tools") {
    test::TempFolder folder;
    folder.write("config.yml", "profile: ci\nallow: [native:old_one, 'a@^1']\n");
    auto config = load_config(folder / "config.yml", true);
    REQUIRE(config);
    CHECK(config->file == folder / "config.yml");
    CHECK(config->profile == "ci");
    CHECK(config->allow == std::vector<std::string>{"native:old_one", "a@^1"});
    CHECK(profiles_folder(config->file) == folder / "profiles");
}

TEST_CASE("a file named in the config is relative to it") {
    test::TempFolder folder;
    folder.write("config.yml", "profile: sub/mine.yml\n");
    CHECK(load_config(folder / "config.yml", true)->profile == folder / "sub/mine.yml");
    folder.write("config.yml", "profile: /etc/mine.yml\n");
    CHECK(load_config(folder / "config.yml", true)->profile == "/etc/mine.yml");
}

TEST_CASE("a config may be missing, unless it was requested") {
    test::TempFolder folder;
    auto none = load_config(folder / "none.yml", false);
    REQUIRE(none);
    CHECK(none->profile == "");
    CHECK(none->file == folder / "none.yml");
    CHECK(load_config("", false));
    auto missing = load_config(folder / "none.yml", true);
    REQUIRE_FALSE(missing);
    CHECK(missing.error().code == ErrorCode::file_error);
    CHECK(missing.error().message ==
          folder.path() + "/none.yml: cannot be read: No such file or directory");
    folder.write("empty.yml", "# profile: ci\n");
    CHECK(load_config(folder / "empty.yml", true));
}

TEST_CASE("an invalid config is refused with the position") {
    CHECK(refusal("profil: ci\n") ==
          "config.yml:1:1: unknown key 'profil'; did you mean 'profile'? allowed: allow, grants, "
          "profile");
    CHECK(refusal("allow: git\n").starts_with("config.yml:1:8: /allow: must be an array"));
    CHECK(refusal("allow:\n  - git\n  - a b\n").starts_with("config.yml:3:5: 'a b' is not a tool"));
    CHECK(refusal("allow: [1, 2]\n").starts_with("config.yml:1:9: /allow/0: must be a string"));
    CHECK(refusal("a: [\n").starts_with("config.yml:2:1: not YAML: "));
    CHECK(refusal("- a\n").starts_with("config.yml:1:1: the document must be an object"));
}

TEST_CASE("the config is in the XDG folder") {
    const std::string home = std::getenv("HOME") ? std::getenv("HOME") : "";
    const std::string xdg = std::getenv("XDG_CONFIG_HOME") ? std::getenv("XDG_CONFIG_HOME") : "";
    ::setenv("HOME", "/h", 1);
    ::setenv("XDG_CONFIG_HOME", "/x", 1);
    CHECK(default_config_file() == "/x/toolhost/config.yml");
    ::setenv("XDG_CONFIG_HOME", "relative", 1);
    CHECK(default_config_file() == "/h/.config/toolhost/config.yml");
    ::unsetenv("XDG_CONFIG_HOME");
    CHECK(default_config_file() == "/h/.config/toolhost/config.yml");
    ::unsetenv("HOME");
    CHECK(default_config_file() == "");
    CHECK(profiles_folder("") == "");
    if (!home.empty()) ::setenv("HOME", home.c_str(), 1);
    if (!xdg.empty()) ::setenv("XDG_CONFIG_HOME", xdg.c_str(), 1);
}
