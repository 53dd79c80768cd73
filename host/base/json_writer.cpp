// JSON text of values. Authors' answers are written by the same code, which is quick where
// nlohmann's serializer sets up more than it does.
#include "host/base/json_text.hpp"
#include "toolhost/dump_json.hpp"

namespace toolhost {

void append_json(std::string& out, const nlohmann::json& value) {
    detail::dump_value(value, out);
}

void append_json_text(std::string& out, std::string_view text) {
    detail::dump_text(text, out);
}

void append_json_number(std::string& out, std::int64_t number) {
    detail::dump_integer(number, out);
}

std::string dump(const nlohmann::json& value, int indent) {
    if (indent >= 0)
        return value.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace);
    return detail::dump(value);
}

}  // namespace toolhost
