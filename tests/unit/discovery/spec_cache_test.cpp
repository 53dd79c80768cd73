#include "host/discovery/spec_cache.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include "host/discovery/cache_entry.hpp"
#include "host/os/descriptor.hpp"
#include "tests/unit/doctest.hpp"
#include "tests/unit/temp_folder.hpp"

using namespace toolhost;
using namespace toolhost::discovery;
using toolhost::test::TempFolder;

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

Finding plugin(const std::string& path) {
    Finding finding;
    finding.candidate = {path, false, {10, 20, 1000 * kSecond, 1000 * kSecond, 30}};
    finding.sha256 = "hash";
    finding.identity = "identity";
    finding.flags = 1;
    finding.tools = *registry::parse_spec(
        R"({"name":"t","description":"d","inputSchema":{"type":"object"}})", "l");
    finding.output = "printed";
    finding.seen_at = 2000;
    return finding;
}

CacheHit find(const TempFolder& folder, const Candidate& candidate, Finding& out) {
    return SpecCache(folder.path()).take(candidate, out);
}

}  // namespace

TEST_CASE("saved entries are found again") {
    TempFolder folder;
    auto good = plugin("/a.so"), bad = plugin("/b.so");
    bad.reason = Reason::load_crashed;
    bad.message = "it died";
    SpecCache(folder.path()).save({good, bad});
    Finding out;
    REQUIRE(find(folder, good.candidate, out) == CacheHit::fresh);
    REQUIRE(out.tools.size() == 1);
    CHECK(out.tools[0].name == "t");
    CHECK(out.tools[0].json() == good.tools[0].json());
    CHECK(out.flags == 1);
    CHECK(out.sha256 == "hash");
    CHECK(out.identity == "identity");
    CHECK(out.output == "printed");
    CHECK(out.from_cache);
    REQUIRE(find(folder, bad.candidate, out) == CacheHit::fresh);
    CHECK(out.reason == Reason::load_crashed);
    CHECK(out.message == "it died");
    CHECK(find(folder, plugin("/c.so").candidate, out) == CacheHit::miss);
}

TEST_CASE("a different or recent stamp is suspect, another size a miss") {
    TempFolder folder;
    auto known = plugin("/a.so"), young = plugin("/young.so");
    young.seen_at = 1001;  // inspected within the clock's resolution of its last change
    SpecCache(folder.path()).save({known, young});
    Finding out;
    for (auto member : {&FileStamp::inode, &FileStamp::companions}) {
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

TEST_CASE("entries of other folders are kept while their files exist") {
    TempFolder folder;
    folder.write("here.so", "x");
    auto here = plugin(folder / "here.so"), gone = plugin(folder / "gone.so");
    SpecCache(folder.path()).save({here, gone});
    SpecCache(folder.path()).save({plugin("/new.so")});
    Finding out;
    CHECK(find(folder, here.candidate, out) == CacheHit::fresh);
    CHECK(find(folder, gone.candidate, out) == CacheHit::miss);
}

TEST_CASE("an unusable cache is ignored with one warning") {
    TempFolder folder;
    Finding out;
    for (const char* content :
         {"", "\n", "not a cache", "toolhost-specs", "toolhost-specs 0 1.0.0 0\n",
          "toolhost-specs 1 0.0.1 0\n", "toolhost-specs 1 1.0.0 0\nrubbish"}) {
        CAPTURE(content);
        folder.write("specs", content);
        SpecCache cache(folder.path());
        CHECK(cache.warnings().size() == 1);
        CHECK(cache.take(plugin("/a.so").candidate, out) == CacheHit::miss);
        cache.save({plugin("/a.so")});
        CHECK(find(folder, plugin("/a.so").candidate, out) == CacheHit::fresh);
    }
    SpecCache none("");
    none.save({plugin("/a.so")});
    CHECK(none.warnings().empty());
    CHECK(none.file().empty());
    CHECK(SpecCache(folder / "missing").warnings().empty());
}

TEST_CASE("every field of a tool is restored, and a truncated entry is invalid") {
    auto finding = plugin("/a.so");
    finding.abi_minor = 3;
    finding.deadline_ms = 5000;
    finding.tools = *registry::parse_spec(
        R"({"family":"f","tools":[{"name":"t","description":"d\n2","inputSchema":{},"category":"c",
            "version":"1.2.3-rc.1+b","deprecated":"use u","requiresConsent":true,"timeoutMs":7,
            "requires":{"command:git":">=2","env:A":"*"},"stateful":true,
            "needs":{"read":true,"exec":true,"optional":["exec"],"tools":["u"]}},
            {"name":"u","description":"","inputSchema":{"type":"object"}}],
            "resources":[{"uri":"a:b","name":"b"}],"needs":{"network":true}})",
        "l");
    Packer packer;
    pack(packer, finding);
    Unpacker whole(packer.packed());
    auto out = unpack(whole);
    CHECK(whole.done());
    CHECK(out.abi_minor == 3);
    CHECK(out.deadline_ms == 5000);
    REQUIRE(out.tools.size() == 3);
    CHECK(out.tools[2].hidden());
    CHECK(out.tools[2].needs.network);
    CHECK(out.tools[2].json() == finding.tools[2].json());
    const auto& tool = out.tools[0];
    CHECK(tool.family == "f");
    CHECK(tool.description == "d\n2");
    CHECK(tool.category == "c");
    CHECK(tool.stateful);
    CHECK(tool.needs.optional == std::vector<std::string>{"exec"});
    CHECK(tool.version.text() == "1.2.3-rc.1+b");
    CHECK(tool.deprecated == "use u");
    CHECK(tool.requires_consent);
    CHECK(tool.timeout_ms == 7);
    CHECK(tool.requirements == finding.tools[0].requirements);
    CHECK((tool.needs.read && tool.needs.exec && !tool.needs.write && !tool.needs.network));
    CHECK(tool.needs.tools == std::vector<std::string>{"u"});
    CHECK(tool.json() == finding.tools[0].json());
    CHECK(!out.tools[1].deprecated);
    CHECK(!out.tools[1].timeout_ms);
    for (std::size_t size = 0; size < packer.packed().size(); ++size) {
        Unpacker cut(std::string_view(packer.packed()).substr(0, size));
        CHECK_THROWS((void)unpack(cut));
    }
}

TEST_CASE("damage is detected") {
    TempFolder folder;
    SpecCache(folder.path()).save({plugin("/a.so")});
    std::string text;
    REQUIRE(os::read_file(folder / "specs", 1u << 20, text));
    auto at = text.find("hash");
    REQUIRE(at != std::string::npos);
    text.replace(at, 4, "HASH");
    folder.write("specs", text);
    SpecCache cache(folder.path());
    REQUIRE(cache.warnings().size() == 1);
    CHECK(cache.warnings()[0].find("damaged") != std::string::npos);
}

TEST_CASE("a folder that cannot be written gives a warning, and no files are left") {
    TempFolder folder;
    folder.write("file", "x");
    SpecCache under_file(folder / "file");
    under_file.save({plugin("/a.so")});
    CHECK_FALSE(under_file.warnings().empty());
    // The rename fails if a folder has the file's name.
    boost::filesystem::create_directories(folder / "cache/specs");
    SpecCache blocked(folder / "cache");
    blocked.save({plugin("/a.so")});
    CHECK(blocked.warnings().size() == 1);
    int entries = 0;
    for (boost::filesystem::directory_iterator it(folder / "cache"), end; it != end; ++it)
        ++entries;
    CHECK(entries == 1);
}
