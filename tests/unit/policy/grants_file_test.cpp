#include "host/policy/grants_file.hpp"

#include <unistd.h>

#include <boost/filesystem/operations.hpp>

#include "host/policy/config.hpp"
#include "tests/unit/doctest.hpp"
#include "tests/unit/temp_folder.hpp"

using namespace toolhost;
using namespace toolhost::policy;

namespace fs = boost::filesystem;

namespace {

Grant grant(const std::string& key, const std::string& word) {
    return {*GrantKey::parse(key), *GrantWord::parse(word), {}};
}

// "KEY WORD" of each grant, in order.
std::vector<std::string> texts(const std::vector<Grant>& grants) {
    std::vector<std::string> out;
    for (const auto& one : grants) out.push_back(one.key.text + ' ' + one.word.text());
    return out;
}

std::string fault_in(const std::string& text) {
    auto grants = parse_grants(text, "grants.yml");
    return grants ? "" : grants.error().message;
}

}  // namespace

TEST_CASE("each config file has a grants file of its own beside it") {
    CHECK(grants_file("/a/config.yml") == "/a/grants.yml");
    CHECK(grants_file("/a/work.yml") == "/a/work.grants.yml");
    CHECK(grants_file("/a/grants.yml") == "/a/grants.grants.yml");
    CHECK(grants_file("config.yml") == "grants.yml");
    CHECK(grants_file("").empty());
}

TEST_CASE("written grants are read back, with positions") {
    const std::vector<Grant> given = {grant("weather", "network"),
                                      grant("a[b-c]*", "write=/home/me/ö: \"x\" #1\n"),
                                      grant("shipped:git", "write"),
                                      grant("weather", "exec"),
                                      grant("native:f.*", "tools=http_request"),
                                      grant("no", "write=true")};
    const auto text = grants_text(given);
    CAPTURE(text);
    CHECK(text.starts_with("# Written by toolhost"));
    auto read = parse_grants(text, "g.yml");
    REQUIRE(read);
    CHECK(texts(*read) == std::vector<std::string>{"a[b-c]* write=/home/me/ö: \"x\" #1\n",
                                                   "native:f.* tools=http_request", "no write=true",
                                                   "shipped:git write", "weather network",
                                                   "weather exec"});
    CHECK(read->back().place.text() == "g.yml:8:26");
    CHECK(texts(*parse_grants(grants_text({}), "g.yml")).empty());
}

TEST_CASE("it is parsed as strictly as the config file") {
    CHECK(fault_in("grant: {}\n") ==
          "grants.yml:1:1: unknown key 'grant'; did you mean 'grants'? allowed: grants");
    CHECK(fault_in("profile: ci\n").starts_with("grants.yml:1:1: unknown key 'profile'"));
    CHECK(fault_in("grants:\n  a: [exce]\n")
              .starts_with("grants.yml:2:7: 'exce' is not a grant; did you mean 'exec'?"));
    CHECK(fault_in("grants: {a: exec}\n").starts_with("grants.yml:1:13: /grants/a: must be"));
    CHECK(fault_in("grants: {'a[': [exec]}\n").starts_with("grants.yml:1:10: 'a[' is not a tool"));
    CHECK(fault_in("grants: {a: [exec], a: [write]}\n") != "");
    CHECK(fault_in("grants: !!map {}\n") != "");
    CHECK(fault_in(std::string(kMaxYamlBytes + 1, '\n')) != "");
    CHECK(fault_in("").empty());
}

TEST_CASE("a config has its own grants and those of its grants file") {
    test::TempFolder folder;
    folder.write("config.yml", "grants:\n  a: [exec]\n");
    folder.write("grants.yml", "grants:\n  a: [network]\n");
    folder.write("work.yml", "# empty\n");
    auto config = load_config(folder / "config.yml", true);
    REQUIRE(config);
    CHECK(texts(config->grants) == std::vector<std::string>{"a exec", "a network"});
    CHECK(config->grants[0].place.text() == folder / "config.yml:2:7");
    CHECK(config->grants[1].place.text() == folder / "grants.yml:2:7");
    CHECK(load_config(folder / "work.yml", true)->grants.empty());
    // Either may be missing.
    folder.write("work.grants.yml", "grants: {b: [exec]}\n");
    CHECK(texts(load_config(folder / "work.yml", true)->grants) ==
          std::vector<std::string>{"b exec"});
    fs::remove(folder / "config.yml");
    CHECK(texts(load_config(folder / "config.yml", false)->grants) ==
          std::vector<std::string>{"a network"});
    // An invalid grants file is an error.
    folder.write("grants.yml", "grants: [\n");
    CHECK_FALSE(load_config(folder / "config.yml", false));
    folder.write("grants.yml", std::string(kMaxYamlBytes + 1, '\n'));
    CHECK_FALSE(load_config(folder / "config.yml", false));
}

TEST_CASE("a grants file that another user could have written is refused") {
    test::TempFolder folder;
    const auto file = folder / "grants.yml";
    CHECK(load_grants(file)->empty());
    folder.write("grants.yml", "grants: {a: [exec]}\n");
    CHECK(load_grants(file)->size() == 1);
    CHECK(load_grants(file + "/below/grants.yml")->empty());
    fs::permissions(file, fs::owner_read | fs::owner_write | fs::others_write);
    auto shared = load_grants(file);
    REQUIRE_FALSE(shared);
    CHECK(shared.error().message ==
          file +
              ": cannot be read: it must be a regular file that belongs to you or root and that "
              "others cannot write");
    CHECK(exit_of(shared.error()) == Exit::trouble);
    fs::permissions(file, fs::owner_read | fs::owner_write);
    if (::geteuid() == 0) {
        REQUIRE(::chown(file.c_str(), 65534, 65534) == 0);
        CHECK_FALSE(load_grants(file));
        REQUIRE(::chown(file.c_str(), 0, 0) == 0);
    }
    fs::rename(file, folder / "real");
    fs::create_symlink(folder / "real", file);
    auto link = load_grants(file);
    REQUIRE_FALSE(link);
    CHECK(link.error().message == file + ": cannot be read: it must be a file, not a link");
    fs::remove(file);
    fs::create_directory(file);
    CHECK_FALSE(load_grants(file));
}
