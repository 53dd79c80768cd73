// A temporary folder in which commands run.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace shell_test {

struct Workspace {
    Workspace() {
        auto pattern = (std::filesystem::temp_directory_path() / "shell-unit-XXXXXX").string();
        if (!::mkdtemp(pattern.data())) throw std::runtime_error("mkdtemp");
        path = std::filesystem::canonical(pattern);
    }
    ~Workspace() {
        std::error_code ignored;
        std::filesystem::remove_all(path, ignored);
    }
    Workspace(const Workspace&) = delete;
    Workspace& operator=(const Workspace&) = delete;

    void write(const std::string& name, const std::string& text) const {
        std::ofstream(path / name) << text;
    }
    void script(const std::string& name, const std::string& text) const {
        write(name, "#!/bin/sh\n" + text + "\n");
        std::filesystem::permissions(path / name, std::filesystem::perms(0755));
    }
    [[nodiscard]] std::string read(const std::string& name) const {
        std::ifstream in(path / name);
        return {std::istreambuf_iterator<char>(in), {}};
    }

    std::filesystem::path path;
};

}  // namespace shell_test
