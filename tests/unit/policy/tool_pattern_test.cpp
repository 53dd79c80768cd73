#include "host/policy/tool_pattern.hpp"

#include "host/registry/reference.hpp"
#include "tests/unit/doctest.hpp"
#include "tests/unit/policy/specs.hpp"

using namespace toolhost;
using namespace toolhost::policy;
using test::spec;

namespace {

bool matches(const std::string& pattern, const registry::ToolSpec& tool) {
    auto parsed = ToolPattern::parse(pattern);
    REQUIRE_MESSAGE(parsed, pattern);
    return parsed->matches(tool);
}

}  // namespace

TEST_CASE("a pattern without wildcards is a reference") {
    const auto tool = spec("file_read", Json::object(), "file_operations");
    for (const auto& form : registry::reference_forms(tool.family, tool.name)) {
        CAPTURE(form);
        CHECK(matches(form, tool));
        CHECK(ToolPattern::parse(form)->exact());
        CHECK(matches(form + "@1.0.0", tool));
        CHECK_FALSE(matches(form + "@^2", tool));
    }
    CHECK(matches("file_operations.file_read", tool));
    for (const char* other : {"file_write", "native:file_rea", "native:other.file_read",
                              "native:file_read.file_read", "strands_tools.other.file_read"}) {
        CAPTURE(other);
        CHECK_FALSE(matches(other, tool));
    }
}

TEST_CASE("wildcards do not match across family and name") {
    const auto tool = spec("file_read", Json::object(), "file_operations");
    for (const char* pattern :
         {"*", "file_*", "native:*", "native:file_*", "file_????", "*_read", "[f]ile_read",
          "native:file_operations.*", "*.file_read", "*.*", "strands_tools.*", "strands_tools.*.*",
          "native:*_operations.*_read", "*@^1", "native:file_*@>=1.0 <2"}) {
        CAPTURE(pattern);
        CHECK(matches(pattern, tool));
        CHECK_FALSE(ToolPattern::parse(pattern)->exact());
    }
    // A family named like a tool must not match.
    const auto stranger = spec("shell", Json::object(), "file_evil");
    CHECK_FALSE(matches("native:file_*", stranger));
    CHECK_FALSE(matches("file_*", stranger));
    CHECK(matches("file_*.*", stranger));
    CHECK_FALSE(matches("*@^2", tool));
}

TEST_CASE("hyphens and underscores are equal") {
    for (const char* name : {"file_write", "file-write"})
        for (const char* pattern : {"file_write", "file-write", "file-*", "file[-]write",
                                    "file[_x]write", "file[!a-z]write"}) {
            CAPTURE(name);
            CAPTURE(pattern);
            CHECK(matches(pattern, spec(name)));
        }
    CHECK(matches("my-family.x", spec("x", Json::object(), "my_family")));
    CHECK_FALSE(matches("file[a-z]write", spec("file_write")));
}

TEST_CASE("a pre-release does not match a range, but is denied by it") {
    const auto early = spec("t", {{"version", "1.3.0-rc.1"}});
    for (const char* pattern : {"t@^1", "t@*", "t@1.3.0"}) {
        CAPTURE(pattern);
        CHECK_FALSE(matches(pattern, early));
        CHECK(ToolPattern::parse(pattern)->denies(early));
    }
    CHECK(matches("t@1.3.0-rc.1", early));
    CHECK_FALSE(ToolPattern::parse("t@^2")->denies(early));
    CHECK_FALSE(ToolPattern::parse("u@^1")->denies(early));
}

TEST_CASE("a pattern that no tool name can match is refused") {
    for (const char* pattern :
         {"", "native:", "native:.a", "a.", "strands_tools.", "a.b.c", "other:a", "a b", "a/b",
          "a[", "a]", "[z-a]", "a@", "a@x", "a@^1@2", "@1", "ä", "a\\*", "native:native:a"}) {
        CAPTURE(pattern);
        CHECK_FALSE(ToolPattern::parse(pattern));
    }
    CHECK_FALSE(ToolPattern::parse(std::string(513, 'a')));
}
