#include "host/cli/input.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <iostream>

#include "host/base/json_text.hpp"
#include "host/os/descriptor.hpp"

namespace toolhost::cli {

const Json& followed(const Json& schema, const Json& root) {
    constexpr int kMaxRefs = 16;  // in a chain of $ref
    const Json* at = &schema;
    for (int i = 0; i < kMaxRefs && at->is_object() && at->contains("$ref"); ++i) {
        const Json& ref = at->at("$ref");
        if (!ref.is_string() || !ref.get_ref<const std::string&>().starts_with('#')) break;
        try {
            at = &root.at(Json::json_pointer(ref.get_ref<const std::string&>().substr(1)));
        } catch (const Json::exception&) {
            break;
        }
    }
    return *at;
}

namespace {

using Parsed = boost::system::result<Json, InputFault>;

constexpr std::size_t kMaxInputBytes = 64u << 20;
constexpr int kDeepest = 16;

InputFault fault(std::string message, Exit exit = Exit::invalid) {
    return {exit, std::move(message), ErrorCode::invalid_input};
}

InputFault unreadable(std::string message) {
    return {Exit::trouble, std::move(message), ErrorCode::file_error};
}

InputFault too_large(const std::string& what) {
    return {Exit::invalid, what + " has more than " + std::to_string(kMaxInputBytes) + " bytes",
            ErrorCode::input_too_large};
}

void collect_types(const Json& schema, const Json& root, int depth, std::vector<std::string>& out) {
    const Json& at = followed(schema, root);
    if (!at.is_object() || depth > kDeepest) return;
    if (auto it = at.find("type"); it != at.end()) {
        if (it->is_string()) out.push_back(it->get<std::string>());
        if (it->is_array())
            for (const auto& one : *it)
                if (one.is_string()) out.push_back(one.get<std::string>());
    }
    for (const char* key : {"enum", "const"})
        if (auto it = at.find(key); it != at.end())
            for (const auto& value : it->is_array() ? *it : Json::array({*it})) {
                std::string name = value.type_name();
                out.push_back(value.is_number_integer() ? "integer" : name);
            }
    for (const char* key : {"anyOf", "oneOf", "allOf"})
        if (auto it = at.find(key); it != at.end() && it->is_array())
            for (const auto& one : *it) collect_types(one, root, depth + 1, out);
}

bool accepts(const std::vector<std::string>& types, const Json& value) {
    for (const auto& type : types) {
        if (type == value.type_name()) return true;
        if (type == "integer" && value.is_number_integer()) return true;
        if (type == "integer" && value.is_number_float() &&
            std::trunc(value.get<double>()) == value.get<double>())
            return true;
    }
    return false;
}

// The schema of an object's property; null if unknown.
const Json& property(const Json& schema, const Json& root, const std::string& name) {
    static const Json unknown;
    const Json& at = followed(schema, root);
    if (!at.is_object()) return unknown;
    if (auto it = at.find("properties"); it != at.end() && it->contains(name)) return (*it)[name];
    for (const char* key : {"allOf", "anyOf", "oneOf"})
        if (auto it = at.find(key); it != at.end() && it->is_array())
            for (const auto& one : *it)
                if (const Json& found = property(one, root, name); !found.is_null()) return found;
    if (auto it = at.find("additionalProperties"); it != at.end() && it->is_object()) return *it;
    return unknown;
}

// "a.b=x" split at the first = and the dots before it; a backslash escapes the next character.
struct Pair {
    std::vector<std::string> path{""};
    std::string value;
    bool raw = false;
};

bool split_pair(const std::string& word, Pair& out) {
    for (std::size_t i = 0; i < word.size(); ++i) {
        char c = word[i];
        if (c == '\\' && i + 1 < word.size()) {
            out.path.back() += word[++i];
        } else if (c == '.') {
            out.path.emplace_back();
        } else if (c == '=') {
            out.raw = i > 0 && word[i - 1] == ':' && !out.path.back().empty();
            if (out.raw) out.path.back().pop_back();
            out.value = word.substr(i + 1);
            return !out.path.back().empty();
        } else {
            out.path.back() += c;
        }
    }
    return false;
}

boost::system::result<std::string, InputFault> read_file_text(const std::string& file) {
    std::string text;
    if (os::read_file(file, kMaxInputBytes, text)) return text;
    if (errno == EFBIG) return too_large(file);
    return unreadable("cannot read " + file + ": " + os::system_message(errno));
}

Parsed parse_whole(std::string_view text, const std::string& where) {
    auto value = parse_json(text);
    if (!value) return fault(where + " is not JSON: " + value.error().message);
    return *std::move(value);
}

Parsed value_of(const Pair& pair, const Json& schema, const Json& root) {
    if (pair.raw) return parse_whole(pair.value, "the value of " + pair.path.back());
    if (pair.value.starts_with("@@")) return typed_value(pair.value.substr(1), schema, root);
    if (pair.value.starts_with('@')) {
        auto text = read_file_text(pair.value.substr(1));
        return text ? Parsed(*std::move(text)) : text.error();
    }
    return typed_value(pair.value, schema, root);
}

// Puts one pair into the input. The fault has an empty text on success.
InputFault place(const Pair& pair, const Json& root, Json& input) {
    Json* at = &input;
    const Json* schema = &root;
    for (std::size_t i = 0; i < pair.path.size(); ++i) {
        if (!at->is_object())
            return fault("'" + pair.path[i] + "' is a field of something that already has a value");
        schema = &property(*schema, root, pair.path[i]);
        at = &(*at)[pair.path[i]];
        if (i + 1 < pair.path.size() && at->is_null()) *at = Json::object();
    }
    auto types = std::vector<std::string>();
    collect_types(*schema, root, 0, types);
    const Json& whole = followed(*schema, root);
    const bool list = types == std::vector<std::string>{"array"} && !pair.raw;
    static const Json unknown;
    const Json& item = list && whole.contains("items") ? whole["items"] : unknown;
    // key=["a","b"] is the whole list, not one item.
    const bool whole_list = list && at->is_null() && pair.value.starts_with('[');
    auto value = value_of(pair, list && !whole_list ? item : *schema, root);
    if (!value) return value.error();
    if (!list || (value->is_array() && at->is_null())) {
        if (!at->is_null()) return fault("'" + pair.path.back() + "' is given twice");
        *at = *std::move(value);
    } else {
        if (at->is_null()) *at = Json::array();
        at->push_back(*std::move(value));
    }
    return {};
}

}  // namespace

Json typed_value(const std::string& text, const Json& schema, const Json& root) {
    std::vector<std::string> types;
    collect_types(schema, root, 0, types);
    // JSON text of a type that the schema accepts becomes that value; other text stays text.
    if (types == std::vector<std::string>{"string"}) return text;
    auto value = parse_json(text);
    if (!value) return text;
    // An integer that is too large would lose digits as a number, so it stays text.
    if (value->is_number_float() && text.find_first_of(".eE") == std::string::npos) return text;
    if (types.empty() || accepts(types, *value)) return *std::move(value);
    return text;
}

boost::system::result<std::string, InputFault> read_text(const std::string& file,
                                                         std::istream& standard_input) {
    if (file != "-") return read_file_text(file);
    if (&standard_input == &std::cin && ::fcntl(STDIN_FILENO, F_GETFD) < 0)
        return unreadable("standard input is closed");
    std::string text(kMaxInputBytes + 1, '\0');
    standard_input.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(standard_input.gcount()));
    if (text.size() > kMaxInputBytes) return too_large("the standard input");
    return text;
}

Parsed read_input(const std::vector<std::string>& words, const Json& schema,
                  std::istream& standard_input) {
    if (words.size() == 1) {
        const auto& word = words[0];
        auto first = word.find_first_not_of(" \t\r\n");
        if (word == "-") {
            auto text = read_text(word, standard_input);
            if (!text) return text.error();
            return parse_whole(*text, "the standard input");
        }
        if (word.starts_with('@')) {
            auto text = read_file_text(word.substr(1));
            if (!text) return text.error();
            return parse_whole(*text, word.substr(1));
        }
        if (first != std::string::npos && (word[first] == '{' || word[first] == '['))
            return parse_whole(word, "the input");
    }
    Json input = Json::object();
    for (const auto& word : words) {
        Pair pair;
        if (!split_pair(word, pair))
            return fault("'" + word + "' is neither JSON nor KEY=VALUE; for raw JSON use KEY:=JSON",
                         Exit::usage);
        if (auto wrong = place(pair, schema, input); !wrong.message.empty()) return wrong;
    }
    return input;
}

}  // namespace toolhost::cli
