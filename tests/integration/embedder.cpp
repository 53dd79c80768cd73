// A program that embeds the host, for behaviour that must be the same through the library: request
// lines on stdin, result lines on stdout, in order through one host.
// usage: embedder PLUGINS PROFILE EVENTS
#include <spdlog/spdlog.h>

#include <iostream>
#include <thread>

#include "host/base/json_text.hpp"
#include "host/call/event_log.hpp"
#include "host/host.hpp"
#include "tests/soak/footprint.hpp"

namespace toolhost::test {
namespace {

// What a worker costs its host: the descriptors of its reaper, its output and its answer bell.
constexpr std::size_t kDescriptorsOfWorker = 3;

// Another thread notices a moment later that a worker has ended.
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
    auto events = call::open_event_log(argv[3]);
    if (!events) throw std::runtime_error(events.error().message);
    core::HostOptions options;
    options.plugins.only = {argv[1]};
    options.config.profile = argv[2];
    options.program = TOOLHOST_BINARY;
    options.probe_timeout = std::chrono::minutes(1);
    options.events = *std::move(events);
    const auto opened = core::Host::open(std::move(options));
    if (!opened) throw std::runtime_error(opened.error().message);
    auto& host = **opened;
    const auto before = soak::footprint().descriptors;
    bool well = true, clean = true;
    for (std::string line; std::getline(std::cin, line);) {
        const auto request = Json::parse(line);
        call::ToolUse use;
        use.reference = request.at("tool").get<std::string>();
        use.input = request.at("input");
        const auto result = host.invoker().call(std::move(use));
        well = well && result.ok();
        clean = holds_only_workers(host.runtimes(), before) && clean;
        std::cout << dump(result.json()) << std::endl;
    }
    host.flush_events();
    if (!clean) return 70;
    return well ? 0 : 10;
}

}  // namespace
}  // namespace toolhost::test

int main(int argc, char** argv) {
    if (argc != 4) return 2;
    spdlog::set_level(spdlog::level::err);
    return toolhost::test::embed(argv);
}
