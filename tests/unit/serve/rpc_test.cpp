#include "host/serve/rpc.hpp"

#include "tests/unit/serve/stage.hpp"

using namespace toolhost;
using namespace toolhost::serve;
using toolhost::test::ServeStage;

TEST_CASE("messages are classified, and invalid ones are refused") {
    using Kind = Message::Kind;
    auto kind = [](const char* text) { return read_message(Json::parse(text))->kind; };
    CHECK(kind(R"({"jsonrpc":"2.0","id":1,"method":"m"})") == Kind::request);
    CHECK(kind(R"({"jsonrpc":"2.0","id":"a","method":"m","params":{}})") == Kind::request);
    CHECK(kind(R"({"jsonrpc":"2.0","method":"m"})") == Kind::notification);
    CHECK(kind(R"({"jsonrpc":"2.0","id":1,"result":{}})") == Kind::response);
    CHECK(kind(R"({"jsonrpc":"2.0","id":1,"error":{"code":1,"message":""}})") == Kind::response);
    for (const char* bad : {
             "1",
             "[]",
             R"({"id":1,"method":"m"})",
             R"({"jsonrpc":"1.0","id":1,"method":"m"})",
             R"({"jsonrpc":"2.0","id":null,"method":"m"})",
             R"({"jsonrpc":"2.0","id":1.5,"method":"m"})",
             R"({"jsonrpc":"2.0","id":[1],"method":"m"})",
             R"({"jsonrpc":"2.0","id":1})",
             R"({"jsonrpc":"2.0","id":1,"method":2})",
             R"({"jsonrpc":"2.0","result":1})",
             R"({"jsonrpc":"2.0","id":1,"result":1,"error":{}})",
         }) {
        CAPTURE(bad);
        auto message = read_message(Json::parse(bad));
        REQUIRE_FALSE(message);
        CHECK(message.error().error.code == rpc_code::kInvalidRequest);
    }
    auto message =
        read_message(Json::parse(R"({"jsonrpc":"2.0","id":7,"method":"m","params":[]})"));
    REQUIRE_FALSE(message);
    CHECK(message.error().id == 7);
    CHECK(message.error().error.code == rpc_code::kInvalidParams);
}

TEST_CASE("text that is not JSON gets a response without an id") {
    ServeStage stage;
    stage.open();
    for (const char* bad : {"{", "", "\xff", "nothing"}) {
        auto received = stage.send_text(bad);
        CHECK(received->error_code() == rpc_code::kParseError);
        CHECK(received->answer().at("id").is_null());
        CHECK(received->status() == 400);
    }
    auto deep = stage.send_text(std::string(100000, '['));
    CHECK(deep->error_code() == rpc_code::kParseError);
}

TEST_CASE("an invalid request is answered with its id if the text contains it") {
    ServeStage stage;
    stage.open();
    const auto call = [](const std::string& params) {
        return R"({"jsonrpc":"2.0","id":"a","method":"tools/call","params":)" + params + "}";
    };
    const auto nested = std::string(300, '[') + std::string(300, ']');
    std::string many = "[1";
    for (int i = 0; i < 1'000'001; ++i) many += ",1";
    struct Row {
        std::string text;
        Json id;
        int code;
    };
    const Row rows[] = {
        {call(R"({"x":"\ud800"})"), "a", rpc_code::kParseError},
        {call(R"({"x":"\udc00\ud800"})"), "a", rpc_code::kParseError},
        {call("{\"x\":\"\xff\"}"), "a", rpc_code::kParseError},
        {call(R"({"x":"\q"})"), "a", rpc_code::kParseError},
        {call(R"({"x":01})"), "a", rpc_code::kParseError},
        {call("{\"x\":" + nested + "}"), "a", rpc_code::kParseError},
        {call("{\"x\":" + many + "]}"), "a", rpc_code::kInvalidRequest},
        // At any position, with any nested values.
        {R"({"method":"m","params":{"id":1,"x":["\ud800",{"id":2}]},"id":-7})", -7,
         rpc_code::kParseError},
        {R"( { "id" : 18446744073709551615 , "x" : "\ud800", "method" : "m"})",
         18446744073709551615u, rpc_code::kParseError},
        {R"({"id":"\"},{\"id\":1","method":"m","x":"\ud800"})", R"("},{"id":1)",
         rpc_code::kParseError},
        {R"({"id":3,"method":"m","params":{)", 3, rpc_code::kParseError},
        // The id is ambiguous.
        {R"({"id":1,"id":2,"method":"m","x":"\ud800"})", nullptr, rpc_code::kParseError},
        {R"({"id":"\ud800","method":"m"})", nullptr, rpc_code::kParseError},
        {R"({"id":1.5,"method":"m","x":"\ud800"})", nullptr, rpc_code::kParseError},
        {R"({"id":[1],"method":"m","x":"\ud800"})", nullptr, rpc_code::kParseError},
        {R"({"id":")" + std::string(300, 'i') + R"(","method":"m","x":"\ud800"})", nullptr,
         rpc_code::kParseError},
        {R"([{"id":1,"method":"m","x":"\ud800"}])", nullptr, rpc_code::kParseError},
        {R"("id":1,"method":"m")", nullptr, rpc_code::kParseError},
        // The answer to a response could be mistaken for another one.
        {R"({"id":1,"result":{"x":"\ud800"}})", nullptr, rpc_code::kParseError},
    };
    for (const auto& row : rows) {
        CAPTURE(row.text.substr(0, 100));
        auto received = stage.send_text(row.text);
        CHECK(received->answer().at("id") == row.id);
        CHECK(received->error_code() == row.code);
    }
}

TEST_CASE("an id that is still in use is refused") {
    ServeStage stage;
    stage.bench.add("waits");
    toolhost::test::ReceivedPtr second;
    stage.bench.runtime.handler = [&](auto&, auto&) {
        --stage.ids;
        second = stage.request("tools/call", {{"name", "waits"}});
        return toolhost::test::replied(R"([{"text":"done"}])");
    };
    stage.open();
    (void)stage.initialize();
    auto first = stage.request("tools/call", {{"name", "waits"}});
    CHECK(first->result()["content"][0]["text"] == "done");
    CHECK(second->error_code() == rpc_code::kInvalidRequest);
}

TEST_CASE("the fast and the complete parser agree") {
    int quick = 0;
    for (
        const char* text :
        {R"({"jsonrpc":"2.0","id":1,"method":"m","params":{"a":[1,{"b":null}]}})",
         R"({"jsonrpc":"2.0","id":1,"method":"m","params":{"name":"n","_meta":{"a":1},"x":[2]}})",
         R"({"jsonrpc":"2.0","id":1,"method":"m","params":{"arguments":{"b":1,"a":null}}})",
         R"({"jsonrpc":"2.0","id":1,"method":"m","params":{"arguments":[],"name":"a","name":"b"}})",
         R"({"jsonrpc":"2.0","id":1,"method":"m","params":{"name":5}})",
         R"({"jsonrpc":"2.0","id":1,"method":"m","params":{"_meta":5}})",
         R"({"jsonrpc":"2.0","id":1,"method":"m","params":{"x":1},"params":{"y":1}})",
         R"({"method":"m","jsonrpc":"2.0"})", R"( {"jsonrpc" : "2.0","id":"x","method":"m"} )",
         R"({"jsonrpc":"2.0","id":1,"id":-2,"method":"n","method":"m"})",
         R"({"jsonrpc":"2.0","id":null,"method":"m"})",
         R"({"jsonrpc":"2.0","id":1.5,"method":"m"})", R"({"jsonrpc":"1.0","id":1,"method":"m"})",
         R"({"jsonrpc":"2.0","id":1,"method":""})",
         R"({"jsonrpc":"2.0","id":1,"method":"m","params":[]})",
         R"({"jsonrpc":"2.0","id":1,"method":"m","params":null})",
         R"({"jsonrpc":"2.0","id":1,"method":"m","more":1})",
         R"({"jsonrpc":"2.0","id":1,"result":{}})", R"([{"jsonrpc":"2.0","id":1,"method":"m"}])"}) {
        CAPTURE(text);
        const auto read = read_message_quickly(text);
        if (!read) continue;
        ++quick;
        const auto thorough = read_message(Json::parse(text));
        REQUIRE(thorough);
        CHECK(read->kind == thorough->kind);
        CHECK(read->id == thorough->id);
        CHECK(read->method == thorough->method);
        CHECK(read->params.name == thorough->params.name);
        CHECK(read->params.arguments == thorough->params.arguments);
        CHECK(read->params.meta == thorough->params.meta);
        CHECK(read->params.others == thorough->params.others);
    }
    CHECK(quick == 7);
}

TEST_CASE("the text of arguments is kept where it is compact") {
    struct Row {
        const char *arguments, *kept;
        bool is_canonical;
    };
    for (const auto& row :
         {Row{R"({"a":1,"b":"\n\""})", R"({"a":1,"b":"\n\""})", true},
          Row{R"({"b":1,"a":[2.5]})", R"({"b":1,"a":[2.5]})", false},
          Row{R"({"a":"\u00e9"})", R"({"a":"\u00e9"})", false}, Row{R"({"a":1,"a":2})", "", false},
          Row{R"({"a": 1})", "", false}, Row{"null", "null", true}}) {
        const std::string arguments = row.arguments;
        CAPTURE(arguments);
        const auto read = read_message_quickly(
            R"({"jsonrpc":"2.0","id":1, "method":"m","params":{"name":"n", "arguments":)" +
            arguments + " }}");
        REQUIRE(read);
        CHECK(read->params.arguments_text == row.kept);
        CHECK(read->params.is_canonical == row.is_canonical);
    }
}
