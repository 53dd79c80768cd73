#include "host/cli/question_form.hpp"

#include <algorithm>
#include <charconv>

#include "host/base/json_text.hpp"
#include "host/cli/input.hpp"
#include "host/cli/terminal.hpp"
#include "host/schema/schema.hpp"

namespace toolhost::cli {
namespace {

struct Choice {
    Json value;
    std::string label;
};

std::string as_text(const Json& value) {
    return value.is_string() ? value.get<std::string>() : dump(value);
}

std::string text_of(const Json& schema, const char* key) {
    const auto it = schema.find(key);
    return it != schema.end() && it->is_string() ? it->get<std::string>() : "";
}

// {"enum": [...], "enumNames"?: [...]} or {"oneOf": [{"const", "title"?}, ...]}.
std::vector<Choice> choices_of(const Json& schema) {
    std::vector<Choice> out;
    if (const auto it = schema.find("enum"); it != schema.end() && it->is_array()) {
        const auto names = schema.value("enumNames", Json::array());
        for (const auto& value : *it) {
            const auto at = out.size();
            out.push_back({value, names.is_array() && at < names.size() ? as_text(names[at]) : ""});
        }
        return out;
    }
    for (const char* key : {"oneOf", "anyOf"})
        if (const auto it = schema.find(key); it != schema.end() && it->is_array()) {
            for (const auto& one : *it) {
                if (!one.is_object() || !one.contains("const")) return {};
                out.push_back({one["const"], text_of(one, "title")});
            }
            return out;
        }
    return out;
}

bool is_type(const Json& schema, const char* type) {
    return text_of(schema, "type") == type;
}

bool is_many(const Json& schema) {
    return is_type(schema, "array") && schema.contains("items") && schema["items"].is_object() &&
           !choices_of(schema["items"]).empty();
}

std::string numbered(const std::vector<Choice>& choices) {
    std::string out;
    for (std::size_t i = 0; i < choices.size(); ++i) {
        const auto value = as_text(choices[i].value);
        const auto& label = choices[i].label;
        out += "  " + std::to_string(i + 1) + ") " + one_line(value, 200) +
               (label.empty() || label == value ? "" : ": " + one_line(label, 200)) + '\n';
    }
    return out;
}

// Finds a choice by its number or value.
const Choice* chosen(const std::vector<Choice>& choices, const std::string& word) {
    for (const auto& choice : choices)
        if (as_text(choice.value) == word) return &choice;
    std::size_t number = 0;
    const auto* end = word.data() + word.size();
    const auto [at, fault] = std::from_chars(word.data(), end, number);
    if (fault != std::errc() || at != end || number < 1 || number > choices.size()) return nullptr;
    return &choices[number - 1];
}

std::string trimmed(const std::string& text) {
    const auto first = text.find_first_not_of(" \t\r");
    if (first == std::string::npos) return "";
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::string choose_one(std::size_t count) {
    return "enter one number from 1 to " + std::to_string(count);
}

FieldAnswer not_an_answer(std::string sentence) {
    return {std::nullopt, std::move(sentence)};
}

FieldAnswer read_many(const std::vector<Choice>& choices, const std::string& line) {
    Json out = Json::array();
    std::string_view rest = line;
    while (!rest.empty()) {
        const auto end = std::min(rest.find(','), rest.size());
        const auto word = trimmed(std::string(rest.substr(0, end)));
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (word.empty()) continue;
        const auto* choice = chosen(choices, word);
        if (!choice)
            return not_an_answer("'" + word + "' is not a choice: enter numbers from 1 to " +
                                 std::to_string(choices.size()) + ", separated by commas");
        out.push_back(choice->value);
    }
    return {std::move(out), ""};
}

FieldAnswer read_boolean(std::string word) {
    std::transform(word.begin(), word.end(), word.begin(),
                   [](unsigned char c) { return c < 0x80 ? std::tolower(c) : c; });
    if (word == "y" || word == "yes" || word == "true") return {Json(true), ""};
    if (word == "n" || word == "no" || word == "false") return {Json(false), ""};
    return not_an_answer("answer y or n");
}

FieldAnswer read_value(const Json& schema, const std::string& line) {
    if (is_many(schema)) return read_many(choices_of(schema["items"]), line);
    const auto word = trimmed(line);
    if (const auto choices = choices_of(schema); !choices.empty()) {
        if (const auto* choice = chosen(choices, word)) return {choice->value, ""};
        return not_an_answer(choose_one(choices.size()));
    }
    if (is_type(schema, "boolean")) return read_boolean(word);
    if (is_type(schema, "string")) return {Json(line), ""};
    if (is_type(schema, "integer") || is_type(schema, "number")) {
        auto value = parse_json(word);
        if (value && value->is_number()) return {*std::move(value), ""};
        return not_an_answer(is_type(schema, "integer") ? "enter a whole number"
                                                        : "enter a number");
    }
    return {typed_value(line, schema, schema), ""};
}

}  // namespace

std::string FormField::heading() const {
    const auto title = text_of(schema, "title");
    std::string out = one_line(title.empty() ? name : title, 200);
    if (const auto said = text_of(schema, "description"); !said.empty())
        out += (out.empty() ? "" : ": ") + printable(said);
    if (!required) out += " (optional)";
    out += '\n';
    return out + numbered(choices_of(is_many(schema) ? schema["items"] : schema));
}

std::string FormField::prompt() const {
    const auto preset = schema.find("default");
    const bool has_default = preset != schema.end();
    std::string out;
    if (is_type(schema, "boolean")) {
        const Json yes = has_default ? *preset : Json();
        return yes == true ? "[Y/n]: " : yes == false ? "[y/N]: " : "[y/n]: ";
    }
    if (is_many(schema))
        out = "Numbers, separated by commas";
    else if (!choices_of(schema).empty())
        out = "Number";
    else if (is_type(schema, "string") || is_type(schema, "integer") || is_type(schema, "number"))
        out = is_type(schema, "string") ? "Text" : "Number";
    else
        out = "Text or JSON";
    if (has_default) out += " [" + one_line(as_text(*preset), 60) + ']';
    return out + ": ";
}

FieldAnswer FormField::read(const std::string& line) const {
    if (trimmed(line).empty()) {
        if (const auto preset = schema.find("default"); preset != schema.end())
            return {*preset, ""};
        if (!required) return {};
        if (!is_type(schema, "string")) return not_an_answer("an answer is required");
    }
    auto answer = read_value(schema, line);
    if (!answer.fault.empty()) return answer;
    // The same check applies to the answers of MCP clients.
    if (auto compiled = schema::Schema::compile(schema); compiled)
        for (const auto& issue : compiled->validate(*answer.value, 1))
            return not_an_answer(issue.message);
    return answer;
}

std::optional<QuestionForm> QuestionForm::of(std::string_view name, const Json& reason) {
    QuestionForm form;
    if (reason.is_object()) form.message = text_of(reason, "message");
    for (const char* key : {"schema", "requestedSchema"}) {
        if (!reason.is_object() || !reason.contains(key)) continue;
        const Json& schema = reason[key];
        if (!schema.is_object() || !schema.contains("properties") ||
            !schema["properties"].is_object())
            continue;
        const auto required = schema.value("required", Json::array());
        for (const bool wanted : {true, false})
            for (const auto& [field, described] : schema["properties"].items())
                if (described.is_object() && (std::find(required.begin(), required.end(),
                                                        Json(field)) != required.end()) == wanted)
                    form.fields.push_back({field, described, wanted});
        form.schema = schema;
        form.whole = true;
        return form;
    }
    Json one = Json::object();
    if (reason.is_object() && reason.contains("choices") && reason["choices"].is_array() &&
        !reason["choices"].empty())
        one["enum"] = reason["choices"];
    else if (name == "consent")
        one["type"] = "boolean";
    else
        return std::nullopt;
    form.fields.push_back({"", std::move(one), true});
    return form;
}

std::string QuestionForm::fault(const Json& answers) const {
    if (!whole) return "";
    if (auto compiled = schema::Schema::compile(schema); compiled)
        for (const auto& issue : compiled->validate(answers, 1)) return issue.message;
    return "";
}

}  // namespace toolhost::cli
