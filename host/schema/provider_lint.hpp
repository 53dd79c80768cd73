// Finds what model providers refuse in the schema of a function. One refused tool makes the whole
// request fail, so authors should know early.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace toolhost::schema {

enum class Provider { anthropic, openai, gemini };

[[nodiscard]] std::optional<Provider> provider_named(std::string_view name);

struct LintFinding {
    std::string pointer;  // into {"name", "description", "inputSchema"}
    std::string message;
};

// Returns what the provider refuses in a tool, at most kMaxLintFindings. The schema must be valid.
inline constexpr std::size_t kMaxLintFindings = 100;
[[nodiscard]] std::vector<LintFinding> lint_tool(Provider provider, std::string_view name,
                                                 std::string_view description,
                                                 const nlohmann::json& input_schema);

}  // namespace toolhost::schema
