#pragma once

#include <algorithm>
#include <vector>

namespace toolhost::bench {

[[nodiscard]] inline double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

// Cold and warm starts with 10, 100 and 1,000 plugins, compared with a stat of as many files.
void bench_scan();
// Validation of a small and a large value compared with valijson, with the same schema and value.
void bench_schema();
// One governed call in the host's process compared with a bare call with the same JSON work.
int bench_call(int argc, char** argv);
void bench_isolated();
// The git tool compared with the git command as a process, on a repository with 5,000 commits.
void bench_git();
// file_search, file_read and file_list compared with rg, grep, cat and find as processes.
void bench_files();
// A warm http_request compared with `curl` as a process.
void bench_http();
// A warm calculator compared with `python3 -c`, with sympy if it is installed.
void bench_data();
// Calls over MCP beside the TypeScript SDK and beside a server that parses nothing.
// A word of a name: only the works that have it.
int bench_serve(int argc, char** argv);

}  // namespace toolhost::bench
