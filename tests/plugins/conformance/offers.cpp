// Resources and prompts.
#include <string>

#include "tools.hpp"

namespace conformance {
namespace {

using nlohmann::json;
using toolhost::MessageContent;
using toolhost::Messages;
using toolhost::Resource;

struct TwoArguments {
    std::string arg1, arg2;
};

std::string with_arguments(const TwoArguments& in) {
    return "Prompt with arguments: arg1='" + in.arg1 + "', arg2='" + in.arg2 + "'";
}

struct Embedding {
    std::string resourceUri;
};

Messages with_resource(const Embedding& in) {
    return Messages()
        .user(
            Resource::text(in.resourceUri, "Embedded resource content for testing.", "text/plain"))
        .user("Please process the embedded resource above.");
}

Messages with_image() {
    return Messages()
        .user(MessageContent::image("image/png", red_pixel_png()))
        .user("Please analyze the image above.");
}

std::string with_question(toolhost::Context& context) {
    const json schema{{"type", "object"},
                      {"properties", {{"context", {{"type", "string"}}}}},
                      {"required", {"context"}}};
    const json answer = context.interrupt(
        "user_context", {{"message", "What context should the prompt use?"}, {"schema", schema}});
    return "Use this context: " + answer.at("context").get<std::string>();
}

std::string of_template(const toolhost::ResourceUri& asked) {
    const std::string id(asked["id"]);
    return json{{"id", id}, {"templateTest", true}, {"data", "Data for ID: " + id}}.dump();
}

}  // namespace

toolhost::ResourceOffer static_text() {
    return toolhost::resource("test://static-text", "static-text")
        .description("A text that never changes.")
        .mime_type("text/plain")
        .read([] { return std::string("This is the content of the static text resource."); });
}

toolhost::ResourceOffer static_binary() {
    return toolhost::resource("test://static-binary", "static-binary")
        .description("A picture that never changes.")
        .mime_type("image/png")
        .read([](const std::string& uri) {
            return Resource::blob(uri, red_pixel_png(), "image/png");
        });
}

toolhost::ResourceOffer watched_resource() {
    return toolhost::resource("test://watched-resource", "watched-resource")
        .description("A text that can be subscribed to.")
        .mime_type("text/plain")
        .read([] { return std::string("watched"); });
}

toolhost::ResourceOffer template_data() {
    return toolhost::resource_template("test://template/{id}/data", "template-data")
        .description("Data by its number.")
        .mime_type("application/json")
        .read(of_template)
        .complete("id", {"123", "124", "200"});
}

toolhost::PromptOffer simple_prompt() {
    return toolhost::prompt("test_simple_prompt", "Has no arguments.").get([] {
        return std::string("This is a simple prompt for testing.");
    });
}

toolhost::PromptOffer prompt_with_arguments() {
    return toolhost::prompt("test_prompt_with_arguments", "Has two arguments.")
        .argument("arg1", "First test argument", true)
        .argument("arg2", "Second test argument", true)
        .get(with_arguments)
        .complete("arg1", {"paris", "park", "party", "test1", "test2"});
}

toolhost::PromptOffer prompt_with_embedded_resource() {
    return toolhost::prompt("test_prompt_with_embedded_resource", "Holds a resource, whole.")
        .argument("resourceUri", "URI of the resource to embed", true)
        .get(with_resource);
}

toolhost::PromptOffer prompt_with_image() {
    return toolhost::prompt("test_prompt_with_image", "Holds a picture.").get(with_image);
}

toolhost::PromptOffer input_required_prompt() {
    return toolhost::prompt("test_input_required_result_prompt", "Asks before it is given.")
        .get(with_question);
}

}  // namespace conformance
