// Runs the real program as a user would, each time in a separate environment.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <iosfwd>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace toolhost::test {

using Json = nlohmann::json;
namespace fs = std::filesystem;

// A user without files; for permissions that root would not be refused.
inline constexpr uid_t kNobody = 65534;
[[nodiscard]] bool is_root();

[[nodiscard]] std::string read_file(const fs::path& path);
void write_file(const fs::path& path, std::string_view content);
// Permissions, including special bits.
[[nodiscard]] unsigned mode_of(const fs::path& path);
// Calculated by sha256sum, independently of the host.
[[nodiscard]] std::string sha256_of(std::string_view text);
[[nodiscard]] std::vector<std::string> lines_of(std::string_view text);
// Replaces white space by single spaces, so that wrapping does not matter.
[[nodiscard]] std::string unwrapped(std::string_view text);
[[nodiscard]] bool contains(std::string_view text, std::string_view part);

// The path of a fixture's library in the build.
[[nodiscard]] fs::path fixture_library(const std::string& name);
// File names of the libraries that TOOLHOST_SHIPPED must contain, sorted. CMake lists them; the
// folder is not read.
[[nodiscard]] std::vector<std::string> shipped_libraries();
// The file names of the paths under `key` in a list of objects, sorted.
[[nodiscard]] std::vector<std::string> file_names(const Json& entries, const std::string& key);

class TempDir {
public:
    TempDir();
    ~TempDir();
    TempDir(const TempDir&) = delete;
    TempDir& operator=(const TempDir&) = delete;

    [[nodiscard]] const fs::path& path() const { return path_; }

private:
    fs::path path_;
};

struct Options {
    std::map<std::string, std::string> env{};  // in addition to the stage's, with precedence
    std::string input{};                       // the program's stdin
    std::optional<uid_t> user{};               // runs as another user; only root can
    bool name_plugins = true;                  // append --only-plugins with the stage's folder
    fs::path folder{};                         // working directory; empty: the stage's
    // Generous: it ends hangs, and does not measure.
    std::chrono::seconds deadline{120};
};

struct Run {
    int exit_code = -1;  // 128 + signal if it was killed, as in shells
    bool timed_out = false;
    std::string out, err;

    // Parses stdout as one JSON value; fails the check and returns an empty object if it is not.
    [[nodiscard]] Json json() const;
};
// The error's code in a result printed by --json; empty for a success.
[[nodiscard]] std::string code_of(const Run& run);
std::ostream& operator<<(std::ostream& to, const Run& run);

// A plugin folder, a cache, a home and a temporary folder, removed by the destructor.
class Stage {
public:
    explicit Stage(const std::vector<std::string>& fixtures = {});

    [[nodiscard]] const fs::path& root() const { return dir_.path(); }
    [[nodiscard]] fs::path plugins() const { return root() / "plugins"; }
    [[nodiscard]] fs::path cache() const { return root() / "cache"; }

    // Copies the build's files of the fixture, including subfolders.
    void add(const std::string& fixture) const { add(fixture, plugins()); }
    void add(const std::string& fixture, const fs::path& folder) const;
    // Adds one library under another name. Returns its path.
    fs::path add_as(const std::string& fixture, const std::string& file_name) const;

    // Writes a grant to the user's config file.
    void grant(const std::string& tool, const std::string& word) const;

    [[nodiscard]] Run run(std::vector<std::string> args, const Options& options = {}) const;

    // The command of run(): the program with its arguments, and the environment as NAME=VALUE.
    struct Command {
        std::vector<std::string> args, env;
    };
    [[nodiscard]] Command command(std::vector<std::string> args, const Options& options) const;

private:
    [[nodiscard]] std::map<std::string, std::string> environment(const Options& options) const;

    TempDir dir_;
};

// Replaces the library beside private_dependency.so, which then says "from the another part". The
// plugin's own file is not changed.
void replace_private_part(const Stage& stage);

// Doctor's entry for a file by name; fails the check and returns nothing if there is not exactly
// one.
[[nodiscard]] Json candidate(const Json& doctor, const std::string& file_name);
// The names in {"tools": [...]}, as list prints them.
[[nodiscard]] std::vector<std::string> tool_names(const Json& list);

}  // namespace toolhost::test
