#include "host/cli/value_table.hpp"

#include "host/cli/terminal.hpp"
#include "tests/unit/doctest.hpp"

using namespace toolhost;
using namespace toolhost::cli;

namespace {

std::string shown(const char* json, std::size_t columns = 80) {
    const auto table = value_table(Json::parse(json), columns);
    return table ? table->text : "none";
}

}  // namespace

TEST_CASE("a list of objects is a table") {
    CHECK(shown(R"([{"name": "a", "size": 5}, {"name": "longer", "size": 1234, "x": [1, 2]}])") ==
          "name    size  x\n"
          "a          5\n"
          "longer  1234  [1,2]\n");
    CHECK(shown(R"([{"a": null, "b": true}])") == "a  b\n   true\n");
}

TEST_CASE("an object with such a list has its plain members before it") {
    CHECK(shown(R"({"count": 2, "entries": [{"n": 1}, {"n": 22}]})") ==
          "count: 2\n\nentries:\n n\n 1\n22\n");
    CHECK(shown(R"({"entries": [{"n": "a"}]})") == "entries:\nn\na\n");
}

TEST_CASE("other values are not tables") {
    for (const char* json :
         {"[]", "[1]", "5", "{}", R"({"a": 1})", R"([{"a": 1}, 2])", R"({"a": {"b": 1}})",
          R"({"entries": [{"a": 1}], "deep": {"b": 1}})", R"({"a": [1, 2]})"})
        CHECK(shown(json) == "none");
}

TEST_CASE("the widest columns are cut to the width") {
    const auto table = value_table(
        Json{{{"id", 7}, {"text", std::string(200, 'x')}, {"other", std::string(30, 'y')}}}, 60);
    REQUIRE(table);
    CHECK(table->cut);
    for (std::size_t start = 0; start < table->text.size();) {
        const auto end = table->text.find('\n', start);
        CHECK(columns_of(table->text.substr(start, end - start)) <= 60);
        start = end + 1;
    }
    CHECK(table->text.find("...") != std::string::npos);
    CHECK_FALSE(value_table(Json{{{"a", "b"}}}, 60)->cut);
}

TEST_CASE("with too many columns each row is a block") {
    Json row = Json::object();
    for (int i = 0; i < 20; ++i) row["column" + std::to_string(i)] = "a value";
    const auto table = value_table(Json{row, row}, 60);
    REQUIRE(table);
    CHECK(table->text.starts_with("column0: a value\ncolumn1: a value\n"));
    CHECK(table->text.find("\n\ncolumn0: ") != std::string::npos);
    CHECK_FALSE(table->cut);
}

TEST_CASE("text of a tool in a table cannot control the terminal or break a row") {
    const auto text = shown(R"([{"a\u001b[1m": "x\ny\u009b\u001b[2J", "b\n": "1"}])");
    CHECK(std::count(text.begin(), text.end(), '\n') == 2);
    CHECK(text.find('\x1b') == std::string::npos);
    CHECK(text.find("\xc2\x9b") == std::string::npos);
}
