#include "host/base/visible_text.hpp"

#include "host/base/json_text.hpp"
#include "tests/unit/doctest.hpp"

using toolhost::visible_text;

TEST_CASE("plain text is unchanged") {
    for (const char* text : {"", "a b\tc", "é 漢 😀 ‍", "back\\slash \\u001b"})
        CHECK(visible_text(text, false) == text);
}

TEST_CASE("terminal control characters are escaped") {
    struct Case {
        std::string given, shown;
    };
    const Case cases[] = {
        {"\x1b[2J", "\\u001b[2J"},
        {std::string("\0", 1), "\\u0000"},
        {"\x07\b\x7f", "\\u0007\\u0008\\u007f"},
        {"\xc2\x9b"
         "31m",
         "\\u009b31m"},  // CSI as a C1 character
        {"\xc2\x80\xc2\x9f\xc2\xa0", "\\u0080\\u009f\xc2\xa0"},
        {"\u061c\u200e\u200f", "\\u061c\\u200e\\u200f"},
        {"\u202a\u202e", "\\u202a\\u202e"},
        {"\u2066\u2069", "\\u2066\\u2069"},
        {"\u2028\u2029", "\\u2028\\u2029"},
        {"\u2027\u202f\u2065\u206a", "\u2027\u202f\u2065\u206a"},
        {"a\rb", "a\\rb"},
        {"\x9b"
         "31m \xff\xc3",
         "\\x9b31m \\xff\\xc3"},  // not UTF-8
    };
    for (const auto& [given, shown] : cases)
        for (bool keep_newlines : {false, true}) CHECK(visible_text(given, keep_newlines) == shown);
}

TEST_CASE("invisible characters are escaped in text that a person must approve") {
    const std::string text = "a\u200bb\u200d\ufeff\u2060\u00ad \U000E0041";
    CHECK(visible_text(text, false) == text);
    CHECK(visible_text(text, false, true) ==
          "a\\u200bb\\u200d\\ufeff\\u2060\\u00ad \\udb40\\udc41");
    CHECK(visible_text("é 漢 😀", false, true) == "é 漢 😀");
}

TEST_CASE("line ends are kept on request only") {
    CHECK(visible_text("a\nb\r\nc\r", true) == "a\nb\r\nc\\r");
    CHECK(visible_text("a\nb\r\nc\r", false) == "a\\nb\\r\\nc\\r");
}

TEST_CASE("JSON text stays the same JSON") {
    const nlohmann::json value = {{"a\u202e", "\x1b[31m\xc2\x9b \x7f"}, {"b", "\n"}};
    const auto read = toolhost::parse_json(visible_text(toolhost::dump(value, 2), true));
    REQUIRE(read);
    CHECK(*read == value);
}

TEST_CASE("bytes that are not UTF-8 cost linear time") {
    CHECK(visible_text(std::string(1 << 20, '\xff'), true).size() == 4u << 20);
}
