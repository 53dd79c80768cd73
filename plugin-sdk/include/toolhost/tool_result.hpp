// ToolResult: the result of calling another tool.
#ifndef TOOLHOST_TOOL_RESULT_HPP
#define TOOLHOST_TOOL_RESULT_HPP

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "toolhost/outcome.hpp"

namespace toolhost {

class ToolResult {
public:
    explicit ToolResult(nlohmann::json raw) : raw_(std::move(raw)) {}

    [[nodiscard]] bool ok() const { return text_at(raw_, "status") == "success"; }

    // The error's code and message; empty if ok().
    [[nodiscard]] std::string code() const { return text_at(error(), "code"); }
    [[nodiscard]] std::string message() const { return text_at(error(), "message"); }

    // The content blocks; an empty array if there are none.
    [[nodiscard]] nlohmann::json content() const {
        return raw_.is_object() ? raw_.value("content", nlohmann::json::array())
                                : nlohmann::json::array();
    }

    // All text blocks, one line each.
    [[nodiscard]] std::string text() const {
        std::string all;
        for (const auto& block : content()) {
            if (!block.is_object() || !block.contains("text")) continue;
            if (!all.empty()) all += '\n';
            all += text_at(block, "text");
        }
        return all;
    }

    // The value of the first json block; null if missing.
    [[nodiscard]] nlohmann::json json() const {
        for (const auto& block : content()) {
            if (block.is_object() && block.contains("json")) return block.at("json");
        }
        return nullptr;
    }

    // Throws a ToolError with the code and message if the call failed, so that calls can be
    // chained:
    // `ctx.call_tool(...).or_throw().json()`.
    const ToolResult& or_throw() const {
        if (!ok()) throw ToolError(code().empty() ? "tool_failed" : code(), message());
        return *this;
    }

    // The result as received from the host.
    [[nodiscard]] const nlohmann::json& raw() const noexcept { return raw_; }

private:
    static std::string text_at(const nlohmann::json& object, const char* key) {
        if (!object.is_object()) return {};
        const auto found = object.find(key);
        return found != object.end() && found->is_string() ? found->get<std::string>()
                                                           : std::string();
    }

    [[nodiscard]] nlohmann::json error() const {
        return raw_.is_object() ? raw_.value("error", nlohmann::json::object())
                                : nlohmann::json::object();
    }

    nlohmann::json raw_;
};

}  // namespace toolhost

#endif  // TOOLHOST_TOOL_RESULT_HPP
