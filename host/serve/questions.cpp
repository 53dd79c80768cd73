#include "host/serve/questions.hpp"

#include "host/base/json_text.hpp"
#include "host/call/consent_text.hpp"
#include "host/schema/schema.hpp"
#include "toolhost/plugin.h"

namespace toolhost::serve {
namespace {

// A question without a form of its own has one field.
constexpr const char* kField = "answer";

Json one_field(const char* name, Json schema) {
    return {{"type", "object"}, {"properties", {{name, std::move(schema)}}}, {"required", {name}}};
}

// The form a tool gave with its question; null: it gave none.
const Json* own_form(const Json& reason) {
    for (const char* key : {"schema", "requestedSchema"}) {
        if (!reason.is_object()) return nullptr;
        const auto it = reason.find(key);
        if (it != reason.end() && it->is_object() && it->contains("properties")) return &*it;
    }
    return nullptr;
}

Json form_of(const Json& question) {
    const Json& reason = question.at("reason");
    if (const Json* form = own_form(reason)) return *form;
    if (question.at("name") == "consent") return one_field(kField, {{"type", "boolean"}});
    return one_field(kField, {{"type", "string"}});
}

std::string words_of(const Json& question) {
    const Json& reason = question.at("reason");
    if (reason.is_string()) return reason.get<std::string>();
    if (reason.is_object() && reason.contains("message") && reason["message"].is_string())
        return reason["message"].get<std::string>();
    const auto name = question.at("name").get<std::string>();
    return reason.is_null() || reason.empty() ? name : name + ": " + dump(reason);
}

std::string message_of(const Json& question) {
    return call::question_text(question.value("askedBy", ""), question.value("name", ""),
                               words_of(question));
}

// {"action": accept|decline|cancel, "content"?}; nothing: invalid.
std::optional<tool_status> action_of(const Json& result) {
    const Json action = result.is_object() ? result.value("action", Json()) : Json();
    if (action == "accept") return TOOL_OK;
    if (action == "decline") return TOOL_DENIED;
    if (action == "cancel") return TOOL_CANCELLED;
    return std::nullopt;
}

std::optional<call::Answer> take_elicited(const Json& question, const Json& result) {
    const auto status = action_of(result);
    if (!status) return std::nullopt;
    if (*status != TOOL_OK) return call::Answer{*status, {}};
    const Json content = result.value("content", Json::object());
    const Json form = form_of(question);
    if (auto schema = schema::Schema::compile(form); schema && !schema->valid(content))
        return std::nullopt;
    if (own_form(question.at("reason"))) return call::Answer{TOOL_OK, content};
    return call::Answer{TOOL_OK, content.at(kField)};
}

}  // namespace

InputRequest input_request(const Json& question) {
    const auto kind = question.value("kind", "human");
    if (kind == "sampling") return {"sampling", "sampling/createMessage", question.at("reason")};
    if (kind == "roots") return {"roots", "roots/list", Json::object()};
    return {"elicitation",
            "elicitation/create",
            {{"message", message_of(question)}, {"requestedSchema", form_of(question)}}};
}

std::optional<call::Answer> take_answer(const Json& question, const Json& result) {
    const auto kind = question.value("kind", "human");
    if (kind == "human") return take_elicited(question, result);
    const char* needed = kind == "sampling" ? "content" : "roots";
    if (!result.is_object() || !result.contains(needed)) return std::nullopt;
    return call::Answer{TOOL_OK, result};
}

bool is_consent(const Json& question) {
    return question.value("kind", "") == "consent";
}

InputRequest consent_request(std::string_view text, bool may_last) {
    Json choice{{"type", "string"}, {"title", "Allow"}, {"enum", {"once", "no"}}};
    if (may_last) {
        choice["enum"] = {"once", "always", "no"};
        choice["description"] =
            "always: this version of the tool with any input, until this session ends";
    }
    return {"elicitation",
            "elicitation/create",
            {{"message", text}, {"requestedSchema", one_field("allow", std::move(choice))}}};
}

std::optional<call::ConsentAnswer> take_consent(const Json& result) {
    const auto status = action_of(result);
    if (!status) return std::nullopt;
    if (*status != TOOL_OK) return call::ConsentAnswer::no;
    const Json content = result.value("content", Json::object());
    const Json allow = content.is_object() ? content.value("allow", Json()) : Json();
    if (allow == "once") return call::ConsentAnswer::once;
    if (allow == "always") return call::ConsentAnswer::always;
    return allow == "no" ? std::optional(call::ConsentAnswer::no) : std::nullopt;
}

}  // namespace toolhost::serve
