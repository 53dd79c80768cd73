// Embeds toolhost with the public header only.
// usage: embedder PLUGINS EVENTS; prints its observations.
#include <toolhost/host.hpp>

#include <future>
#include <iostream>
#include <thread>

int main(int argc, char** argv) {
    if (argc != 3) return 2;
    toolhost::HostOptions wrong;
    wrong.profile = "nope";
    const auto refused = toolhost::Host::open(wrong);
    std::cout << "refused: " << (refused ? "no" : refused.error().code) << '\n';

    toolhost::HostOptions options;
    options.plugins = {argv[1]};
    options.events = argv[2];
    auto host = toolhost::Host::open(options);
    if (!host) {
        std::cerr << host.error().message << '\n';
        return 1;
    }
    const auto tools = host->list();
    for (const auto& tool : *tools)
        std::cout << "tool: " << tool.at("name").get<std::string>() << '\n';

    const auto sum = host->call({.tool = "calculator", .input = {{"expression", "6*7"}}});
    std::cout << "calculator: " << sum.document.dump() << '\n';
    const auto unknown = host->call({.tool = "no_such_tool"});
    std::cout << "unknown: " << unknown.document.at("error").at("code") << '\n';

    toolhost::CallObserver observer;
    observer.ask = [](const nlohmann::json& question) -> std::optional<toolhost::Answer> {
        std::cout << "asked: " << question.at("name") << '\n';
        return toolhost::Answer{toolhost::Answer::Kind::given, true};
    };
    const auto asked = host->call({.tool = "asker", .consented = true}, observer);
    std::cout << "asker: " << asked.document.dump() << '\n';

    // `waiter` runs until it is cancelled; its first event reports that it has started.
    std::stop_source stop;
    toolhost::CallObserver cancelling;
    cancelling.cancel = stop.get_token();
    cancelling.event = [&](const std::string&, const nlohmann::json&) { stop.request_stop(); };
    const auto cancelled = host->call({.tool = "waiter", .input = {{"ms", 600000}}}, cancelling);
    std::cout << "cancelled: " << cancelled.document.at("error").at("code") << '\n';

    const nlohmann::ordered_json spec{
        {"name", "greet"},
        {"description", "Greets."},
        {"inputSchema", {{"type", "object"}, {"properties", {{"name", {{"type", "string"}}}}}}}};
    const auto greet = [](const toolhost::ToolInput& input, toolhost::ToolCall& call) {
        call.emit("progress", {{"progress", 1}});
        return toolhost::ToolReply::text("hello " + input.input.at("name").get<std::string>());
    };
    if (const auto created = host->create_tool(spec, greet); !created)
        std::cout << "created: " << created.error().message << '\n';
    const auto again = host->create_tool(spec, greet);
    std::cout << "again: " << (again ? "created" : again.error().code) << '\n';
    toolhost::CallObserver seeing;
    seeing.event = [](const std::string& kind, const nlohmann::json&) {
        std::cout << "event: " << kind << '\n';
    };
    const auto greeted = host->call({.tool = "greet", .input = {{"name", "Ann"}}}, seeing);
    std::cout << "greet: " << greeted.document.dump() << '\n';

    const bool changed = host->reload();
    std::cout << "reload: " << (changed ? "changed" : "the same") << '\n';

    // A call that runs when the host is shut down is cancelled.
    toolhost::CallObserver shutting;
    std::promise<void> begun;
    shutting.event = [&](const std::string&, const nlohmann::json&) { begun.set_value(); };
    std::thread waiting([&] {
        const auto ended = host->call({.tool = "waiter", .input = {{"ms", 600000}}}, shutting);
        std::cout << "shut down: " << ended.document.at("error").at("code") << '\n';
    });
    begun.get_future().wait();
    host->shutdown();
    waiting.join();
    const auto late = host->call({.tool = "calculator", .input = {{"expression", "1"}}});
    std::cout << "late: " << late.document.at("error").at("message") << '\n';
    return 0;
}
