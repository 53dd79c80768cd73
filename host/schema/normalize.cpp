#include "host/schema/normalize.hpp"

#include <utility>

namespace toolhost::schema {

using Json = nlohmann::json;

Json normalize(Json input_schema) {
    // The wrapped form of agent frameworks. "json" is not a keyword, so this is unambiguous.
    if (input_schema.is_object() && input_schema.size() == 1) {
        const auto wrapped = input_schema.find("json");
        if (wrapped != input_schema.end() && (wrapped->is_object() || wrapped->is_boolean())) {
            Json inner = std::move(*wrapped);
            input_schema = std::move(inner);
        }
    }
    if (!input_schema.is_object()) return input_schema;
    // A tool's input is always an object; most clients require all three fields.
    if (!input_schema.contains("type")) input_schema["type"] = "object";
    if (!input_schema.contains("properties")) input_schema["properties"] = Json::object();
    if (!input_schema.contains("required")) input_schema["required"] = Json::array();
    return input_schema;
}

}  // namespace toolhost::schema
