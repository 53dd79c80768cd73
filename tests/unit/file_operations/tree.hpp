// A temporary folder with created files, removed by the destructor.
#pragma once

#include <stdlib.h>

#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "access/access.hpp"

namespace file_operations::test {

namespace fs = std::filesystem;

class MadeTree {
public:
    MadeTree() {
        std::string name = (fs::temp_directory_path() / "files-XXXXXX").string();
        REQUIRE(::mkdtemp(name.data()) != nullptr);
        root = fs::canonical(name);
    }
    ~MadeTree() {
        std::error_code fault;
        fs::remove_all(root, fault);
    }
    MadeTree(const MadeTree&) = delete;
    MadeTree& operator=(const MadeTree&) = delete;

    void file(const std::string& path, const std::string& content = "x\n") const {
        fs::create_directories((root / path).parent_path());
        std::ofstream(root / path, std::ios::binary) << content;
    }
    void link(const std::string& path, const std::string& target) const {
        fs::create_directories((root / path).parent_path());
        fs::create_symlink(target, root / path);
    }
    [[nodiscard]] std::string content(const std::string& path) const {
        std::ostringstream out;
        out << std::ifstream(root / path, std::ios::binary).rdbuf();
        return out.str();
    }
    [[nodiscard]] Access access(const Rules& rules = {}, const std::string& below = "") const {
        auto opened = Access::open((root / below).string(), rules);
        REQUIRE(opened);
        return *std::move(opened);
    }

    fs::path root;
};

// The reason of a denial; "failed" for another failure; empty for a success.
template <class T>
std::string why(const Outcome<T>& outcome) {
    if (outcome) return "";
    const Refusal& refusal = outcome.failure();
    return refusal.word.empty() ? "failed" : refusal.word;
}

}  // namespace file_operations::test
