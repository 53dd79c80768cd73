#include "host/base/version.hpp"

#include "tests/unit/doctest.hpp"

using toolhost::Version;
using toolhost::VersionRange;

TEST_CASE("versions are SemVer") {
    for (const char* text : {"0.0.0", "1.2.3", "10.20.30", "1.0.0-rc.1", "1.0.0-a-b.7+build.01"}) {
        CAPTURE(text);
        auto version = Version::parse(text);
        REQUIRE(version);
        CHECK(version->text() == text);
    }
    for (const char* text : {"", "1", "1.2", "1.2.3.4", "01.2.3", "1.2.x", "v1.2.3", "1.2.3-",
                             "1.2.3-01", "1.2.3-a..b", "1.2.3+", "1.2.3-ä", "-1.2.3", "1.2.3 ",
                             "4294967295.0.0", "99999999999.0.0"}) {
        CAPTURE(text);
        CHECK_FALSE(Version::parse(text));
    }
}

TEST_CASE("precedence follows SemVer's own example") {
    const char* ascending[] = {"0.9.9",      "1.0.0-alpha",  "1.0.0-alpha.1", "1.0.0-alpha.beta",
                               "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1",
                               "1.0.0",      "1.0.1",        "1.1.0",         "2.0.0"};
    for (std::size_t i = 0; i + 1 < std::size(ascending); ++i) {
        CAPTURE(ascending[i]);
        CHECK(*Version::parse(ascending[i]) < *Version::parse(ascending[i + 1]));
    }
    CHECK(*Version::parse("1.0.0+a") == *Version::parse("1.0.0+b"));
}

TEST_CASE("ranges") {
    struct Row {
        const char *range, *inside, *outside;
    };
    for (auto [range, inside, outside] : {
             Row{"1.2.0", "1.2.0", "1.2.1"},
             Row{"=1.2.0", "1.2.0", "1.1.9"},
             Row{"1.2", "1.2.9", "1.3.0"},
             Row{"1", "1.99.0", "2.0.0"},
             Row{"^1", "1.99.0", "2.0.0"},
             Row{"^1.2.3", "1.9.0", "1.2.2"},
             Row{"^0.2.3", "0.2.9", "0.3.0"},
             Row{"^0.0.3", "0.0.3", "0.0.4"},
             Row{"^0", "0.9.0", "1.0.0"},
             Row{"^0.0", "0.0.9", "0.1.0"},
             Row{"~1.2.3", "1.2.9", "1.3.0"},
             Row{"~1", "1.9.0", "2.0.0"},
             Row{">=1.0", "1.0.0", "0.9.9"},
             Row{">1.2", "1.3.0", "1.2.9"},
             Row{">1.2.3", "1.2.4", "1.2.3"},
             Row{"<2", "1.99.99", "2.0.0"},
             Row{"<=1.2", "1.2.9", "1.3.0"},
             Row{"<=1.2.3", "1.2.3", "1.2.4"},
             Row{">=1.0  <2", "1.5.0", "2.0.0"},
             Row{"*", "0.0.0", "1.0.0-rc.1"},
             Row{">=1.0.0-rc.1", "1.0.0-rc.2", "1.0.0-beta"},
         }) {
        const auto& shown_range = range;
        CAPTURE(shown_range);
        auto parsed = VersionRange::parse(range);
        REQUIRE(parsed);
        CHECK(parsed->text() == range);
        CHECK(parsed->contains(*Version::parse(inside)));
        CHECK_FALSE(parsed->contains(*Version::parse(outside)));
    }
    for (const char* text :
         {"", " ", "abc", "^", ">=", "1.x", "^*", "1.2.3.4", ">=1 || 2", "=>1"}) {
        CAPTURE(text);
        CHECK_FALSE(VersionRange::parse(text));
    }
}
