#include "host/call/output_checks.hpp"

#include "host/base/json_text.hpp"
#include "host/base/utf8.hpp"
#include "host/call/bounds.hpp"
#include "host/call/checks.hpp"
#include "host/call/content.hpp"

namespace toolhost::call {
namespace {

// The characters of a value's JSON text, which is not written for that: the response does it once.
std::size_t json_chars(const Json& value) {
    if (const auto* text = value.get_ptr<const std::string*>()) {
        std::size_t chars = 2;
        for (const char c : *text) {
            const auto byte = static_cast<unsigned char>(c);
            if ((byte & 0xC0) == 0x80) continue;
            const bool has_short_escape =
                std::string_view("\"\\\b\f\n\r\t").find(c) != std::string_view::npos;
            chars += has_short_escape ? 2 : byte < 0x20 ? 6 : 1;
        }
        return chars;
    }
    if (!value.is_structured()) return dump(value).size();
    std::size_t chars = value.empty() ? 2 : value.size() + 1;  // brackets and commas
    for (auto it = value.begin(); it != value.end(); ++it)
        chars += json_chars(*it) + (value.is_object() ? json_chars(it.key()) + 1 : 0);
    return chars;
}

std::size_t decoded_bytes(const std::string& base64) {
    return base64.size() / 4 * 3;
}

// All texts within a value and the names of its members, but for `binary`.
std::size_t readable_chars(const Json& value, const std::string* binary) {
    if (const auto* text = value.get_ptr<const std::string*>())
        return text == binary ? 0 : count_characters(*text);
    if (!value.is_structured()) return 0;
    std::size_t chars = 0;
    for (auto it = value.begin(); it != value.end(); ++it)
        chars += readable_chars(*it, binary) + (value.is_object() ? count_characters(it.key()) : 0);
    return chars;
}

// What of a block a model reads beside its text; bytes of files are none of it.
std::size_t structured_chars(const ContentBlock& block) {
    if (block.kind == ContentKind::text) return 0;
    const Json& value = block.value;
    if (block.kind == ContentKind::json) return json_chars(value);
    std::size_t text = 0;
    if (auto it = value.find("text"); it != value.end() && it->is_string())
        text = count_characters(it->get_ref<const std::string&>());
    const auto labels = readable_chars(value, content_info(block.kind).binary(value)) - text;
    return text + (labels > kFreeLabelChars ? labels : 0);
}

// "family.name@1.0.0" is what a profile's `policies` call "name".
std::string tool_name(const ReadyTool& ready) {
    const auto name = ready.label.substr(0, ready.label.rfind('@'));
    return name.substr(name.rfind('.') + 1);
}

Error too_many_bytes(const ReadyTool& ready, std::size_t bytes) {
    const auto allowed = ready.limits.max_output_bytes;
    return {ErrorCode::output_too_large,
            "the tool's output has " + std::to_string(bytes) +
                " bytes of images, documents or other binary content; maxOutputBytes allows " +
                std::to_string(allowed) + ". Request less output, or raise policies." +
                tool_name(ready) + ".maxOutputBytes",
            {{"bytes", bytes}, {"allowed", allowed}}};
}

// Of an output that is refused: the beginning, and how long it is.
Json refused_output(const Json& output, Json details) {
    const std::string text = dump(output);
    details["output"] = cut_text(text, kMaxRefusedOutputBytes);
    details["outputBytes"] = text.size();
    return details;
}

}  // namespace

Result<void> check_output(const ReadyTool& ready, const Content& content,
                          const schema::EvaluationLimits& limits) {
    if (!ready.output) return {};
    const Json* value = json_block(content);
    if (!value)
        return Error{ErrorCode::invalid_output,
                     "the tool has an outputSchema, but its reply has no json block",
                     refused_output(to_json(content), Json::object())};
    auto issues = ready.output->validate(*value, kMaxIssues, &limits);
    if (issues.empty()) return {};
    if (issues.front().keyword == schema::kStoppedKeyword)
        return call_ended(ready, limits, "output");
    std::string sentences;
    Json details = Json::array();
    for (auto& issue : issues) {
        sentences += (sentences.empty() ? "" : "; ") + issue.message;
        details.push_back(std::move(issue.details));
    }
    return Error{ErrorCode::invalid_output,
                 "the tool's output does not match its outputSchema: " + sentences,
                 refused_output(*value, {{"issues", std::move(details)}})};
}

Result<std::optional<Truncation>> limit_output(const ReadyTool& ready, Content& content) {
    const std::size_t allowed = ready.limits.max_output_chars;
    Truncation truncation;
    std::size_t structured = 0, binary = 0;
    for (auto& block : content) {
        if (const auto* base64 = content_info(block.kind).binary(block.value))
            binary += decoded_bytes(*base64);
        if (binary > ready.limits.max_output_bytes) return too_many_bytes(ready, binary);
        // Truncated JSON cannot be parsed, so structured content is complete or an error.
        if (auto chars = structured_chars(block); chars > 0) {
            structured += chars;
            if (structured > allowed)
                return Error{ErrorCode::output_too_large,
                             "the tool's structured output has at least " +
                                 std::to_string(structured) +
                                 " characters; maxOutputChars allows " + std::to_string(allowed) +
                                 ". Request less output, or raise policies." + tool_name(ready) +
                                 ".maxOutputChars",
                             {{"chars", structured}, {"allowed", allowed}}};
        }
        if (block.kind != ContentKind::text) continue;
        auto& text = block.value.get_ref<std::string&>();
        if (text.size() <=
            allowed - truncation.shown_chars) {  // bytes are no fewer than characters
            const auto chars = count_characters(text);
            truncation.total_chars += chars;
            truncation.shown_chars += chars;
            continue;
        }
        const auto chars = count_characters(text);
        const auto shown = std::min(chars, allowed - truncation.shown_chars);
        truncation.total_chars += chars;
        truncation.shown_chars += shown;
        if (shown == chars) continue;
        text = std::string(first_characters(text, shown)) +
               "\n[truncated: " + std::to_string(shown) + " of " + std::to_string(chars) +
               " characters shown]";
    }
    if (truncation.shown_chars == truncation.total_chars) return std::optional<Truncation>{};
    return std::optional(truncation);
}

}  // namespace toolhost::call
