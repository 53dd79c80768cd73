// Requests of a tool to the client: its model, its roots.
#include <string>

#include "tools.hpp"

namespace conformance {
namespace {

using nlohmann::json;
using toolhost::Context;

json sampled(const std::string& text, int max_tokens) {
    return {{"messages", {{{"role", "user"}, {"content", {{"type", "text"}, {"text", text}}}}}},
            {"maxTokens", max_tokens}};
}

// The model may answer with one block or several.
std::string text_of(const json& result) {
    const json& content = result.at("content");
    const json& block = content.is_array() ? content.at(0) : content;
    return block.value("text", block.dump());
}

struct Prompt {
    toolhost::Field<std::string, "what to ask the model"> prompt;
};

std::string ask_model(Context& context, const Prompt& in) {
    return "LLM response: " + text_of(context.sample(sampled(in.prompt, 100)));
}

std::string ask_capital(Context& context) {
    return text_of(context.sample(sampled("What is the capital of France?", 100)));
}

std::string ask_folders(Context& context) {
    return "roots: " + context.roots().dump();
}

json name_question() {
    return {{"message", "What is your name?"},
            {"schema",
             {{"type", "object"},
              {"properties", {{"name", {{"type", "string"}}}}},
              {"required", {"name"}}}}};
}

// All questions at once, so that one round answers them.
std::string ask_all(Context& context) {
    const auto name = context.try_interrupt("user_name", name_question());
    const auto greeting = context.try_sample(sampled("Generate a greeting", 50));
    const auto roots = context.try_roots();
    if (!name || !greeting || !roots) throw toolhost::Interrupted{};
    return text_of(*greeting) + ' ' + name->at("name").get<std::string>() + ' ' + roots->dump();
}

// A client that supports only one of these is asked only that.
std::string ask_supported(Context& context) {
    const auto name = context.try_interrupt("user_name", name_question());
    const auto greeting = context.try_sample(sampled("Generate a greeting", 50));
    if (!name && !greeting) throw toolhost::Interrupted{};
    return "answered";
}

}  // namespace

toolhost::Tool sampling() {
    return toolhost::tool<ask_model>("test_sampling", "Asks the client's model.");
}

toolhost::Tool missing_capability() {
    return toolhost::tool<ask_capital>("test_missing_capability",
                                       "Cannot do without the client's model.");
}

toolhost::Tool input_required_sampling() {
    return toolhost::tool<ask_capital>("test_input_required_result_sampling",
                                       "Asks the client's model.");
}

toolhost::Tool input_required_list_roots() {
    return toolhost::tool<ask_folders>("test_input_required_result_list_roots",
                                       "Asks for the client's folders.");
}

toolhost::Tool input_required_multiple_inputs() {
    return toolhost::tool<ask_all>("test_input_required_result_multiple_inputs",
                                   "Asks the user, the model and the client at once.");
}

toolhost::Tool input_required_capabilities() {
    return toolhost::tool<ask_supported>("test_input_required_result_capabilities",
                                           "Asks whom the client can ask.");
}

}  // namespace conformance
