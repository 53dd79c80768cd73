// The paths that every worker, or one with a grant, may read: none is a secret.
#include "host/sandbox/opened_paths.hpp"

#include <sys/stat.h>

#include <boost/filesystem.hpp>
#include <boost/filesystem/fstream.hpp>
#include <set>
#include <sstream>

#include "host/os/path_walk.hpp"
#include "tests/unit/sandbox/sandbox_scene.hpp"

using namespace toolhost;
using namespace toolhost::os;
using namespace toolhost::sandbox;
using namespace toolhost::test;
namespace fs = boost::filesystem;

namespace {

const char* const kSecrets[] = {"/etc/shadow",
                                "/etc/gshadow",
                                "/etc/sudoers",
                                "/etc/passwd",
                                "/etc/ssl/private",
                                "/etc/ssh",
                                "/etc/pki/tls/private",
                                "/etc/machine-id",
                                "/root",
                                "/home",
                                "/proc",
                                "/sys",
                                "/var/lib/docker",
                                "/var/run/secrets",
                                "/run/secrets"};

std::string text_of(const fs::path& file) {
    fs::ifstream stream(file, std::ios::binary);
    std::stringstream text;
    text << stream.rdbuf();
    return text.str();
}

void check_file(const fs::path& file) {
    struct stat info {};
    if (::lstat(file.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return;
    CAPTURE(file.string());
    CHECK((info.st_mode & S_IROTH) != 0);
    CHECK(text_of(file).find("PRIVATE KEY-----") == std::string::npos);
}

}  // namespace

TEST_CASE("no opened path is a secret, contains one or leads to one") {
    for (const auto& opened : kOpenedPaths) {
        CAPTURE(opened.path);
        boost::system::error_code missing;
        auto real = fs::canonical(opened.path, missing).string();
        if (missing) real = opened.path;
        for (const std::string& path : {std::string(opened.path), real})
            for (const char* secret : kSecrets) {
                CAPTURE(secret);
                CHECK_FALSE(is_within(secret, path));
                CHECK_FALSE(is_within(path, secret));
            }
        CHECK(std::string(opened.why) != "");
    }
}

TEST_CASE(
    "opened files of /etc, /run and /var are small, world-readable, and contain no private keys") {
    for (const auto& opened : kOpenedPaths) {
        const std::string path = opened.path;
        if (path.starts_with("/usr") || path.starts_with("/lib") || path.ends_with("bin")) continue;
        CAPTURE(path);
        CHECK(std::count(path.begin(), path.end(), '/') >= 2);
        boost::system::error_code fault;
        if (!fs::is_directory(path, fault)) {
            check_file(path);
            continue;
        }
        for (fs::recursive_directory_iterator entry(path, fault), end; !fault && entry != end;
             entry.increment(fault))
            check_file(entry->path());
    }
}

TEST_CASE("docs/security.md lists the same opened paths") {
    const auto page = text_of(std::string(TOOLHOST_DOCS) + "/security.md");
    const auto begin = page.find("## What a worker may read");
    REQUIRE(begin != std::string::npos);
    std::istringstream section(page.substr(begin, page.find("\n## ", begin + 1) - begin));
    std::set<std::string> listed, known;
    for (std::string line; std::getline(section, line);)
        if (line.starts_with("| `/")) listed.insert(line);
    for (const auto& opened : kOpenedPaths)
        known.insert(std::string("| `") + opened.path + "` | " +
                     (opened.by == OpenedBy::network ? "`network`" : "every worker") + " | " +
                     opened.why + " |");
    CHECK(listed == known);
}

TEST_CASE("with network, and only with it, certificates can be read; keys cannot") {
    if (!whole_sandbox()) return;
    const Scene scene;
    const auto list = [](const char* folder) {
        return outcome(::open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    };
    CHECK(try_closed(scene.with(true, false), scene.needs, [&] {
              return list("/etc/ssl/certs");
          }) == (fs::exists("/etc/ssl/certs") ? 0 : ENOENT));
    for (const auto& opened : kOpenedPaths) {
        if (opened.by != OpenedBy::network || !fs::exists(opened.path)) continue;
        CAPTURE(opened.path);
        CHECK(try_closed(scene.with(false, true, true), scene.needs, [&] {
                  return outcome(::open(opened.path, O_RDONLY | O_CLOEXEC));
              }) == EACCES);
    }
    for (const char* folder : {"/etc/ssl", "/etc/ssl/private", "/etc"}) {
        CAPTURE(folder);
        if (!fs::exists(folder)) continue;
        CHECK(try_closed(scene.with(true, true, true), scene.needs, [&] { return list(folder); }) ==
              EACCES);
    }
}
