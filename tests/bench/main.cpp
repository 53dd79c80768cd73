#include <spdlog/spdlog.h>

#include <iostream>
#include <string_view>

#include "tests/bench/bench.hpp"
#include "tests/bench/serve_peers.hpp"

namespace {

using namespace toolhost::bench;

// Each part prints its own table and its ratio.
struct Part {
    std::string_view name;
    int (*run)(int argc, char** argv);
};
constexpr Part kParts[] = {
    {"scan", [](int, char**) { return bench_scan(), 0; }},
    {"schema", [](int, char**) { return bench_schema(), 0; }},
    {"call", bench_call},
    {"isolated", [](int, char**) { return bench_isolated(), 0; }},
    {"git", [](int, char**) { return bench_git(), 0; }},
    {"files", [](int, char**) { return bench_files(), 0; }},
    {"http", [](int, char**) { return bench_http(), 0; }},
    {"data", [](int, char**) { return bench_data(), 0; }},
    {"serve", bench_serve},
};
// Not benchmarks: this program runs as the floor of `serve`.
constexpr Part kFloors[] = {
    {"floor-stdio", [](int, char**) { return run_floor_stdio(); }},
    {"floor-isolated", [](int, char**) { return run_floor_isolated(); }},
    {"floor-http", [](int, char**) { return run_floor_http(); }},
};

}  // namespace

// Runs all parts, or the named one with its own arguments.
int main(int argc, char** argv) {
    spdlog::set_level(spdlog::level::warn);  // the table is the output
    for (const auto& floor : kFloors)
        if (argc > 1 && floor.name == argv[1]) return floor.run(argc, argv);
    int code = 0;
    bool known = argc < 2;
    for (const auto& part : kParts) {
        if (argc > 1 && part.name != argv[1]) continue;
        known = true;
        code |= argc > 1 ? part.run(argc - 1, argv + 1) : part.run(argc, argv);
    }
    if (known) return code;
    std::cerr << "toolhost_bench: no part '" << argv[1] << "'; there are";
    for (const auto& part : kParts) std::cerr << ' ' << part.name;
    std::cerr << '\n';
    return 2;
}
