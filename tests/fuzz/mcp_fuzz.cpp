// Client input as bytes: the first byte selects lines of stdio, or HTTP in one piece, in small
// pieces, or with a disconnect.
#include <spdlog/spdlog.h>

#include <boost/asio/io_context.hpp>

#include "host/base/json_text.hpp"
#include "host/runtime/runtime.hpp"
#include "host/serve/http/endpoint.hpp"
#include "tests/fake_wire.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace toolhost::fuzz {
namespace {

// Sends progress, asks, and replies its input.
class EchoRuntime : public runtime::Runtime {
public:
    void invoke(const registry::Library&, const runtime::PlacedInvocation& invocation,
                std::shared_ptr<runtime::PluginCall> call, const loading::Stop&) override {
        call->emit("progress", invocation.input);
        call->log(TOOL_LOG_INFO, invocation.input);
        call->ended(loading::Outcome{
            TOOL_OK, 1, R"([{"json":)" + std::string(invocation.input) + "}]", {}, {}});
    }
    bool can_keep_threads(runtime::Isolation) const override { return false; }
};

// Shared by all inputs, which change only their sessions.
struct World {
    registry::Registry registry;
    EchoRuntime runtime;
    std::unique_ptr<call::Invoker> invoker;
    std::unique_ptr<serve::Server> server;

    World() {
        spdlog::set_level(spdlog::level::off);
        const Json spec{
            {"name", "echo"}, {"description", "d"}, {"inputSchema", {{"type", "object"}}}};
        auto specs = registry::read_spec(spec, "lib");
        must(specs.has_value(), "the fuzzer's own tool is one");
        const auto added = registry.change([&](registry::Draft& draft) -> Result<void> {
            draft.push_back({(*specs)[0], std::make_shared<registry::Library>(), {}, {}});
            return {};
        });
        must(added.has_value(), "the fuzzer's own tool is there");
        invoker = std::make_unique<call::Invoker>(registry, runtime, call::InvokerOptions{});
        serve::ServerOptions options;
        options.version = "1";
        options.invoker = [this](const std::string&) -> Result<call::Invoker*> {
            return invoker.get();
        };
        options.page = [](const registry::ToolSpec& tool) { return tool.name; };
        server = std::make_unique<serve::Server>(std::move(options));
    }
};

void check_message(const std::string& text) {
    must(text.find('\n') == text.npos, "a message is one line");
    const auto message = parse_json(text);
    must(message.has_value(), "a message is JSON");
    const auto check = [](const Json& one) {
        must(one.is_object() && one.value("jsonrpc", "") == "2.0", "a message is JSON-RPC");
        must(one.contains("method") || one.contains("result") != one.contains("error"),
             "a message is a request, a notification, or an answer");
    };
    if (message->is_array())
        for (const auto& one : *message) check(one);
    else
        check(*message);
}

class CheckedSink : public serve::MessageSink {
public:
    ~CheckedSink() override { must(finished_ || kept_, "every message has its end"); }
    void begun(const std::shared_ptr<serve::Request>& exchange) override {
        kept_ = exchange->method() == "subscriptions/listen";
    }
    void send(std::string message) override {
        must(!finished_, "nothing comes after the end");
        check_message(message);
    }
    void finish(std::string message, int status) override {
        must(!finished_, "there is one end");
        finished_ = true;
        must(status >= 200 && status < 600, "a status is HTTP's");
        if (!message.empty()) check_message(message);
    }

private:
    bool finished_ = false, kept_ = false;
};

// The fast parser and the complete one must agree.
void check_quick_reading(std::string_view line) {
    const auto quick = serve::read_message_quickly(line);
    if (!quick) return;
    auto document = parse_json(line);
    must(document.has_value(), "what is read quickly is JSON");
    const auto message = serve::read_message(*std::move(document));
    must(message.has_value(), "what is read quickly is a message");
    const auto &params = quick->params, &others = message->params;
    must(quick->kind == message->kind && quick->id == message->id &&
             quick->method == message->method && params.name == others.name &&
             params.arguments == others.arguments && params.meta == others.meta &&
             params.others == others.others,
         "what is read quickly is the same message");
    if (params.arguments_text.empty()) return;
    const auto arguments = parse_json(params.arguments_text);
    must(arguments && *arguments == params.arguments, "the text of the arguments is theirs");
    must(!params.is_canonical || params.arguments_text == dump(params.arguments),
         "a canonical text is what dump() writes");
}

void feed_lines(World& world, std::string_view text) {
    const auto session = std::make_shared<serve::Session>(serve::Principal{});
    while (!text.empty()) {
        const auto line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        check_quick_reading(line);
        world.server->handle(session, line, std::make_shared<CheckedSink>());
    }
    session->close();
}

// Answers follow each other, each with a declared end.
void check_answers(std::string_view out) {
    while (!out.empty()) {
        must(out.starts_with("HTTP/1.1 "), "an answer is HTTP");
        const auto end = out.find("\r\n\r\n");
        must(end != out.npos, "an answer's head has an end");
        const auto head = out.substr(0, end);
        out.remove_prefix(end + 4);
        if (head.find("chunked") != head.npos) {
            const auto last = out.find("0\r\n\r\n");
            out.remove_prefix(last == out.npos ? out.size() : last + 5);
            continue;
        }
        const auto length = head.find("Content-Length: ");
        if (length == head.npos) continue;
        const auto size = std::stoul(std::string(head.substr(length + 16)));
        must(size <= out.size() || size == 0 || out.empty() || out.starts_with("HTTP/1.1"),
             "a body is as long as it says");
        if (!out.starts_with("HTTP/1.1 "))
            out.remove_prefix(std::min<std::size_t>(size, out.size()));
    }
}

void feed_http(World& world, std::string_view text, std::size_t piece, bool leaves) {
    boost::asio::io_context io;
    serve::HttpLimits limits;
    limits.header_bytes = 2048;
    limits.body_bytes = 2048;
    serve::HttpSessions sessions(4, std::chrono::seconds(60));
    const serve::HttpEndpoint endpoint({*world.server, sessions, serve::HttpGate({}, {}), limits,
                                        nullptr, [] { return std::string("m\n"); },
                                        [](const std::function<void()>& work) { work(); }});
    {
        test::FakeClient client(
            io, limits, [&](const auto& asked) { endpoint.take(asked); }, nullptr, true);
        std::string got;
        for (std::size_t at = 0; at < text.size() && !client.closed(); at += piece) {
            client.send(text.substr(at, piece));
            got += client.got();
        }
        if (leaves) client.leave();
        client.wait(std::chrono::seconds(16));
        check_answers(got);
    }
    sessions.end_all();
    // Ended streams are removed with the next notification, together with their connections.
    world.server->listeners().resource_updated("toolhost://tools/echo");
}

}  // namespace
}  // namespace toolhost::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace toolhost::fuzz;
    static World world;
    const auto text = as_text(data, size);
    if (text.empty()) return 0;
    const auto rest = text.substr(1);
    switch (text.front()) {
        case 'L':
            feed_lines(world, rest);
            break;
        case 'B':
            feed_http(world, rest, 1, false);
            break;
        case 'C':
            feed_http(world, rest, rest.size(), true);
            break;
        default:
            feed_http(world, rest, rest.size(), false);
    }
    return 0;
}
