#include "host/discovery/folders.hpp"

#include <algorithm>
#include <cstdlib>

#include "tests/unit/doctest.hpp"
#include "tests/unit/temp_folder.hpp"

using namespace toolhost::discovery;

namespace {

// Sets environment variables for one test, and restores them.
class Environment {
public:
    explicit Environment(std::initializer_list<std::pair<const char*, const char*>> values) {
        for (const char* name : kAll) {
            const char* before = std::getenv(name);
            saved_.emplace_back(name, before ? std::string(before) : std::string());
            ::unsetenv(name);
        }
        for (auto [name, value] : values) ::setenv(name, value, 1);
    }
    ~Environment() {
        for (const auto& [name, value] : saved_) {
            ::unsetenv(name);
            if (!value.empty()) ::setenv(name, value.c_str(), 1);
        }
    }

private:
    static constexpr const char* kAll[] = {"TOOLHOST_PLUGINS", "TOOLHOST_CACHE", "XDG_DATA_HOME",
                                           "XDG_CACHE_HOME", "HOME"};
    std::vector<std::pair<const char*, std::string>> saved_;
};

}  // namespace

TEST_CASE("named folders come first, in order") {
    using Names = std::vector<std::string>;
    Environment environment({{"TOOLHOST_PLUGINS", "/c::/d"}, {"HOME", "/home/u"}});
    CHECK(find_folders({{"/a", "/b"}, {}}).plugins == Names{"/a", "/b", "/c", "/d"});
    CHECK(find_folders({}).plugins == Names{"/c", "/d"});
    CHECK(find_folders({{}, {"/x", "/y"}}).plugins == Names{"/x", "/y"});
    CHECK(find_folders({{"/a"}, {"/x"}}).plugins == Names{"/a", "/x"});
}

TEST_CASE("an added folder does not replace the default ones") {
    Environment environment({{"HOME", "/home/u"}});
    const auto usual = find_folders({}).plugins;
    auto expected = usual;
    expected.insert(expected.begin(), "/a");
    CHECK(find_folders({{"/a"}, {}}).plugins == expected);
    CHECK(find_folders({{}, {"/a"}}).plugins == std::vector<std::string>{"/a"});
}

TEST_CASE("the default folders") {
    Environment environment({{"HOME", "/home/u"}});
    auto folders = find_folders({});
    REQUIRE_FALSE(folders.plugins.empty());
    CHECK(folders.plugins.back() == "/home/u/.local/share/toolhost/plugins");
    CHECK(folders.cache == "/home/u/.cache/toolhost");
}

TEST_CASE("XDG variables, and TOOLHOST_CACHE") {
    Environment environment(
        {{"HOME", "/home/u"}, {"XDG_DATA_HOME", "/data"}, {"XDG_CACHE_HOME", "relative"}});
    auto folders = find_folders({});
    CHECK(folders.plugins.back() == "/data/toolhost/plugins");
    CHECK(folders.cache == "/home/u/.cache/toolhost");
    Environment with_cache({{"TOOLHOST_CACHE", "/my/cache"}});
    CHECK(find_folders({}).cache == "/my/cache");
}

TEST_CASE("without HOME there is no cache and no user plugin folder") {
    Environment environment({});
    auto folders = find_folders({{"/a"}, {}});
    CHECK(folders.cache.empty());
}

TEST_CASE("the folders of plugins and their private libraries are watched, but not through links") {
    const toolhost::test::TempFolder folder;
    boost::filesystem::create_directories(folder / "plugins/own/lib/more");
    boost::filesystem::create_directories(folder / "elsewhere/lib");
    boost::filesystem::create_directory_symlink(folder / "elsewhere", folder / "plugins/link");
    folder.write("plugins/file.so", "");
    auto watched = folders_to_watch({folder / "plugins", folder / "missing"});
    std::ranges::sort(watched);
    CHECK(watched == std::vector{folder / "missing", folder / "plugins", folder / "plugins/own",
                                 folder / "plugins/own/lib", folder / "plugins/own/lib/more"});
}
