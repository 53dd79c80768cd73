#include "host/discovery/spec_cache.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include "host/runtime/descriptor.hpp"
#include "tests/unit/doctest.hpp"
#include "tests/unit/temp_folder.hpp"

using namespace toolhost;
using namespace toolhost::discovery;
using toolhost::test::TempFolder;

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

Finding plugin(const std::string& path) {
    Finding finding;
    finding.candidate = {path, false, {10, 20, 1000 * kSecond, 1000 * kSecond}};
    finding.sha256 = "hash";
    finding.flags = 1;
    finding.spec = {{"name", "t"}};
    finding.output = "printed";
    finding.seen_at = 2000;
    return finding;
}

CacheHit find(const TempFolder& folder, const Candidate& candidate, Finding& out) {
    return SpecCache(folder.path()).take(candidate, out);
}

}  // namespace

TEST_CASE("what was saved is found again") {
    TempFolder folder;
    auto good = plugin("/a.so"), bad = plugin("/b.so");
    bad.reason = "load_crashed";
    bad.message = "it died";
    SpecCache(folder.path()).save({good, bad});
    Finding out;
    REQUIRE(find(folder, good.candidate, out) == CacheHit::fresh);
    CHECK(out.spec == good.spec);
    CHECK(out.flags == 1);
    CHECK(out.output == "printed");
    CHECK(out.from_cache);
    REQUIRE(find(folder, bad.candidate, out) == CacheHit::fresh);
    CHECK(out.reason == "load_crashed");
    CHECK(out.message == "it died");
    CHECK(find(folder, plugin("/c.so").candidate, out) == CacheHit::miss);
}

TEST_CASE("a stamp that differs or proves nothing is suspect, another size a miss") {
    TempFolder folder;
    auto known = plugin("/a.so"), young = plugin("/young.so");
    young.seen_at = 1001;  // looked at within the grain of its last change
    SpecCache(folder.path()).save({known, young});
    Finding out;
    for (auto member : {&FileStamp::inode}) {
        auto changed = known.candidate;
        ++(changed.stamp.*member);
        CHECK(find(folder, changed, out) == CacheHit::suspect);
    }
    auto touched = known.candidate;
    touched.stamp.mtime_ns += 1;
    CHECK(find(folder, touched, out) == CacheHit::suspect);
    CHECK(out.candidate.stamp == touched.stamp);
    CHECK(find(folder, young.candidate, out) == CacheHit::suspect);
    auto resized = known.candidate;
    ++resized.stamp.size;
    CHECK(find(folder, resized, out) == CacheHit::miss);
}

TEST_CASE("entries of other folders stay while their files do") {
    TempFolder folder;
    folder.write("here.so", "x");
    auto here = plugin(folder / "here.so"), gone = plugin(folder / "gone.so");
    SpecCache(folder.path()).save({here, gone});
    SpecCache(folder.path()).save({plugin("/new.so")});
    Finding out;
    CHECK(find(folder, here.candidate, out) == CacheHit::fresh);
    CHECK(find(folder, gone.candidate, out) == CacheHit::miss);
}

TEST_CASE("a cache that cannot be used is done without, in one line") {
    TempFolder folder;
    Finding out;
    for (const char* content :
         {"", "not json", "[]", "{}", R"({"format":1,"toolhost":"1.0.0","entries":[{"path":5}]})",
          R"({"format":0,"toolhost":"1.0.0","entries":[]})",
          R"({"format":1,"toolhost":"0.0.1","entries":[]})"}) {
        CAPTURE(content);
        folder.write("specs.json", content);
        SpecCache cache(folder.path());
        CHECK(cache.complaints().size() == 1);
        CHECK(cache.take(plugin("/a.so").candidate, out) == CacheHit::miss);
        cache.save({plugin("/a.so")});
        CHECK(find(folder, plugin("/a.so").candidate, out) == CacheHit::fresh);
    }
    SpecCache none("");
    none.save({plugin("/a.so")});
    CHECK(none.complaints().empty());
    CHECK(none.file().empty());
    CHECK(SpecCache(folder / "missing").complaints().empty());
}

TEST_CASE("damage that is still JSON is damage") {
    TempFolder folder;
    SpecCache(folder.path()).save({plugin("/a.so")});
    std::string text;
    REQUIRE(runtime::read_file(folder / "specs.json", 1u << 20, text));
    auto at = text.find("hash\"");
    REQUIRE(at != std::string::npos);
    text.replace(at, 4, "HASH");
    folder.write("specs.json", text);
    SpecCache cache(folder.path());
    REQUIRE(cache.complaints().size() == 1);
    CHECK(cache.complaints()[0].find("damaged") != std::string::npos);
}

TEST_CASE("a folder that cannot be written costs a complaint, and leaves nothing behind") {
    TempFolder folder;
    folder.write("file", "x");
    SpecCache under_file(folder / "file");
    under_file.save({plugin("/a.so")});
    CHECK_FALSE(under_file.complaints().empty());
    // The rename fails where a folder has the file's name.
    boost::filesystem::create_directories(folder / "cache/specs.json");
    SpecCache blocked(folder / "cache");
    blocked.save({plugin("/a.so")});
    CHECK(blocked.complaints().size() == 1);
    int entries = 0;
    for (boost::filesystem::directory_iterator it(folder / "cache"), end; it != end; ++it)
        ++entries;
    CHECK(entries == 1);
}
