#include <benchmark/benchmark.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

#include <boost/filesystem.hpp>
#include <cstdio>
#include <map>
#include <memory>
#include <stdexcept>

#include "host/base/json_text.hpp"
#include "host/call/event_log.hpp"
#include "host/call/invoker.hpp"
#include "host/discovery/scan.hpp"
#include "host/loading/host_table.hpp"
#include "host/os/descriptor.hpp"
#include "host/policy/profile.hpp"
#include "host/runtime/in_process.hpp"
#include "tests/bench/bench.hpp"
#include "tests/bench/no_host.hpp"

namespace toolhost::bench {
namespace {

constexpr std::string_view kInput = R"({"a": 2, "b": 3})";
const std::string kFolder = TOOLHOST_FIXTURES "/bench_plugin";

// The floor: the bare symbol is called, with the JSON work of any caller: the input is parsed and
// dumped for the tool, its reply parsed, the result dumped.
void bare_call(benchmark::State& state) {
    void* library = ::dlopen((kFolder + "/bench_plugin.so").c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) throw std::runtime_error(::dlerror());
    auto invoke = reinterpret_cast<decltype(&tool_invoke)>(::dlsym(library, "tool_invoke"));
    NoHost host;
    for (auto _ : state) {
        auto input = Json::parse(kInput);
        const std::string text = input.dump();
        tool_call call{&host, {}, {}};
        tool_request request{sizeof request,
                             0,
                             loading::as_tool_str("bench_00000000"),
                             loading::as_tool_str("id"),
                             loading::as_tool_str(text),
                             loading::as_tool_str("{}"),
                             loading::as_tool_str("{}"),
                             -1,
                             {},
                             {}};
        if (invoke(&request, &loading::host_table(), &call) != TOOL_OK)
            throw std::runtime_error("call");
        auto content = Json::parse(call.outcome.content);
        benchmark::DoNotOptimize(
            Json{{"toolUseId", "id"}, {"status", "success"}, {"content", std::move(content)}}
                .dump());
    }
}
BENCHMARK(bare_call);

// The shipped default profile, but in the host's process.
policy::ProfilePtr in_process_profile() {
    auto layers = policy::built_in_profile()->layers();
    auto layer =
        policy::read_layer("defaults: { isolation: in_process, sandbox: off }", "", "bench");
    if (!layer) throw std::runtime_error(layer.error().message);
    layers.push_back(*layer);
    return std::make_shared<const policy::Profile>(std::move(layers));
}

class ResultText final : public call::CallObserver {
public:
    void finished(call::ToolResult&& result) override {
        if (!result.ok()) throw std::runtime_error(result.error->message);
        benchmark::DoNotOptimize(result.text());
    }
};

// The same from JSON text to JSON text through all nine steps, with or without events to a file.
void governed_call(benchmark::State& state, bool events) {
    discovery::ScanOptions options;
    options.folders = {kFolder};
    options.probe.program = TOOLHOST_BINARY;
    registry::Registry registry;
    auto report = discovery::scan(options);
    auto filled = registry.change([&](registry::Draft& draft) -> Result<void> {
        draft = discovery::take_tools(report, options);
        return {};
    });
    if (!filled) throw std::runtime_error(filled.error().message);
    runtime::InProcess runtime("");
    call::InvokerOptions governed;
    governed.rules.profile = in_process_profile();
    std::string file =
        (boost::filesystem::temp_directory_path() / "toolhost-bench-XXXXXX").string();
    os::Descriptor made(::mkstemp(file.data()));
    if (!made) throw std::runtime_error("mkstemp");
    if (events) governed.events = call::Events(*call::open_event_log(file));
    call::Invoker invoker(registry, runtime, std::move(governed));
    const auto observer = std::make_shared<ResultText>();
    for (auto _ : state) {
        call::ToolUse use;
        use.reference = "bench_00000000";
        use.use_id = "id";
        use.input = *parse_json(kInput);
        invoker.start(std::move(use), observer);
    }
    ::unlink(file.c_str());
}
// Real time, because another thread writes the events.
BENCHMARK_CAPTURE(governed_call, silent, false)->UseRealTime();
BENCHMARK_CAPTURE(governed_call, events, true)->UseRealTime();

// Stores the medians, to print the ratio after them.
class Reporter : public benchmark::ConsoleReporter {
public:
    void ReportRuns(const std::vector<Run>& runs) override {
        for (const auto& run : runs)
            if (run.run_type == Run::RT_Aggregate && run.aggregate_name == "median")
                medians[run.run_name.str()] = run.GetAdjustedRealTime();
        ConsoleReporter::ReportRuns(runs);
    }
    std::map<std::string, double> medians;
};

}  // namespace

int bench_call(int argc, char** argv) {
    // Interleaved, so that a slower machine affects all of them.
    std::vector<char*> words(argv, argv + argc);
    char interleaved[] = "--benchmark_enable_random_interleaving=true";
    char repeated[] = "--benchmark_repetitions=15", brief[] = "--benchmark_min_time=0.05";
    char medians[] = "--benchmark_report_aggregates_only=true";
    words.insert(words.begin() + 1, {interleaved, repeated, brief, medians});
    argc = static_cast<int>(words.size());
    benchmark::Initialize(&argc, words.data());
    Reporter reporter;
    benchmark::RunSpecifiedBenchmarks(&reporter);
    const double bare = reporter.medians["bare_call"];
    for (const char* name : {"governed_call/silent/real_time", "governed_call/events/real_time"})
        if (const double governed = reporter.medians[name]; bare > 0 && governed > 0)
            std::printf("%s: %.2f times the bare call, %.0f ns over it\n", name, governed / bare,
                        governed - bare);
    return 0;
}

}  // namespace toolhost::bench
