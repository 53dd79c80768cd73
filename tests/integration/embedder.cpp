// A program that embeds the host, for what must hold through the library as through the command
// line: request lines on stdin, result lines on stdout, one after the other through one invoker.
// usage: embedder PLUGINS PROFILE EVENTS FOLDER
#include <spdlog/logger.h>
#include <spdlog/spdlog.h>

#include <iostream>
#include <thread>

#include "host/base/json_text.hpp"
#include "host/call/event_log.hpp"
#include "host/call/invoker.hpp"
#include "host/runtime/runtimes.hpp"
#include "tests/filled_registry.hpp"
#include "tests/soak/footprint.hpp"

namespace toolhost::test {
namespace {

// What a worker costs its host: a descriptor of its reaper, and one of what it prints.
constexpr std::size_t kDescriptorsOfWorker = 2;

// A worker that has ended is noticed by another thread, a moment later.
bool holds_only_workers(runtime::Runtimes& runtime, std::size_t before) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    for (;;) {
        const auto expected = before + kDescriptorsOfWorker * runtime.isolated().workers();
        const auto found = soak::footprint().descriptors;
        if (found == expected) return true;
        if (std::chrono::steady_clock::now() > end) {
            std::cerr << "descriptors: " << found << " instead of " << expected << '\n';
            return false;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
}

int embed(char** argv) {
    registry::Registry registry;
    fill(registry, argv[1]);
    auto profile = policy::load_profile(argv[2], "");
    auto events = call::open_event_log(argv[3]);
    if (!profile || !events) throw std::runtime_error("no profile or no events");
    runtime::Runtimes runtime(
        {TOOLHOST_BINARY, std::string(argv[4]) + "/copies", std::string(argv[4]) + "/quarantine"});
    call::InvokerOptions options;
    options.rules.profile = *profile;
    options.events = call::Events(*events);
    call::Invoker invoker(registry, runtime, std::move(options));
    const auto before = soak::footprint().descriptors;
    bool well = true, clean = true;
    for (std::string line; std::getline(std::cin, line);) {
        const auto request = Json::parse(line);
        call::ToolUse use;
        use.reference = request.at("tool").get<std::string>();
        use.input = request.at("input");
        const auto result = invoker.call(std::move(use));
        well = well && result.ok();
        clean = holds_only_workers(runtime, before) && clean;
        std::cout << dump(result.json()) << std::endl;
    }
    (*events)->flush();
    if (!clean) return 70;
    return well ? 0 : 10;
}

}  // namespace
}  // namespace toolhost::test

int main(int argc, char** argv) {
    if (argc != 5) return 2;
    spdlog::set_level(spdlog::level::err);
    return toolhost::test::embed(argv);
}
