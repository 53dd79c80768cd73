// Replaces libFuzzer where it is not available: runs files, and all files of folders, through the
// fuzzer once.
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
    // A copy of exactly that size on the heap: sanitizers then see a read behind its end.
    const std::vector<std::uint8_t> input(bytes.begin(), bytes.end());
    LLVMFuzzerTestOneInput(input.data(), input.size());
    return true;
}

}  // namespace

int main(int argc, char** argv) {
    const auto files = files_of(argc, argv);
    for (const auto& file : files) {
        // Said before, so that a crash can be told apart.
        std::printf("%s\n", file.filename().c_str());
        std::fflush(stdout);
        if (!replay(file)) {
            std::fprintf(stderr, "cannot read %s\n", file.c_str());
            return 1;
        }
    }
    std::printf("%zu inputs\n", files.size());
    // A corpus that was lost must not look like one that passed.
    return files.empty() ? 1 : 0;
}
