// A tool and its results as MCP words them.
#pragma once

#include "host/call/tool_use.hpp"
#include "host/registry/catalogue.hpp"
#include "host/serve/result_text.hpp"
#include "host/serve/revision.hpp"

namespace toolhost::serve {

// An entry of tools/list.
[[nodiscard]] Json render_tool(const registry::Tool& tool, const std::string& name,
                               Revision revision);
// A CallToolResult: content, structuredContent, isError, and our error under _meta.
void render_result(const call::ToolResult& result, Revision revision, ResultText& out);

// Where our error object is in the _meta of a result that is one.
inline constexpr const char* kErrorKey = "toolhost/error";

}  // namespace toolhost::serve
