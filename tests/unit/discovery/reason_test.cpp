#include "host/discovery/reason.hpp"

#include <set>

#include "tests/unit/doc_page.hpp"
#include "tests/unit/doctest.hpp"

using namespace toolhost;
using namespace toolhost::discovery;

TEST_CASE("every reason has its row, found by its code") {
    for (std::size_t i = 0; i < reason_table().size(); ++i) {
        const auto& row = reason_table()[i];
        CAPTURE(row.code);
        CHECK(row.reason == static_cast<Reason>(i));
        CHECK(&info(row.reason) == &row);
        CHECK(find_reason(row.code) == row.reason);
    }
}

TEST_CASE("docs/cli.md lists exactly the reasons, with their advice") {
    std::istringstream lines(test::section_of("cli.md", "## Why a candidate is refused"));
    std::set<std::string> listed, known;
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with("| `")) listed.insert(line);
    for (const auto& row : reason_table())
        known.insert("| `" + std::string(row.code) + "` | " + std::string(row.advice) + " |");
    CHECK(test::difference(listed, known) == "");
}
