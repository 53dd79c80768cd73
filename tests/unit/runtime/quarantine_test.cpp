#include "host/runtime/quarantine.hpp"

#include <sys/stat.h>

#include "tests/unit/doctest.hpp"
#include "tests/unit/temp_folder.hpp"

using namespace toolhost;
using runtime::Quarantine;
namespace fs = boost::filesystem;

namespace {

std::string only_file(const std::string& folder) {
    std::string found;
    for (const auto& entry : fs::directory_iterator(folder)) {
        REQUIRE(found.empty());
        found = entry.path().string();
    }
    return found;
}

}  // namespace

TEST_CASE("an entry is found by path and content, by every process") {
    test::TempFolder folder;
    folder.write("a.so", "");
    const auto store = folder / "cache/quarantine";
    CHECK_FALSE(Quarantine(store).find(folder / "a.so", "11"));
    CHECK(Quarantine(store).all().empty());
    REQUIRE(Quarantine(store).put({folder / "a.so", "11", "", 5, "killed by SIGSEGV\n\xff"}));
    auto found = Quarantine(store).find(folder / "a.so", "11");
    REQUIRE(found);
    CHECK(found->path == fs::canonical(folder / "a.so").string());
    CHECK(found->crashes == 5);
    CHECK(found->reason.starts_with("killed by SIGSEGV\n"));
    CHECK(found->since.size() == 20);
    CHECK(found->since.ends_with("Z"));
    CHECK(Quarantine(store).all().size() == 1);
    struct stat info {};
    REQUIRE(::stat(store.c_str(), &info) == 0);
    CHECK((info.st_mode & 0777) == 0700);
    REQUIRE(::stat(only_file(store).c_str(), &info) == 0);
    CHECK((info.st_mode & 0777) == 0600);
}

TEST_CASE("links and relative paths lead to the same library") {
    test::TempFolder folder;
    folder.write("a.so", "");
    fs::create_symlink(folder / "a.so", folder / "b.so");
    const Quarantine store(folder / "q");
    REQUIRE(store.put({folder.path() + "/./a.so", "11", "2026-01-02T03:04:05Z", 1, "r"}));
    CHECK(store.find(folder / "b.so", "11"));
    CHECK(store.find(folder / "a.so", "11")->since == "2026-01-02T03:04:05Z");
}

TEST_CASE("another content of the file lifts it") {
    test::TempFolder folder;
    const Quarantine store(folder / "q");
    REQUIRE(store.put({"/x/a.so", "11", "", 1, "r"}));
    CHECK_FALSE(store.find("/x/a.so", "22"));
    CHECK_FALSE(store.find("/x/a.so", "11"));
    CHECK(store.all().empty());
}

TEST_CASE("lifting says what was lifted, once") {
    test::TempFolder folder;
    const Quarantine store(folder / "q");
    REQUIRE(store.put({"/x/a.so", "11", "", 3, "r"}));
    REQUIRE(store.put({"/x/b.so", "11", "", 1, "r"}));
    REQUIRE(store.put({"/x/a.so", "11", "", 4, "later"}));
    REQUIRE(store.all().size() == 2);
    auto lifted = store.lift("/x/a.so");
    REQUIRE(lifted);
    CHECK(lifted->crashes == 4);
    CHECK_FALSE(store.lift("/x/a.so"));
    REQUIRE(store.all().size() == 1);
    CHECK(store.all()[0].path == "/x/b.so");
}

TEST_CASE("a damaged entry holds nobody back") {
    test::TempFolder folder;
    const Quarantine store(folder / "q");
    for (const char* text :
         {"", "{", "[]", "{}", R"({"path":"/x/a.so","sha256":"11","since":"","reason":""})",
          R"({"path":"/x/a.so","sha256":5,"since":"","reason":"","crashes":1})",
          R"({"path":"/x/b.so","sha256":"11","since":"","reason":"","crashes":1})",
          R"({"path":"/x/a.so","sha256":"11","since":"","reason":"","crashes":-1})"}) {
        CAPTURE(text);
        REQUIRE(store.put({"/x/a.so", "11", "", 1, "r"}));
        fs::ofstream(only_file(folder / "q")) << text;
        CHECK_FALSE(store.find("/x/a.so", "11"));
        CHECK(store.all().empty());
        CHECK_FALSE(store.lift("/x/a.so"));
        CHECK(only_file(folder / "q") == "");
    }
}

TEST_CASE("without a folder, or with one that cannot be, nothing is stored") {
    CHECK(Quarantine("").put({"/x/a.so", "11", "", 1, "r"}));
    CHECK_FALSE(Quarantine("").find("/x/a.so", "11"));
    CHECK_FALSE(Quarantine("").lift("/x/a.so"));
    CHECK(Quarantine("").all().empty());
    test::TempFolder folder;
    folder.write("file", "");
    CHECK_FALSE(Quarantine(folder / "file/q").put({"/x/a.so", "11", "", 1, "r"}));
    CHECK(Quarantine(folder / "file/q").all().empty());
}

TEST_CASE("a long reason keeps its end") {
    test::TempFolder folder;
    const Quarantine store(folder / "q");
    REQUIRE(store.put({"/x/a.so", "11", "", 1, std::string(1 << 20, 'a') + "the end"}));
    auto found = store.find("/x/a.so", "11");
    REQUIRE(found);
    CHECK(found->reason.size() < 10000);
    CHECK(found->reason.ends_with("the end"));
}
