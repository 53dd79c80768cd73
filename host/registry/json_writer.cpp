// JSON text of values, without the general serializer's set-up: most of what is written is short.
#include <array>
#include <charconv>

#include "host/registry/json_text.hpp"

namespace toolhost {
namespace {

using Json = nlohmann::json;

bool needs_care(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte >= 0x80 || c == '"' || c == '\\';
}

void append_string(std::string& out, const std::string& text) {
    for (const char c : text)
        if (needs_care(c)) {
            out += Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
            return;
        }
    out.append(1, '"').append(text).append(1, '"');
}

template <class Number>
void append_whole(std::string& out, Number number) {
    std::array<char, 24> digits;
    const auto [end, fault] = std::to_chars(digits.data(), digits.data() + digits.size(), number);
    out.append(digits.data(), end);
}

void append_object(std::string& out, const Json::object_t& members) {
    char before = '{';
    for (const auto& [key, value] : members) {
        out += before;
        append_string(out, key);
        out += ':';
        append_json(out, value);
        before = ',';
    }
    out += before == '{' ? "{}" : "}";
}

void append_array(std::string& out, const Json::array_t& elements) {
    char before = '[';
    for (const auto& element : elements) {
        out += before;
        append_json(out, element);
        before = ',';
    }
    out += before == '[' ? "[]" : "]";
}

}  // namespace

void append_json(std::string& out, const Json& value) {
    switch (value.type()) {
        case Json::value_t::object:
            return append_object(out, value.get_ref<const Json::object_t&>());
        case Json::value_t::array:
            return append_array(out, value.get_ref<const Json::array_t&>());
        case Json::value_t::string:
            return append_string(out, value.get_ref<const std::string&>());
        case Json::value_t::boolean:
            out += value.get<bool>() ? "true" : "false";
            return;
        case Json::value_t::number_integer:
            return append_whole(out, value.get<std::int64_t>());
        case Json::value_t::number_unsigned:
            return append_whole(out, value.get<std::uint64_t>());
        case Json::value_t::null:
            out += "null";
            return;
        case Json::value_t::number_float:
        case Json::value_t::binary:
        case Json::value_t::discarded:
            out += value.dump(-1, ' ', false, Json::error_handler_t::replace);
    }
}

std::string dump(const Json& value, int indent) {
    if (indent >= 0) return value.dump(indent, ' ', false, Json::error_handler_t::replace);
    std::string out;
    append_json(out, value);
    return out;
}

}  // namespace toolhost
