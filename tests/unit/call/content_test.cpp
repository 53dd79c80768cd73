#include "host/call/content.hpp"

#include "tests/unit/doctest.hpp"

using namespace toolhost;
using namespace toolhost::call;

TEST_CASE("content blocks") {
    for (const char* good :
         {"[]", R"([{"text":"a"}])", R"([{"json":null},{"text":""}])",
          R"([{"image":{"format":"png","source":{"bytes":"AA=="}}}])",
          R"([{"audio":{"format":"wav","source":{"bytes":"AA=="}}}])",
          R"([{"document":{"format":"pdf","name":"n","source":{"bytes":""}}}])",
          R"([{"resource":{"uri":"a:b","text":""}}])",
          R"([{"resource":{"uri":"a:b","mimeType":"image/png","blob":"AA=="}}])",
          R"([{"resourceLink":{"uri":"a:b","name":"n"}}])",
          R"([{"resourceLink":{"uri":"a:b","name":"n","title":"t","description":"d",
              "mimeType":"text/plain","size":5}}])"}) {
        CAPTURE(good);
        CHECK(parse_content(good));
    }
    struct Row {
        const char *text, *mentions;
    };
    for (auto [text, mentions] : {
             Row{"", "not JSON"},
             Row{"{}", "array"},
             Row{"[1]", "block 0 must be an object"},
             Row{R"([{"text":"a"},{}])", "block 1"},
             Row{R"([{"text":"a","json":1}])", "one key"},
             Row{R"([{"text":1}])", "block 0's text must be a string"},
             Row{R"([{"video":{}}])", R"(unknown kind "video"; known kinds: text, json,)"},
             Row{R"([{"audio":{}}])", "block 0's audio must be"},
             Row{R"([{"resource":{"text":"a"}}])", "resource must be an object with uri"},
             Row{R"([{"resource":{"uri":"a:b"}}])", "either text or blob"},
             Row{R"([{"resource":{"uri":"a:b","text":"a","blob":""}}])", "either text or blob"},
             Row{R"([{"resource":{"uri":"a:b","text":"a","mimeType":1}}])", "resource must"},
             Row{R"([{"resource":{"uri":"a:b","blob":1}}])", "either text or blob"},
             Row{R"([{"resourceLink":{"uri":"a:b"}}])", "uri and name"},
             Row{R"([{"resourceLink":{"uri":"a:b","name":"n","size":-1}}])", "resourceLink"},
             Row{R"([{"resourceLink":{"uri":"a:b","name":"n","title":1}}])", "resourceLink"},
             Row{R"([{"image":{"format":"png"}}])", "source.bytes"},
             Row{R"([{"image":1}])", "source.bytes"},
             Row{"[\"\xFF\"]", "UTF-8"},
         }) {
        const auto& shown_text = text;
        CAPTURE(shown_text);
        auto content = parse_content(text);
        REQUIRE_FALSE(content);
        CHECK(content.error().code == ErrorCode::invalid_reply);
        CHECK(content.error().message.find(mentions) != std::string::npos);
    }
}

TEST_CASE("outputSchema applies to the first json block") {
    CHECK(json_block(Json::parse(R"([{"text":"a"}])")) == nullptr);
    CHECK(*json_block(Json::parse(R"([{"text":"a"},{"json":5},{"json":6}])")) == 5);
}

TEST_CASE("each content kind has one row, found by its block") {
    for (const auto& row : content_table()) {
        CAPTURE(row.name);
        CHECK(&content_info(Json{{row.name, nullptr}}) == &row);
        CHECK(&content_table()[static_cast<std::size_t>(row.kind)] == &row);
    }
    for (const Json& unknown :
         {Json{{"video", 1}}, Json::object(), Json("text"), Json{{"text", ""}, {"json", 1}}})
        CHECK_THROWS(static_cast<void>(content_info(unknown)));
    const auto bytes_of = [](const Json& block) {
        const auto* bytes = content_info(block).binary(block.begin().value());
        return bytes ? *bytes : "none";
    };
    const Json file{{"format", "png"}, {"source", {{"bytes", "AA=="}}}};
    for (const char* kind : {"image", "audio", "document"})
        CHECK(bytes_of({{kind, file}}) == "AA==");
    CHECK(bytes_of({{"resource", {{"uri", "a:b"}, {"blob", "AQ=="}}}}) == "AQ==");
    CHECK(bytes_of({{"resource", {{"uri", "a:b"}, {"text", "x"}}}}) == "none");
    CHECK(bytes_of({{"text", "x"}}) == "none");
}
