// Prompts, and what could be said where something is to be filled in.
#include "host/call/content.hpp"
#include "host/serve/methods.hpp"
#include "host/serve/offers.hpp"
#include "host/serve/paging.hpp"
#include "host/serve/server.hpp"

namespace toolhost::serve {
namespace {

// The most a client is given at once, as the protocol has it.
constexpr std::size_t kMaxValues = 100;

void render_prompt(Request& request, const call::ToolResult& result) {
    if (result.error) return request.fail(offer_error(*result.error));
    request.reply(*call::json_block(result.content));  // there, and by its schema
}

// A failed completion proposes nothing.
void render_completion(Request& request, const call::ToolResult& result) {
    Json completion{{"values", Json::array()}};
    if (result.ok()) completion = *call::json_block(result.content);
    if (auto& values = completion["values"]; values.size() > kMaxValues) {
        if (!completion.contains("total")) completion["total"] = values.size();
        completion["hasMore"] = true;
        values.erase(values.begin() + kMaxValues, values.end());
    }
    request.reply({{"completion", std::move(completion)}});
}

// A required argument that is not there; empty: none.
std::string missing_argument(const Json& prompt, const Json& arguments) {
    for (const auto& argument : prompt.value("arguments", Json::array()))
        if (argument.value("required", false) && !arguments.contains(argument.value("name", "")))
            return argument.value("name", "");
    return {};
}

}  // namespace

void list_prompts(const RequestPtr& request) {
    const auto view = request->view();
    if (!view) return request->fail(view.error());
    reply_page(request, "prompts", "name", all_offered(**view, "prompts"));
}

void get_prompt(const RequestPtr& request) {
    const auto& name = request->params().name;
    const Json none = Json::object(), &given = request->params().arguments;
    const Json& arguments = given.is_null() ? none : given;
    const auto view = request->view();
    if (!view) return request->fail(view.error());
    const auto [by, prompt] = find_prompt(**view, name);
    if (!by) return request->fail({rpc_code::kInvalidParams, "unknown prompt '" + name + '\''});
    if (!arguments.is_object())
        return request->fail(
            {rpc_code::kInvalidParams, "Invalid params: \"arguments\" must be an object"});
    if (const auto missing = missing_argument(*prompt, arguments); !missing.empty())
        return request->fail(
            {rpc_code::kInvalidParams,
             "Invalid params: the prompt '" + name + "' requires the argument '" + missing + "'"});
    request->start_call({.reference = by->spec.name,
                         .input = {{"name", name}, {"arguments", arguments}},
                         .offered_by = by->library->path},
                        render_prompt);
}

void complete(const RequestPtr& request) {
    const auto& params = request->params();
    const Json &ref = params.other("ref"), &argument = params.other("argument");
    if (!ref.is_object() || !argument.is_object() || !argument.contains("name") ||
        !argument.contains("value"))
        return request->fail({rpc_code::kInvalidParams,
                              "Invalid params: completion/complete requires \"ref\", and "
                              "\"argument\" with name and value"});
    const auto view = request->view();
    if (!view) return request->fail(view.error());
    const auto* completer = find_completer(**view, ref);
    if (!completer)
        return request->fail(
            {rpc_code::kInvalidParams,
             "Invalid params: \"ref\" is not a known prompt or resource template"});
    Json input{{"ref", ref}, {"argument", argument}};
    if (const Json& context = params.other("context"); !context.is_null())
        input["context"] = context;
    request->start_call({.reference = completer->spec.name,
                         .input = std::move(input),
                         .offered_by = completer->library->path},
                        render_completion);
}

}  // namespace toolhost::serve
