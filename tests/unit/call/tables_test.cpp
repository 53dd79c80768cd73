// The tables of this room against the pages that describe them.
#include <algorithm>

#include "host/call/content.hpp"
#include "host/call/denial.hpp"
#include "host/call/events.hpp"
#include "tests/unit/doc_page.hpp"
#include "tests/unit/doctest.hpp"

using namespace toolhost;
using namespace toolhost::call;

TEST_CASE("docs/errors.md lists exactly the reasons of denials") {
    std::set<std::string> known;
    for (const auto& row : denial_table()) known.emplace(row.name);
    CHECK(test::difference(test::listed_names("errors.md", "## Denials"), known) == "");
}

TEST_CASE("a denial has the code and the name of its row, and what it was given") {
    for (const auto& row : denial_table()) {
        CAPTURE(row.name);
        CHECK(name_of(row.reason) == row.name);
        const auto error = deny(row.reason, "why", {{"more", 1}});
        CHECK(error.code == row.code);
        CHECK(error.details == Json{{"reason", row.name}, {"more", 1}});
        CHECK(denial_reason(error) == row.name);
    }
    CHECK(denial_reason({ErrorCode::policy_denied, "", {{"reason", "of_the_tool"}}}) ==
          "of_the_tool");
    CHECK(denial_reason({ErrorCode::policy_denied, "", {}}) == "policy_denied");
    CHECK(denial_reason({ErrorCode::timeout, "", {{"reason", "x"}}}) == "");
}

TEST_CASE("docs/events.md lists exactly the events") {
    std::set<std::string> known, listed;
    for (const auto& name : event_names()) known.emplace(name);
    for (const auto& name : test::listed_names("events.md", ""))
        if (name.starts_with("hook.")) listed.insert(name);
    CHECK(test::difference(listed, known) == "");
}

TEST_CASE("docs/abi.md lists exactly the content blocks") {
    std::set<std::string> known;
    for (const auto& kind : content_table()) known.emplace(kind.name);
    const auto section = test::section_of("abi.md", "## How a call ends");
    CHECK(test::difference(test::names_in(section.substr(section.find("| block |"))), known) == "");
}
