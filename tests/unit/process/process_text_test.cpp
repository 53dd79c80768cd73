#include <doctest/doctest.h>

#include <toolhost/process_text.hpp>

namespace {

using toolhost::BoundedText;
using toolhost::Utf8Pieces;

TEST_CASE("characters are kept whole, and invalid bytes are replaced") {
    Utf8Pieces pieces;
    CHECK(pieces.next("a\xe2\x82") == "a");
    CHECK(pieces.next("\xac") == "\xe2\x82\xac");
    CHECK(pieces.next("\xff!") == "\xef\xbf\xbd!");
    CHECK(pieces.next("\xc0\xaf") == "\xef\xbf\xbd\xef\xbf\xbd");      // overlong
    CHECK(pieces.next("\xed\xa0\x80").find("\xef\xbf\xbd") == 0);      // a surrogate
    CHECK(pieces.next("\xf4\x90\x80\x80").find("\xef\xbf\xbd") == 0);  // above U+10FFFF
    CHECK(pieces.next("\xf0\x9f\x98\x80") == "\xf0\x9f\x98\x80");
    CHECK(pieces.next(std::string_view("\0\x1b[1m\t\r\n\x7f", 9)) ==
          "\xef\xbf\xbd\xef\xbf\xbd[1m\t\r\n\xef\xbf\xbd");
    CHECK(pieces.next("\xf0\x9f").empty());
    CHECK(pieces.finish() == "\xef\xbf\xbd\xef\xbf\xbd");
    CHECK(pieces.finish().empty());
}

TEST_CASE("text within the limit is unchanged") {
    BoundedText text(10);
    text.append("01234");
    text.append("56789");
    CHECK_FALSE(text.is_cut());
    CHECK(text.text() == "0123456789");
}

TEST_CASE("longer text keeps its beginning and end") {
    BoundedText text(10);
    for (int i = 0; i < 100'000; ++i) text.append("abcdefghij");
    CHECK(text.is_cut());
    CHECK(text.bytes() == 1'000'000);
    CHECK(text.text() == "abcde\n[... 999990 bytes omitted ...]\nfghij");
}

TEST_CASE("no character is cut in two") {
    BoundedText text(4);
    text.append("a\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac z");
    CHECK(text.text() == "a\n[... 8 bytes omitted ...]\n z");
}

TEST_CASE("the limit may be zero") {
    BoundedText text(0);
    text.append("abc");
    CHECK(text.text() == "\n[... 3 bytes omitted ...]\n");
}

}  // namespace
