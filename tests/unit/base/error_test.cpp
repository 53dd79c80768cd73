#include "host/base/error.hpp"

#include "tests/unit/doctest.hpp"

#include <set>

using namespace toolhost;

TEST_CASE("the table has every code once, in order") {
    std::set<std::string_view> names;
    int index = 0;
    for (const auto& row : error_table()) {
        CHECK(static_cast<int>(row.code) == index++);
        CHECK(&info(row.code) == &row);
        CHECK(names.insert(row.name).second);
        CHECK_FALSE(row.meaning.empty());
    }
    CHECK(index == static_cast<int>(ErrorCode::internal) + 1);
}

TEST_CASE("an error as JSON") {
    CHECK(to_json(Error{ErrorCode::timeout, "late", {}}) ==
          Json{{"code", "timeout"}, {"message", "late"}});
    CHECK(to_json(Error{ErrorCode::timeout, "late", {{"a", 1}}})["details"]["a"] == 1);
}

TEST_CASE("taking the value of an error throws and names the error") {
    Result<int> none = Error{ErrorCode::unknown_tool, "no such", {}};
    CHECK_THROWS_WITH(none.value(), "unhandled unknown_tool: no such");
}
