#include "host/call/tool_use.hpp"

namespace toolhost::call {

Json ToolResult::json() const {
    Json out{{"toolUseId", use_id}, {"status", ok() ? "success" : "error"}, {"content", content}};
    if (error) out["error"] = to_json(*error);
    if (truncated)
        out["truncated"] = {{"shownChars", truncated->shown_chars},
                            {"totalChars", truncated->total_chars}};
    return out;
}

ToolResult error_result(std::string use_id, Error error) {
    Json content = Json::array({{{"text", error.message}}});
    return {std::move(use_id), std::move(content), std::move(error), std::nullopt};
}

}  // namespace toolhost::call
