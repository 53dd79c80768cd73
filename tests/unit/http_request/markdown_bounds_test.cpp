#include <doctest/doctest.h>

#include <chrono>

#include "body/markdown.hpp"

using namespace http_tool;

namespace {

std::string many(std::string_view text, std::size_t times) {
    std::string all;
    for (std::size_t i = 0; i < times; ++i) all += text;
    return all;
}

Markdown bounded(std::string_view html) {
    return html_to_markdown(html, "http://h.example/", {10000, [] { return false; }});
}

}  // namespace

TEST_CASE("a page that would grow ends at its limit") {
    const std::string quotes = many("<blockquote>", 32);
    for (const std::string& html :
         {quotes + many("<p>x", 50000), quotes + "<pre>" + many("x\n", 50000),
          many("<ul><li>", 30) + many("<li>x", 50000), many("<a href=x>y</a>", 50000),
          many("word ", 50000)}) {
        const auto page = bounded(html);
        CAPTURE(html.substr(0, 400));
        CHECK(page.cut);
        CHECK(page.text.size() > 5000);
        CHECK(page.text.size() < 12000);
    }
    CHECK_FALSE(bounded("<p>short").cut);
    CHECK(bounded("<p>short").text == "short\n");
}

TEST_CASE("prefixes of lines are limited too") {
    const std::string page = html_to_markdown(many("<blockquote>", 32) + many("<p>x", 1000));
    CHECK(page.size() < 45u * 1000);
}

TEST_CASE("links without a target take no time, and a cancelled call ends") {
    const auto start = std::chrono::steady_clock::now();
    CHECK(html_to_markdown(many("<a href=x>", 500000), "http://h.example/").size() < 2000);
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(4));
    int asked = 0;
    const auto page = html_to_markdown(many("<p>x", 50000), "",
                                       {std::string::npos, [&] { return ++asked == 3; }});
    CHECK(asked == 3);
    CHECK(page.text.size() < 3000);
}
