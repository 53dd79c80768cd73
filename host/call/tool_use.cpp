#include "host/call/tool_use.hpp"

#include "host/base/json_text.hpp"

namespace toolhost::call {

namespace {

Json to_json(const Truncation& truncated) {
    return {{"shownChars", truncated.shown_chars}, {"totalChars", truncated.total_chars}};
}

}  // namespace

Json ToolResult::json() const {
    Json out{{"toolUseId", use_id},
             {"status", ok() ? "success" : "error"},
             {"content", call::to_json(content)}};
    if (error) out["error"] = to_json(*error);
    if (truncated) out["truncated"] = to_json(*truncated);
    return out;
}

std::string ToolResult::text() const {
    std::string out = "{\"content\":";
    append_content(out, content);
    if (error) out += ",\"error\":" + dump(to_json(*error));
    out += ok() ? ",\"status\":\"success\"" : ",\"status\":\"error\"";
    out += ",\"toolUseId\":" + dump(use_id);
    if (truncated) out += ",\"truncated\":" + dump(to_json(*truncated));
    return out += '}';
}

ToolResult error_result(std::string use_id, Error error) {
    Content content{{ContentKind::text, error.message}};
    return {std::move(use_id), std::move(content), std::move(error), std::nullopt};
}

}  // namespace toolhost::call
