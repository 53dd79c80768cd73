#include <string>

#include "tools.hpp"

namespace conformance {
namespace {

using nlohmann::json;
using toolhost::Context;

json form(json properties, json required = json::array()) {
    json schema{{"type", "object"}, {"properties", std::move(properties)}};
    if (!required.empty()) schema["required"] = std::move(required);
    return schema;
}

// A form with one required field.
json field(const char* name, const char* type) {
    return form({{name, {{"type", type}}}}, {name});
}

json question(const std::string& message, json schema) {
    return {{"message", message}, {"schema", std::move(schema)}};
}

// The action of the client's user: "action=accept, content={...}".
std::string outcome(Context& context, const char* name, const json& asked) {
    try {
        return "action=accept, content=" + context.interrupt(name, asked).dump();
    } catch (const toolhost::Declined& declined) {
        return declined.dismissed ? "action=cancel" : "action=decline";
    }
}

struct Message {
    toolhost::Field<std::string, "what to show the user"> message;
};

std::string ask_user(Context& context, const Message& in) {
    const json schema =
        form({{"username", {{"type", "string"}, {"description", "User's response"}}},
              {"email", {{"type", "string"}, {"description", "User's email address"}}}},
             {"username", "email"});
    return "User response: " + outcome(context, "user", question(in.message, schema));
}

std::string ask_with_defaults(Context& context) {
    const json schema = form({
        {"name", {{"type", "string"}, {"default", "John Doe"}}},
        {"age", {{"type", "integer"}, {"default", 30}}},
        {"score", {{"type", "number"}, {"default", 95.5}}},
        {"status",
         {{"type", "string"}, {"enum", {"active", "inactive", "pending"}}, {"default", "active"}}},
        {"verified", {{"type", "boolean"}, {"default", true}}},
    });
    return "Elicitation completed: " +
           outcome(context, "defaults", question("Please check these", schema));
}

json titled(const char* word) {
    const auto option = [&](const char* value, const char* rank) {
        return json{{"const", value}, {"title", std::string(rank) + ' ' + word}};
    };
    return {option("value1", "First"), option("value2", "Second"), option("value3", "Third")};
}

std::string ask_with_enums(Context& context) {
    const json options{"option1", "option2", "option3"};
    const json schema = form({
        {"untitledSingle", {{"type", "string"}, {"enum", options}}},
        {"titledSingle", {{"type", "string"}, {"oneOf", titled("Option")}}},
        {"legacyEnum",
         {{"type", "string"},
          {"enum", {"opt1", "opt2", "opt3"}},
          {"enumNames", {"Option One", "Option Two", "Option Three"}}}},
        {"untitledMulti", {{"type", "array"}, {"items", {{"type", "string"}, {"enum", options}}}}},
        {"titledMulti", {{"type", "array"}, {"items", {{"anyOf", titled("Choice")}}}}},
    });
    return "Elicitation completed: " + outcome(context, "enums", question("Please choose", schema));
}

std::string ask_name(Context& context) {
    const json answer =
        context.interrupt("user_name", question("What is your name?", field("name", "string")));
    return "Hello, " + answer.at("name").get<std::string>() + '!';
}

// The host stores and checks the answers: a tool that is called again has its answers, or is not
// called.
std::string ask_ok(Context& context) {
    const json answer =
        context.interrupt("confirm", question("Please confirm", field("ok", "boolean")));
    return "state-ok: " + answer.dump();
}

std::string ask_in_rounds(Context& context) {
    const json name =
        context.interrupt("step1", question("Step 1: What is your name?", field("name", "string")));
    const json color = context.interrupt(
        "step2", question("Step 2: What is your favorite color?", field("color", "string")));
    return name.at("name").get<std::string>() + " likes " + color.at("color").get<std::string>();
}

}  // namespace

toolhost::Tool elicitation() {
    return toolhost::tool<ask_user>("test_elicitation", "Asks the user for a name and an address.");
}

toolhost::Tool elicitation_defaults() {
    return toolhost::tool<ask_with_defaults>("test_elicitation_sep1034_defaults",
                                             "Asks with a default for every type.");
}

toolhost::Tool elicitation_enums() {
    return toolhost::tool<ask_with_enums>("test_elicitation_sep1330_enums",
                                          "Asks with every kind of choice.");
}

toolhost::Tool streaming_elicitation() {
    return toolhost::tool<ask_name>("test_streaming_elicitation", "Asks while its answer streams.");
}

toolhost::Tool input_required_elicitation() {
    return toolhost::tool<ask_name>("test_input_required_result_elicitation", "Asks for a name.");
}

toolhost::Tool input_required_request_state() {
    return toolhost::tool<ask_ok>("test_input_required_result_request_state",
                                  "Asks, and knows its own question again.");
}

toolhost::Tool input_required_tampered_state() {
    return toolhost::tool<ask_ok>("test_input_required_result_tampered_state",
                                  "Asks; must not be reached with a state that was changed.");
}

toolhost::Tool input_required_multi_round() {
    return toolhost::tool<ask_in_rounds>("test_input_required_result_multi_round",
                                         "Asks, and asks once more.");
}

}  // namespace conformance
