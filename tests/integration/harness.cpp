#include "tests/integration/harness.hpp"

#include <doctest/doctest.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>

#include "tests/integration/child.hpp"

namespace toolhost::test {
namespace {

// Other users cannot run a build below a private folder, but the copy.
fs::path program_for(const Options& options, const fs::path& stage) {
    const fs::path program = TOOLHOST_BINARY;
    if (!options.user) return program;
    for (auto folder = program.parent_path(); folder != folder.root_path();
         folder = folder.parent_path()) {
        if ((fs::status(folder).permissions() & fs::perms::others_exec) == fs::perms::none) {
            const auto copy = stage / "bin" / program.filename();
            fs::create_directories(copy.parent_path());
            fs::copy_file(program, copy, fs::copy_options::skip_existing);
            return copy;
        }
    }
    return program;
}

void change_owner(uid_t user, const fs::path& folder) {
    const auto give = [&](const fs::path& path) {
        if (::lchown(path.c_str(), user, user) != 0)
            throw std::runtime_error("lchown " + path.string());
    };
    give(folder);
    for (const auto& entry : fs::recursive_directory_iterator(folder)) give(entry.path());
}

}  // namespace

bool is_root() {
    return ::geteuid() == 0;
}

std::string read_file(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw std::runtime_error("cannot read " + path.string());
    return {std::istreambuf_iterator<char>(file), {}};
}

void write_file(const fs::path& path, std::string_view content) {
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file.write(content.data(), static_cast<std::streamsize>(content.size()));
    if (!file.flush()) throw std::runtime_error("cannot write " + path.string());
}

unsigned mode_of(const fs::path& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) throw std::runtime_error("stat " + path.string());
    return status.st_mode & 07777;
}

std::string sha256_of(std::string_view text) {
    const TempDir folder;
    write_file(folder.path() / "text", text);
    FILE* pipe = ::popen(("sha256sum < " + (folder.path() / "text").string()).c_str(), "r");
    if (!pipe) throw std::runtime_error("popen");
    char digits[65] = {};
    const bool read = ::fgets(digits, sizeof digits, pipe) != nullptr;
    if (::pclose(pipe) != 0 || !read) throw std::runtime_error("sha256sum");
    return digits;
}

std::vector<std::string> lines_of(std::string_view text) {
    std::vector<std::string> lines;
    std::istringstream stream{std::string(text)};
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

std::string unwrapped(std::string_view text) {
    std::istringstream stream{std::string(text)};
    std::string out;
    for (std::string word; stream >> word;) out += (out.empty() ? "" : " ") + word;
    return out;
}

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

fs::path fixture_library(const std::string& name) {
    const auto folder = fs::path(TOOLHOST_FIXTURES) / name;
    const auto plain = folder / (name + ".so");
    return fs::exists(plain) ? plain : folder / name / (name + ".so");
}

TempDir::TempDir() {
    auto pattern = (fs::temp_directory_path() / "toolhost-test-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp " + pattern);
    path_ = pattern;
    // Some tests run the program as another user, who needs access.
    fs::permissions(path_, fs::perms(0755));
}

TempDir::~TempDir() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

Json Run::json() const {
    auto value = Json::parse(out, nullptr, false);
    CAPTURE(*this);
    CHECK_FALSE(value.is_discarded());
    return value.is_discarded() ? Json::object() : value;
}

std::string code_of(const Run& run) {
    return run.json().value(Json::json_pointer("/error/code"), "");
}

std::ostream& operator<<(std::ostream& to, const Run& run) {
    const auto shown = [](const std::string& text) {
        return text.size() < 4000 ? text : text.substr(0, 4000) + "...";
    };
    return to << "exit " << run.exit_code << (run.timed_out ? " (deadline)" : "")
              << "\n--- stdout\n"
              << shown(run.out) << "--- stderr\n"
              << shown(run.err) << "---";
}

Stage::Stage(const std::vector<std::string>& fixtures) {
    for (const auto* folder : {"plugins", "cache", "home", "tmp"})
        fs::create_directory(root() / folder);
    for (const auto& fixture : fixtures) add(fixture);
}

void Stage::add(const std::string& fixture, const fs::path& folder) const {
    fs::create_directories(folder);
    fs::copy(fs::path(TOOLHOST_FIXTURES) / fixture, folder,
             fs::copy_options::recursive | fs::copy_options::overwrite_existing);
}

fs::path Stage::add_as(const std::string& fixture, const std::string& file_name) const {
    const auto to = plugins() / file_name;
    fs::copy_file(fixture_library(fixture), to, fs::copy_options::overwrite_existing);
    return to;
}

void Stage::grant(const std::string& tool, const std::string& word) const {
    const auto granted = run({"grant", tool, word});
    CAPTURE(granted);
    REQUIRE(granted.exit_code == 0);
}

std::map<std::string, std::string> Stage::environment(const Options& options) const {
    const auto home = (root() / "home").string();
    std::map<std::string, std::string> env{
        {"PATH", "/usr/local/bin:/usr/bin:/bin"},
        {"LANG", "C.UTF-8"},
        {"HOME", home},
        {"XDG_CACHE_HOME", home + "/.cache"},
        {"XDG_CONFIG_HOME", home + "/.config"},
        {"XDG_DATA_HOME", home + "/.local/share"},
        {"XDG_STATE_HOME", home + "/.local/state"},
        {"XDG_RUNTIME_DIR", home},
        {"TMPDIR", (root() / "tmp").string()},
        {"TOOLHOST_CACHE", cache().string()},
        // A fixture's crash must look as without a sanitizer.
        {"ASAN_OPTIONS", "handle_segv=0:handle_abort=0:allow_user_segv_handler=1:detect_leaks=0"},
        {"TSAN_OPTIONS", "handle_segv=0:handle_abort=0"},
        {"UBSAN_OPTIONS", "handle_segv=0:handle_abort=0:print_stacktrace=1"},
    };
    for (const auto& [name, value] : options.env) env[name] = value;
    return env;
}

Stage::Command Stage::command(std::vector<std::string> args, const Options& options) const {
    if (options.name_plugins) {
        args.emplace_back("--only-plugins");
        args.push_back(plugins().string());
    }
    // On a busy machine a valid plugin must not look like one that hangs.
    if (std::find(args.begin(), args.end(), "--probe-timeout") == args.end())
        args.insert(args.end(), {"--probe-timeout", "60000"});
    if (options.user)
        for (const auto* folder : {"cache", "home", "tmp"})
            change_owner(*options.user, root() / folder);
    args.insert(args.begin(), program_for(options, root()).string());
    Command out{std::move(args), {}};
    for (const auto& [name, value] : environment(options)) out.env.push_back(name + "=" + value);
    return out;
}

Run Stage::run(std::vector<std::string> given, const Options& options) const {
    const auto [args, env] = command(std::move(given), options);
    const auto folder = options.folder.empty() ? root() : options.folder;

    const auto ended = run_child({.args = args,
                                  .env = env,
                                  .input = options.input,
                                  .folder = folder,
                                  .user = options.user,
                                  .deadline = options.deadline});
    Run run{ended.exit_code, ended.timed_out, ended.out, ended.err};
    std::string command;
    for (const auto& arg : args) command += arg.substr(0, 200) + ' ';
    CAPTURE(command);
    CAPTURE(run);
    CHECK_FALSE(run.timed_out);
    return run;
}

void replace_private_part(const Stage& stage) {
    const auto part = stage.plugins() / "private_dependency/libprivate_part.so";
    auto content = read_file(part);
    const std::string_view word = "private part\"";
    const auto at = content.find(word);
    REQUIRE(at != std::string::npos);
    content.replace(at, word.size(), "another part\"");
    const auto next = stage.root() / "next.so";
    write_file(next, content);
    fs::rename(next, part);
}

std::vector<std::string> shipped_libraries() {
    std::istringstream names(TOOLHOST_TESTED_PLUGINS);
    std::vector<std::string> out;
    for (std::string name; names >> name;) out.push_back(name + ".so");
    std::sort(out.begin(), out.end());
    return out;
}

std::vector<std::string> file_names(const Json& entries, const std::string& key) {
    std::vector<std::string> out;
    for (const auto& entry : entries)
        out.push_back(fs::path(entry.value(key, "")).filename().string());
    std::sort(out.begin(), out.end());
    return out;
}

Json candidate(const Json& doctor, const std::string& file_name) {
    Json found;
    int count = 0;
    for (const auto& entry : doctor.value("candidates", Json::array())) {
        if (fs::path(entry.value("path", "")).filename() != file_name) continue;
        found = entry;
        ++count;
    }
    CAPTURE(file_name);
    CAPTURE(doctor.dump(2));
    CHECK(count == 1);
    return count == 1 ? found : Json::object();
}

std::vector<std::string> tool_names(const Json& list) {
    std::vector<std::string> names;
    for (const auto& spec : list.value("tools", Json::array()))
        names.push_back(spec.value("name", ""));
    return names;
}

}  // namespace toolhost::test
