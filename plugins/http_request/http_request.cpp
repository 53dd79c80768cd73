#include "answer.hpp"
#include "body/charset.hpp"
#include "body/kind.hpp"
#include "consent.hpp"
#include "net/fetch.hpp"
#include "prepare.hpp"
#include "tools.hpp"

namespace http_tool {
namespace {

// Streams a text body as UTF-8 in whole characters.
class Stream {
public:
    explicit Stream(const toolhost::Context& context) : context_(context) {}

    bool take(const Head& head, std::string_view part) {
        const std::string type = header(head.headers, "content-type");
        if (!is_text_type(type)) return !context_.cancelled();
        if (!decoder_) decoder_.emplace(charset_of(type));
        const std::string text = decoder_->feed(part);
        return text.empty() ? !context_.cancelled() : context_.text(text);
    }

private:
    const toolhost::Context& context_;
    std::optional<Decoder> decoder_;
};

toolhost::Reply run(const Input& in, toolhost::Context& context) {
    const auto policy = context.policy<Policy>();
    const Rules rules = make_rules(policy, context);
    Request request = make_request(in, policy, context);
    if (const auto refusal = check(rules, request.method, request.url))
        context.deny(refusal->reason, refusal->message);
    ask_consent(request, policy, context);

    Stream stream(context);
    FetchObserver observer;
    observer.cancelled = [&context] { return context.cancelled(); };
    if (in.streaming)
        observer.part = [&stream](const Head& head, std::string_view part) {
            return stream.take(head, part);
        };
    observer.progress = [&context](std::uint64_t done, std::uint64_t total) {
        context.progress(static_cast<double>(done),
                         total > 0 ? std::optional(static_cast<double>(total)) : std::nullopt,
                         "bytes received");
    };
    Result result = fetch(std::move(request), rules, observer);
    if (std::holds_alternative<Cancelled>(result)) throw toolhost::Cancelled{};
    if (const auto* refusal = std::get_if<Refusal>(&result))
        context.deny(refusal->reason, refusal->message);
    if (const auto* failure = std::get_if<Failure>(&result))
        context.fail("tool_failed", failure->message);
    return make_answer(std::get<Response>(std::move(result)), in, context);
}

}  // namespace

toolhost::Tool http_request() {
    return toolhost::tool<run>(
               "http_request",
               "Sends an HTTP request and returns status, headers and body. Use it to call web "
               "APIs, to read pages (convert_to_markdown shortens them) and to fetch images and "
               "documents. A status of 400 or more is a normal response, not a failure of the "
               "tool: check the status. 502, 503, 504 and dropped connections are retried if that "
               "is safe. Not for running a browser, for scripts in pages, for "
               "long downloads, or for other protocols; private addresses are refused unless the "
               "policy lists them.")
        .title("HTTP request")
        .version("1.0.0")
        .category("http")
        .needs({.network = true, .read = true})  // read: cookie, ca_file
        .policy<Policy>()
        .output<Output>()
        .hints({.read_only = false, .destructive = true, .idempotent = false, .open_world = true})
        .set("denialReasons", toolhost::denial_reasons(kReasons))
        .example(
            {{"method", "GET"}, {"url", "https://example.com/"}, {"convert_to_markdown", true}},
            "A page as Markdown.")
        .example({{"method", "POST"},
                  {"url", "https://api.example.com/items"},
                  {"json_data", {{"name", "x"}}},
                  {"auth_type", "Bearer"},
                  {"auth_env_var", "API_TOKEN"}},
                 "JSON to an API, the token from the environment.");
}

}  // namespace http_tool
