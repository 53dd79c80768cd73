#include "answer.hpp"

#include <algorithm>

#include "body/charset.hpp"
#include "body/json_numbers.hpp"
#include "body/kind.hpp"
#include "body/markdown.hpp"
#include "bounds.hpp"

namespace http_tool {
namespace {

using nlohmann::json;

// Headers come from the server: limits them, so that they cannot fill the result.
constexpr std::size_t kMaxHeaderChars = 4000;
// Used if the host does not provide a limit.
constexpr std::size_t kUsualOutputChars = 20000;
constexpr std::size_t kLeastMarkdown = 64u << 10;
// The host refuses values nested deeper than a few hundred levels.
constexpr int kMaxDepth = 60;

// Shown in the text; the JSON block has all headers.
constexpr const char* kShownHeaders[] = {"content-type", "content-length",  "date", "server",
                                         "location",     "retry-after",     "etag", "last-modified",
                                         "link",         "www-authenticate"};

// Replaces invalid UTF-8, which JSON cannot contain; a header may contain any byte.
std::string as_utf8(const std::string& text) {
    return is_utf8(text) ? text : decode(text, "windows-1252").text;
}

struct Body {
    Kind kind;
    std::string text;
    std::string charset;
    std::optional<json> value;
};

// Checked before parsing, because destroying a deep value recurses too.
bool is_shallow(std::string_view text) {
    int depth = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted) {
            if (c == '\\') ++i;
            if (c == '"') quoted = false;
        } else if (c == '"') {
            quoted = true;
        } else if (c == '[' || c == '{') {
            if (++depth > kMaxDepth) return false;
        } else if (c == ']' || c == '}') {
            --depth;
        }
    }
    return true;
}

std::optional<json> read_json_body(const std::string& text, std::vector<std::string>& notes) {
    if (!is_shallow(text)) {
        notes.push_back("the JSON is nested too deeply; the body is returned as text");
        return std::nullopt;
    }
    try {
        json value = json::parse(text);
        if (has_long_integer(text))
            notes.push_back(
                "the JSON has an integer that exceeds 64 bits; it is rounded in the JSON block and "
                "exact in the text block");
        return value;
    } catch (const json::out_of_range&) {
        notes.push_back("the JSON has a number that is too large; the body is returned as text");
    } catch (const json::exception&) {
        notes.push_back("the body is declared as JSON, but is not valid JSON");
    }
    return std::nullopt;
}

// The host would cut text beyond its limit; a little more is kept, so that it marks the cut.
void convert(Body& body, Response& response, toolhost::Context& context, std::size_t max_chars) {
    auto page = html_to_markdown(
        body.text, response.url.text,
        {std::max(2 * max_chars, kLeastMarkdown), [&] { return context.cancelled(); }});
    if (context.cancelled()) throw toolhost::Cancelled{};
    if (page.cut) response.notes.push_back("the page is too long: its Markdown is truncated");
    body.text = std::move(page.text);
}

Body read_body(Response& response, const Input& in, toolhost::Context& context,
               std::size_t max_chars) {
    const std::string type = header(response.head.headers, "content-type");
    Body body;
    body.kind = kind_of(type, response.body);
    using As = Kind::As;
    if (body.kind.as != As::text && body.kind.as != As::json && body.kind.as != As::html)
        return body;
    std::string charset = charset_of(type);
    if (charset.empty() && body.kind.as == As::html) charset = charset_in_html(response.body);
    Decoded decoded = decode(response.body, charset);
    body.charset = decoded.charset;
    if (!decoded.known)
        response.notes.push_back("the charset '" + as_utf8(charset) +
                                 "' is unknown; the text was read as UTF-8");
    body.text = std::move(decoded.text);
    if (body.kind.as == As::json) body.value = read_json_body(body.text, response.notes);
    if (body.kind.as == As::html && in.convert_to_markdown)
        convert(body, response, context, max_chars);
    return body;
}

std::map<std::string, std::string> all_headers(const Response& response,
                                               std::vector<std::string>& notes) {
    std::map<std::string, std::string> headers;
    std::size_t chars = 0;
    std::size_t left_out = 0;
    for (const auto& [raw_name, raw_value] : response.head.headers) {
        const std::string name = as_utf8(raw_name), value = as_utf8(raw_value);
        chars += name.size() + value.size();
        if (chars > kMaxHeaderChars) {
            ++left_out;
            continue;
        }
        auto& held = headers[name];
        held += (held.empty() ? "" : ", ") + value;
    }
    if (left_out > 0)
        notes.push_back(std::to_string(left_out) +
                        " headers were omitted because they are too long");
    return headers;
}

std::string_view kind_name(const Body& body, bool markdown) {
    using As = Kind::As;
    switch (body.kind.as) {
        case As::none:
            return "none";
        case As::text:
            return "text";
        case As::json:
            return body.value ? "json" : "text";
        case As::html:
            return markdown ? "markdown" : "html";
        case As::image:
            return "image";
        case As::document:
            break;
    }
    return "document";
}

MetricsOut metrics_of(const Response& response) {
    const auto& timings = response.timings;
    return {timings.total,
            timings.resolve,
            timings.connect,
            timings.tls,
            timings.first_byte,
            static_cast<std::int64_t>(response.sent),
            static_cast<std::int64_t>(response.received),
            response.address,
            response.head.version};
}

Output make_output(const Response& response, Body& body, const Input& in, std::size_t max_chars) {
    Output out;
    std::vector<std::string> notes = response.notes;
    out.status = response.head.status;
    out.reason = as_utf8(response.head.reason);
    out.ok = response.head.status < 400;
    out.url = response.url.text;
    out.headers = all_headers(response, notes);
    out.body_kind = kind_name(body, in.convert_to_markdown);
    out.bytes = static_cast<std::int64_t>(response.body.size());
    if (!body.charset.empty()) out.charset = std::optional(body.charset);
    if (!response.redirects.empty()) {
        std::vector<RedirectOut> redirects;
        for (const auto& one : response.redirects) redirects.push_back({one.status, one.url});
        out.redirects = std::optional(std::move(redirects));
    }
    if (response.retries > 0) out.retries = std::optional(response.retries);
    if (in.metrics) out.metrics = std::optional(metrics_of(response));
    if (!notes.empty()) out.notes = std::optional(std::move(notes));
    cut_to_fit(out, max_chars);
    if (!body.charset.empty()) set_body(out, body.text, std::move(body.value), max_chars);
    return out;
}

std::string redirects_line(const Response& response, const std::string& url) {
    std::string chain;
    for (const auto& one : response.redirects) chain += std::to_string(one.status) + " -> ";
    return "Redirects: " + std::to_string(response.redirects.size()) + " followed (" + chain +
           std::to_string(response.head.status) + "), now at " + url;
}

std::string headers_line(const Response& response) {
    json shown = json::object();
    for (const char* name : kShownHeaders)
        if (auto value = header(response.head.headers, name); !value.empty())
            shown[name] = as_utf8(value.substr(0, 500));
    return "Headers: " + shown.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace

toolhost::Reply make_answer(Response response, const Input& in, toolhost::Context& context) {
    const std::size_t max_chars = context.max_output_chars().value_or(kUsualOutputChars);
    Body body = read_body(response, in, context, max_chars);
    const Output out = make_output(response, body, in, max_chars);
    toolhost::Reply reply;
    reply.text("Status Code: " + std::to_string(out.status) +
               (out.reason.empty() ? "" : ' ' + out.reason));
    if (!response.redirects.empty()) reply.text(redirects_line(response, out.url));
    reply.text(headers_line(response));
    if (out.metrics) reply.text("Metrics: " + toolhost::write_json(*out.metrics).dump());
    if (out.notes)
        for (const auto& note : *out.notes) reply.text("Note: " + note);
    reply.json(out);
    using As = Kind::As;
    const auto size = std::to_string(response.body.size());
    if (body.kind.as == As::image) {
        reply.text("Body: an image of " + size + " bytes");
        reply.image(body.kind.format, response.body);
    } else if (body.kind.as == As::document) {
        reply.text("Body: a document of " + size + " bytes");
        reply.document(document_name(response.url.path), body.kind.format, response.body);
    } else {
        body.text.insert(0, "Body: ");
        reply.text(std::move(body.text));  // last, because the host cuts long text
    }
    return reply;
}

}  // namespace http_tool
