#include "tests/bench/bench.hpp"

// Each part prints its own table and the ratio that counts.
int main(int argc, char** argv) {
    toolhost::bench::bench_scan();
    return toolhost::bench::bench_call(argc, argv);
}
