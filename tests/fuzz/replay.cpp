// Replaces libFuzzer if it is not available: runs the fuzzer once for each file, and for all files
// in folders.
//   fuzz_NAME FILE|FOLDER...
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/fuzz/fuzz.hpp"

namespace fs = std::filesystem;

namespace {

std::vector<fs::path> files_of(int count, char** arguments) {
    std::vector<fs::path> files;
    for (int i = 1; i < count; ++i) {
        if (!fs::is_directory(arguments[i])) {
            files.emplace_back(arguments[i]);
            continue;
        }
        for (const auto& entry : fs::directory_iterator(arguments[i]))
            if (entry.is_regular_file()) files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

bool replay(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    if (!in) return false;
    const std::vector<char> bytes{std::istreambuf_iterator<char>(in), {}};
    // A copy of the exact size on the heap, so that sanitizers detect reads beyond its end.
    const std::vector<std::uint8_t> input(bytes.begin(), bytes.end());
    LLVMFuzzerTestOneInput(input.data(), input.size());
    return true;
}

}  // namespace

int main(int argc, char** argv) {
    const auto files = files_of(argc, argv);
    for (const auto& file : files) {
        // Printed first, so that a crash can be attributed.
        std::printf("%s\n", file.filename().c_str());
        std::fflush(stdout);
        if (!replay(file)) {
            std::fprintf(stderr, "cannot read %s\n", file.c_str());
            return 1;
        }
    }
    std::printf("%zu inputs\n", files.size());
    // A missing corpus must not look like success.
    return files.empty() ? 1 : 0;
}
