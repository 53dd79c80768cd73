#include "body/markdown.hpp"

#include <doctest/doctest.h>

#include <chrono>

#include "body/html_tokens.hpp"

using namespace http_tool;

namespace {

std::string md(std::string_view html) {
    return html_to_markdown(html);
}

std::string repeated(std::string_view text, std::size_t times) {
    std::string all;
    for (std::size_t i = 0; i < times; ++i) all += text;
    return all;
}

}  // namespace

TEST_CASE("blocks and text") {
    CHECK(md("<h1>One</h1><p>Two  \n three</p><p>four</p>") == "# One\n\nTwo three\n\nfour\n");
    CHECK(md("a<br>b") == "a\nb\n");
    CHECK(md("<div><div>a</div></div><hr>b") == "a\n\n---\n\nb\n");
    CHECK(md("<h2> A <b>b</b></h2>c") == "## A **b**\n\nc\n");
    CHECK(md("plain") == "plain\n");
    CHECK(md("").empty());
    CHECK(md("<h3></h3>x") == "x\n");
}

TEST_CASE("emphasis, links and images") {
    CHECK(md("a <b>b</b>, <i> c </i>d <code>e</code>") == "a **b**, *c* d `e`\n");
    CHECK(md("<a href='http://x/?a=1&amp;b=2'>t <b>u</b></a>") == "[t **u**](http://x/?a=1&b=2)\n");
    CHECK(md("<a href='#top'>up</a> <a href='javascript:x()'>js</a>") == "up js\n");
    CHECK(md("<a href=/x><h3>Head</h3><p>more</p></a>") == "[Head more](/x)\n");
    CHECK(md("<a href=x></a><b></b>t") == "t\n");
    CHECK(md("<img src=i.png alt='A pic'>") == "![A pic](i.png)\n");
    CHECK(md("<img src='data:image/png;base64,AAAA' alt=p>") == "![p]\n");
    CHECK(html_to_markdown("<a href='../y'>l</a>", "http://h.example/a/b/c") ==
          "[l](http://h.example/a/y)\n");
}

TEST_CASE("lists, nested") {
    CHECK(md("<p>x</p><ul><li>a</li><li>b<ul><li>c</li><li>d</li></ul></li><li>e</li></ul>y") ==
          "x\n\n- a\n- b\n  - c\n  - d\n- e\n\ny\n");
    CHECK(md("<ol start=3><li>a<li>b</ol>") == "3. a\n4. b\n");
    CHECK(md("<ul><li><p>a</p></li><li><p>b</p></li></ul>") == "- a\n\n- b\n");
    CHECK(md("<ol><li>a<pre>x\ny</pre></li></ol>") == "1. a\n\n   ```\n   x\n   y\n   ```\n");
}

TEST_CASE("quotes, code and tables") {
    CHECK(md("<blockquote><p>a</p><p>b</p></blockquote>c") == "> a\n>\n> b\n\nc\n");
    CHECK(md("<pre><code class='hl language-cpp'>int  x;\n  y&lt;z;</code></pre>") ==
          "```cpp\nint  x;\n  y<z;\n```\n");
    CHECK(md("<pre>a ``` b</pre>") == "````\na ``` b\n````\n");
    CHECK(md("<table><thead><tr><th>A<th>B</thead><tr><td>1</td><td>x|y</td></tr></table>z") ==
          "| A | B |\n| --- | --- |\n| 1 | x\\|y |\n\nz\n");
    CHECK(md("<table><tr><td>a<table><tr><td>b</td></tr></table></td></tr></table>") ==
          "| a b |\n| --- |\n");
    CHECK(md("<table><tr><td><ul><li>a</li><li>b</li></ul></td></tr></table>") ==
          "| a b |\n| --- |\n");
}

TEST_CASE("elements without text") {
    CHECK(md("a<script>if (x < 1) '</b>'</script>b<style>p{}</style>c<!-- <p>d -->e") == "abce\n");
    CHECK(md("<title>t</title><noscript>n</noscript><svg><text>s</text></svg>x") == "x\n");
    CHECK(md("<!DOCTYPE html><?xml x?>x") == "x\n");
    CHECK(md("<template>a<template>b</template>c</template>d") == "d\n");
}

TEST_CASE("entities") {
    CHECK(without_entities("&lt;&amp;&gt;&eacute;&#233;&#xE9;&hellip;") ==
          "<&>\u00e9\u00e9\u00e9\u2026");
    CHECK(without_entities("a & b &unknown; &amp") == "a & b &unknown; &amp");
    CHECK(without_entities("&#xD800;&#x110000;&#99999999999;&#;&#x;") ==
          "\uFFFD\uFFFD&#99999999999;&#;&#x;");
    CHECK(without_entities("a&nbsp;b") == "a b");
}

TEST_CASE("malformed HTML") {
    CHECK(md("a < b <3 <") == "a < b <3 <\n");
    CHECK(md("<b>bold<p>next</p>") == "**bold**\n\nnext\n");
    CHECK(md("</ul></li></b></table></td>x") == "x\n");
    CHECK(md("<a href=\"unclosed").empty());
    CHECK(md("<p a='1' b=\"2\" c=3 d e = f>x") == "x\n");
    CHECK(md("<script>never closed").empty());
    CHECK(md("<!-- never closed").empty());
    CHECK(md("<h1>a<h2>b<ul><li>c") == "# a\n\n## b\n\n- c\n");
    CHECK(md("<table><tr><td>a") == "| a |\n| --- |\n");
    CHECK(md("<td>a</td><li>b</li>") == "a\n- b\n");
    CHECK(md("<pre>a<b>b</b>") == "```\nab\n```\n");
}

TEST_CASE("large and hostile input takes linear time") {
    const auto start = std::chrono::steady_clock::now();
    for (const char* one : {"<ul><li>",
                            "<blockquote>",
                            "<b>",
                            "<a href=x>",
                            "<table><tr><td>",
                            "<script>",
                            "<!--",
                            "&amp",
                            "&",
                            "<",
                            "</script",
                            "<pre>",
                            "<h1>",
                            "<p a=",
                            "<svg>",
                            "x<br>",
                            "</b>",
                            "<ul><li>x</ul>",
                            "<td>",
                            "<dd>"}) {
        const std::string html = repeated(one, 50000);
        CHECK(md(html).size() < 60 * html.size());
    }
    CHECK(md("<script>" + repeated("</", 500000)).empty());
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(30));
}
