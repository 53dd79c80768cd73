#include "json/document.hpp"

#include <doctest/doctest.h>

#include "json/place.hpp"

using namespace data_tools::json;

namespace {

Document good(std::string_view text) {
    auto outcome = parse_document(text);
    if (const auto* error = std::get_if<SyntaxError>(&outcome)) FAIL(error->message());
    return std::get<Document>(std::move(outcome));
}

SyntaxError bad(std::string_view text) {
    auto outcome = parse_document(text);
    REQUIRE_MESSAGE(std::holds_alternative<SyntaxError>(outcome), std::string(text.substr(0, 60)));
    return std::get<SyntaxError>(std::move(outcome));
}

bool hints(std::string_view text, const std::string& words) {
    const SyntaxError error = bad(text);
    if (error.what.find(words) == std::string::npos) MESSAGE(error.message());
    return error.what.find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("all kinds of values") {
    CHECK(good("null").value.is_null());
    CHECK(good(" [1, -2, 3.5, \"x\", true, {\"a\": {}}] ").value.dump() ==
          R"([1,-2,3.5,"x",true,{"a":{}}])");
    CHECK(good("\"\\u00e9\\ud83d\\ude00\"").value == "\u00e9\U0001F600");
    CHECK(good("18446744073709551615").value == 18446744073709551615ULL);
    CHECK(good("\xEF\xBB\xBF[]").value.empty());  // a byte order mark
}

TEST_CASE("errors show the position") {
    const SyntaxError comma = bad("{\"a\": [1,2,],\n}");
    CHECK(comma.line == 1);
    CHECK(comma.column == 12);
    CHECK(comma.byte == 11);
    CHECK(comma.excerpt == "{\"a\": [1,2,],\n           ^");
    const SyntaxError word = bad("{\n  \"\u00e9\": tru\n}");
    CHECK(word.line == 2);
    CHECK(word.column == 11);
    CHECK(word.byte == 13);
    CHECK(bad("[1 2]").column == 4);
    CHECK(bad("[1 \"ab\"]").column == 4);
    CHECK(bad("[1 true]").column == 4);
    CHECK(bad("[1 234567]").column == 4);
    CHECK(bad("{\"a\" 1}").column == 6);
    CHECK(bad("{1: 2}").column == 2);
    CHECK(bad("[]]").column == 3);
    CHECK(bad("").column == 1);
    CHECK(bad("[1,").byte == 3);
    CHECK(bad("[1,\n\n").line == 3);
    CHECK(bad("\"ab\ncd\"").line == 1);
    CHECK(bad("[\"\\x\"]").column == 4);
    CHECK(comma.message().find("not valid JSON at line 1, column 12 (byte 11): ") == 0);
}

TEST_CASE("common mistakes get a hint") {
    CHECK(hints("", "empty"));
    CHECK(hints(" \n ", "empty"));
    CHECK(hints("[1,2", "ends too early"));
    CHECK(hints("[1,]", "remove the comma"));
    CHECK(hints("{\"a\":1,}", "remove the comma"));
    CHECK(hints("{'a':1}", "double quotes"));
    CHECK(hints("[1] // x", "no comments"));
    CHECK(hints("[/* x */]", "no comments"));
    CHECK(hints("[True]", "write true"));
    CHECK(hints("[None]", "write null"));
    CHECK(hints("[NaN]", "no NaN"));
    CHECK(hints("```json\n{}\n```", "code fence"));
    CHECK(hints("[+1]", "plus sign"));
    CHECK(hints("[.5]", "start with a digit"));
    CHECK(hints("[1e999]", "number overflow"));
    CHECK(hints("[\"\xff\"]", "UTF-8"));
}

TEST_CASE("excerpts are windows with the caret under the position") {
    const std::string line = std::string(200, 'a') + "!" + std::string(200, 'b');
    const std::string shown = excerpt_at(line, 200);
    CHECK(shown.size() < 150);
    const std::size_t caret = shown.size() - shown.rfind('\n') - 2;
    CHECK(shown[caret] == '!');
    CHECK(excerpt_at("\ta\tb", 3) == " a b\n   ^");
    CHECK(excerpt_at("\u00e9\u00e9x", 4) == "\u00e9\u00e9x\n  ^");
    CHECK(excerpt_at("", 0) == "\n^");
}

TEST_CASE("depth and size are limited") {
    const auto nested = [](std::size_t n) { return std::string(n, '[') + std::string(n, ']'); };
    CHECK(good(nested(200)).value.is_array());
    CHECK(bad(nested(201)).what.find("nested more than 200") == 0);
    CHECK(bad(nested(201)).byte == 200);
    CHECK(bad(std::string(1000000, '[')).byte == 200);
    CHECK(good("\"" + std::string(1000, '[') + "\"").value.is_string());
    CHECK(good("[\"\\\"[[\"]").value.is_array());
    CHECK(bad(std::string(max_text_bytes + 1, ' ')).what.find("longer than") == 0);
}

TEST_CASE("findings that are not errors become notes") {
    const auto notes =
        good(R"({"a":{"b":1,"b":2},"l":[{"k":1,"k":2,"x/y":1,"x/y":2}],"a":3})").notes;
    REQUIRE(notes.size() == 4);
    CHECK(notes[0].find("duplicate key at /a/b:") == 0);
    CHECK(notes[1].find("duplicate key at /l/0/k:") == 0);
    CHECK(notes[2].find("duplicate key at /l/0/x~1y:") == 0);
    CHECK(notes[3].find("duplicate key at /a:") == 0);
    CHECK(good("[1, 123456789012345678901234567890]").notes.at(0) ==
          "the integer 123456789012345678901234567890 at /1 does not fit into 64 bits and was "
          "rounded");
    CHECK(good("123456789012345678901234567890").notes.at(0).find("at the top") !=
          std::string::npos);
    CHECK(good("[1.5, 1e3]").notes.empty());
    std::string many = "{\"a\":0";
    for (int k = 0; k < 100; ++k) many += ",\"a\":0";
    CHECK(good(many + "}").notes.size() == max_notes + 1);
}
