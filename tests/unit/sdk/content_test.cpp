// Results -> content blocks and output schemas.
#include <doctest/doctest.h>

#include <map>
#include <optional>
#include <string>
#include <toolhost/plugin.hpp>
#include <vector>

using namespace toolhost;
using nlohmann::json;

namespace {

enum class Colour { red, green };
struct Point {
    int x = 1;
    std::optional<int> y;
};

template <class T>
json blocks(T&& value) {
    return json::parse(detail::reply_of(std::forward<T>(value)).content());
}

}  // namespace

TEST_CASE("results become content blocks") {
    CHECK(blocks(std::string("hi")) == json::parse(R"([{"text": "hi"}])"));
    CHECK(blocks("hi") == json::parse(R"([{"text": "hi"}])"));
    CHECK(blocks(std::string_view("hi")) == json::parse(R"([{"text": "hi"}])"));
    CHECK(blocks(std::filesystem::path("/a")) == json::parse(R"([{"text": "/a"}])"));
    CHECK(blocks(5.0).dump() == R"([{"text":"5"},{"json":{"result":5.0}}])");
    CHECK(blocks(0.1).dump() == R"([{"text":"0.1"},{"json":{"result":0.1}}])");
    CHECK(blocks(true).dump() == R"([{"text":"true"},{"json":{"result":true}}])");
    CHECK(blocks(Colour::green).dump() == R"([{"text":"green"},{"json":{"result":"green"}}])");
    CHECK(blocks(Point{}).dump() == R"([{"json":{"x":1}}])");
    CHECK(blocks(std::map<std::string, int>{{"a", 1}}).dump() == R"([{"json":{"a":1}}])");
    CHECK(blocks(std::vector<int>{1}).dump() == R"([{"json":{"result":[1]}}])");
    CHECK(blocks(std::optional<int>()).dump() == R"([{"json":{"result":null}}])");
    CHECK(blocks(json{1, 2}).dump() == R"([{"json":[1,2]}])");
}

TEST_CASE("a Reply becomes its blocks") {
    Reply reply;
    reply.text("a").json(Point{}).image("png", "\x89PNG").document("notes", "txt", "abc");
    CHECK(json::parse(reply.content()) == json::parse(R"([
        {"text": "a"},
        {"json": {"x": 1}},
        {"image": {"format": "png", "source": {"bytes": "iVBORw=="}}},
        {"document": {"name": "notes", "format": "txt", "source": {"bytes": "YWJj"}}}
    ])"));
    CHECK(blocks(Reply().text("a").image("png", "").document("n", "txt", "").json(1)).size() == 4);
    CHECK(Reply().content() == "[]");
}

TEST_CASE("audio, resources and resource links") {
    const Resource page = Resource::text("doc:///a", "words", "text/plain");
    const Resource picture = Resource::blob("doc:///b", "\x89PNG");
    const ResourceLink link{.uri = "doc:///c", .name = "c"};
    const ResourceLink full{"doc:///d", "d", "D", "all of it", "text/plain", 7};
    Reply reply;
    reply.audio("wav", "abc").resource(page).resource(picture).resource_link(link);
    CHECK(json::parse(reply.content()) == json::parse(R"([
        {"audio": {"format": "wav", "source": {"bytes": "YWJj"}}},
        {"resource": {"uri": "doc:///a", "text": "words", "mimeType": "text/plain"}},
        {"resource": {"uri": "doc:///b", "blob": "iVBORw=="}},
        {"resourceLink": {"uri": "doc:///c", "name": "c"}}
    ])"));
    CHECK(blocks(Reply().audio("wav", "").resource(page).resource_link(full)).at(2) ==
          json::parse(R"({"resourceLink": {"uri": "doc:///d", "name": "d", "title": "D",
              "description": "all of it", "mimeType": "text/plain", "size": 7}})"));
}

TEST_CASE("base64") {
    CHECK(base64("") == "");
    CHECK(base64("f") == "Zg==");
    CHECK(base64("fo") == "Zm8=");
    CHECK(base64("foo") == "Zm9v");
    CHECK(base64("foob") == "Zm9vYg==");
    CHECK(base64(std::string("\xff\xfe\x00", 3)) == "//4A");
}

TEST_CASE("the output schema describes the json block") {
    CHECK_FALSE(detail::output_schema<void>());
    CHECK_FALSE(detail::output_schema<std::string>());
    CHECK_FALSE(detail::output_schema<Reply>());
    CHECK_FALSE(detail::output_schema<json>());
    CHECK(*detail::output_schema<double>() == json::parse(R"({
        "type": "object", "properties": {"result": {"type": "number"}}, "required": ["result"]})"));
    CHECK(*detail::output_schema<std::vector<bool>>() == json::parse(R"({
        "type": "object", "required": ["result"],
        "properties": {"result": {"type": "array", "items": {"type": "boolean"}}}})"));
    CHECK(*detail::output_schema<std::map<std::string, bool>>() ==
          json::parse(R"({"type": "object", "additionalProperties": {"type": "boolean"}})"));
    CHECK(detail::output_schema<Point>()->at("required") == json{"x"});
}
