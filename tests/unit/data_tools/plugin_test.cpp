// The shared library through the ABI alone, as the host uses it.
#include <dlfcn.h>
#include <toolhost/plugin.h>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>
#include <string>

namespace {

using Json = nlohmann::json;

struct Heard {
    std::string reply, code, message;
    bool cancel = false;
};

Heard& heard(tool_call* call) {
    return *reinterpret_cast<Heard*>(call);
}
std::string text(const tool_str* s) {
    return {s->data, s->size};
}

tool_host test_host() {
    tool_host host{};
    host.struct_size = sizeof host;
    host.abi_major = TOOL_ABI_MAJOR;
    host.abi_minor = TOOL_ABI_MINOR;
    host.reply = [](tool_call* call, const tool_str* content) -> tool_status {
        heard(call).reply = text(content);
        return TOOL_OK;
    };
    host.fail = [](tool_call* call, const tool_str* code, const tool_str* why) -> tool_status {
        heard(call).code = text(code);
        heard(call).message = text(why);
        return TOOL_FAILED;
    };
    host.cancelled = [](tool_call* call) -> std::int32_t { return heard(call).cancel ? 1 : 0; };
    return host;
}

class Plugin {
public:
    Plugin() : library_(dlopen(DATA_TOOLS_SO, RTLD_NOW | RTLD_LOCAL)) {
        REQUIRE_MESSAGE(library_ != nullptr, dlerror());
        spec = reinterpret_cast<decltype(&tool_spec)>(dlsym(library_, "tool_spec"));
        invoke = reinterpret_cast<decltype(&tool_invoke)>(dlsym(library_, "tool_invoke"));
        REQUIRE((spec != nullptr));
        REQUIRE((invoke != nullptr));
    }

    tool_status call(const std::string& tool, const Json& input, Heard& result) const {
        const tool_host host = test_host();
        const std::string json = input.dump();
        tool_request request{};
        request.struct_size = sizeof request;
        request.tool = {tool.data(), tool.size()};
        request.input = {json.data(), json.size()};
        request.budget_ms = -1;
        return invoke(&request, &host, reinterpret_cast<tool_call*>(&result));
    }

    decltype(&tool_spec) spec;
    decltype(&tool_invoke) invoke;

private:
    void* library_;  // never closed, as in the host
};

}  // namespace

TEST_CASE("the spec of every tool is complete") {
    const Plugin plugin;
    const tool_spec_info* info = plugin.spec();
    REQUIRE(info != nullptr);
    CHECK(info->flags == TOOL_SERIAL);
    const Json spec = Json::parse(text(&info->json));
    CHECK(spec.at("family") == "data_tools");
    REQUIRE(spec.at("tools").size() == 3);
    for (const Json& tool : spec.at("tools")) {
        const std::string name = tool.at("name").get<std::string>();
        INFO(name);
        CHECK(tool.at("description").get<std::string>().find("Use it") != std::string::npos);
        CHECK(tool.at("description").get<std::string>().find("Not for") != std::string::npos);
        CHECK(tool.at("version") == "1.0.0");
        CHECK(tool.at("annotations").at("readOnlyHint") == true);
        CHECK(tool.at("needs").at("network") == false);
        CHECK(tool.at("needs").at("write") == false);
        CHECK(tool.at("needs").at("exec") == false);
        CHECK(tool.at("outputSchema").at("type") == "object");
        CHECK(tool.at("examples").size() >= 3);
        for (const Json& field : tool.at("inputSchema").at("properties")) {
            CHECK(field.contains("description"));
        }
        // The examples succeed, and their output matches the schema.
        for (const Json& example : tool.at("examples")) {
            Heard result;
            CHECK(plugin.call(name, example.at("input"), result) == TOOL_OK);
            CHECK_MESSAGE(result.message.empty(), result.message);
            const Json block = Json::parse(result.reply).back().at("json");
            for (const Json& key : tool.at("outputSchema").at("required")) {
                CHECK(block.contains(key.get<std::string>()));
            }
        }
    }
}

TEST_CASE("answers and errors through the ABI") {
    const Plugin plugin;
    Heard sum;
    CHECK(plugin.call("calculator", {{"expression", "n/3"}, {"variables", {{"n", 2}}}}, sum) ==
          TOOL_OK);
    const Json content = Json::parse(sum.reply);
    CHECK(content.at(0).at("text") == "Result: 2/3 (about 0.6666666667)");
    CHECK(content.at(1).at("json").at("result") == "2/3");

    Heard exact;  // a whole number of 64 bits stays exact
    CHECK(plugin.call("calculator",
                      {{"expression", "n+1"}, {"variables", {{"n", 9007199254740993}}}},
                      exact) == TOOL_OK);
    CHECK(exact.reply.find("9007199254740994") != std::string::npos);

    Heard zero;
    CHECK(plugin.call("calculator", {{"expression", "1/0"}}, zero) == TOOL_FAILED);
    CHECK(zero.code == "tool_failed");
    Heard word;
    CHECK(plugin.call("calculator", {{"expression", "system(1)"}}, word) == TOOL_BAD_INPUT);
    CHECK(word.code == "invalid_input");
    CHECK(word.message.find("'system'") != std::string::npos);
    Heard zone;
    CHECK(plugin.call("current_time", {{"timezone", "Europe/Berln"}}, zone) == TOOL_BAD_INPUT);
    CHECK(zone.message.find("Europe/Berlin") != std::string::npos);
    Heard broken;
    CHECK(plugin.call("parse_json", {{"text", "[1,]"}}, broken) == TOOL_FAILED);
    CHECK(broken.message.find("line 1, column 4") != std::string::npos);
    Heard query;
    CHECK(plugin.call("parse_json", {{"text", "[1]"}, {"query", "a..b"}}, query) == TOOL_BAD_INPUT);
    CHECK(query.message.find("position 3") != std::string::npos);
    Heard notes;
    CHECK(plugin.call("parse_json", {{"text", R"({"a":1,"a":2})"}, {"query", "a"}}, notes) ==
          TOOL_OK);
    const Json block = Json::parse(notes.reply).at(0).at("json");
    CHECK(block.at("value") == 2);
    CHECK(block.at("type") == "number");
    CHECK(block.at("notes").size() == 1);
}
