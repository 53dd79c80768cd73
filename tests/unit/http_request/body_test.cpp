#include <doctest/doctest.h>

#include "body/charset.hpp"
#include "body/json_numbers.hpp"
#include "body/kind.hpp"
#include "net/jwt.hpp"

using namespace http_tool;

TEST_CASE("charset names") {
    CHECK(charset_of("text/html; charset=UTF-8") == "utf-8");
    CHECK(charset_of("text/html; Charset=\"ISO-8859-1\"; x=y") == "iso-8859-1");
    CHECK(charset_of("text/html").empty());
    CHECK(charset_of("text/html; charset=").empty());
    CHECK(charset_of("text/html; charset=utf-8//IGNORE") == "utf-8");
    CHECK(charset_in_html("<html><head><meta charset=\"windows-1252\">") == "windows-1252");
    CHECK(charset_in_html("<meta http-equiv=x content=\"text/html; charset=koi8-r\">") == "koi8-r");
    CHECK(charset_in_html("<meta charset=utf-16>") == "utf-8");
    CHECK(charset_in_html("<p>charset=x").empty());
}

TEST_CASE("text in any encoding") {
    CHECK(decode("caf\xC3\xA9", "").text == "caf\u00e9");
    CHECK(decode("caf\xE9", "").text == "caf\u00e9");
    CHECK(decode("caf\xE9", "").charset == "windows-1252");
    CHECK(decode("\x80", "iso-8859-1").text == "\u20ac");
    CHECK(decode("\xEF\xBB\xBFx", "iso-8859-1").text == "x");
    CHECK(decode(std::string_view("\xFF\xFEh\0i\0", 6), "").text == "hi");
    CHECK(decode(std::string_view("\xFE\xFF\0h\0i", 6), "utf-8").text == "hi");
    CHECK(decode(std::string_view("h\0i\0", 4), "utf-16").text == "hi");
    CHECK(decode("\x93\xFA\x96\x7B", "shift_jis").text == "\u65e5\u672c");
    CHECK(decode("a\xFFz", "utf-8").text == "a\uFFFDz");
    CHECK(decode("a\xC3", "utf-8").text == "a\uFFFD");
    const auto unknown = decode("plain", "x-no-such");
    CHECK_FALSE(unknown.known);
    CHECK(unknown.text == "plain");
}

TEST_CASE("text in pieces, always whole characters") {
    const std::string whole = "a\u00e9\u65e5\U0001F600z";
    Decoder decoder("utf-8");
    std::string text;
    for (const char c : whole) {
        const std::string part = decoder.feed({&c, 1});
        CHECK(is_utf8(part));
        text += part;
    }
    CHECK(text + decoder.finish() == whole);
    Decoder wide("utf-16le");
    CHECK(wide.feed({"h", 1}).empty());
    CHECK(wide.feed({"\0", 1}) == "h");
    CHECK(wide.feed({"x", 1}).empty());
    CHECK(wide.finish() == "\uFFFD");
}

TEST_CASE("UTF-8 is validated") {
    CHECK(is_utf8("\U0010FFFF"));
    for (const char* bad : {"\xC0\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xFF", "\x80", "\xE9"})
        CHECK_FALSE(is_utf8(bad));
    CHECK(is_utf8("a\xE6\x97", true));
    CHECK_FALSE(is_utf8("a\xE6x", true));
}

TEST_CASE("kinds of bodies") {
    using As = Kind::As;
    auto as = [](const char* type, std::string_view body) { return kind_of(type, body).as; };
    CHECK(as("application/json", "{}") == As::json);
    CHECK(as("application/problem+json; x=y", "{}") == As::json);
    CHECK(as("TEXT/HTML", "x") == As::html);
    CHECK(as("text/csv", "x") == As::text);
    CHECK(as("image/svg+xml", "x") == As::text);
    CHECK(as("image/png", "x") == As::image);
    CHECK(as("application/pdf", "x") == As::document);
    CHECK(as("video/mp4", "x") == As::document);
    CHECK(as("application/json", "") == As::none);
    CHECK(kind_of("", "\x89PNG\r\n\x1A\n...").format == "png");
    CHECK(kind_of("application/octet-stream", "RIFF....WEBPVP8 ").format == "webp");
    CHECK(kind_of("", "%PDF-1.7").format == "pdf");
    CHECK(as("", "  <!DOCTYPE html><p>") == As::html);
    CHECK(as("", "just text\n") == As::text);
    CHECK(as("", std::string_view("a\0b", 3)) == As::document);
    CHECK(document_name("/files/My report.v2.pdf") == "My-report-v2");
    CHECK(document_name("/") == "body");
}

TEST_CASE("a token from a secret") {
    // Verified with another implementation of RFC 7519.
    const auto token = make_jwt("secret", "HS256", 1700000000);
    REQUIRE(token);
    CHECK(*token ==
          "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJleHAiOjE3MDAwMDAwMDB9."
          "mKPdyfWO55aiqr8d3LGZBrCgJzNdTvTpL3JbXGIvPCw");
    CHECK(make_jwt("secret", "HS512", 1)->size() > token->size());
    CHECK_FALSE(make_jwt("secret", "none", 1));
}

TEST_CASE("integers that do not fit 64 bits") {
    for (const char* json : {"123456789012345678901234", "[1, 18446744073709551616]",
                             R"({"a\\":-9223372036854775809})"})
        CHECK_MESSAGE(has_long_integer(json), std::string(json));
    for (const char* json :
         {"18446744073709551615", "-9223372036854775808", "1234567890123456789012.5",
          "12345678901234567890123e2", R"("123456789012345678901234")",
          "0.123456789012345678901234", R"(["a\"123456789012345678901234"])", "", "\""})
        CHECK_MESSAGE(!has_long_integer(json), std::string(json));
}
