// A temporary folder of a test, removed by the destructor.
#pragma once

#include <stdlib.h>

#include <boost/filesystem.hpp>
#include <boost/filesystem/fstream.hpp>
#include <stdexcept>
#include <string>

namespace toolhost::test {

class TempFolder {
public:
    TempFolder() {
        std::string pattern =
            (boost::filesystem::temp_directory_path() / "toolhost-unit-XXXXXX").string();
        if (!::mkdtemp(pattern.data())) throw std::runtime_error("mkdtemp");
        path_ = pattern;
    }
    ~TempFolder() {
        boost::system::error_code ignored;
        boost::filesystem::remove_all(path_, ignored);
    }
    TempFolder(const TempFolder&) = delete;
    TempFolder& operator=(const TempFolder&) = delete;

    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] std::string operator/(const std::string& name) const {
        return path_ + '/' + name;
    }
    void write(const std::string& name, const std::string& content) const {
        boost::filesystem::ofstream(*this / name, std::ios::binary) << content;
    }
    // Copies a fixture's library here, optionally under another name.
    void take(const std::string& fixture, const std::string& name = "") const {
        boost::filesystem::copy_file(
            std::string(TOOLHOST_FIXTURES) + '/' + fixture + '/' + fixture + ".so",
            *this / ((name.empty() ? fixture : name) + ".so"),
            boost::filesystem::copy_options::overwrite_existing);
    }

private:
    std::string path_;
};

}  // namespace toolhost::test
