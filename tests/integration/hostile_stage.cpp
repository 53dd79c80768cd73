#include "tests/integration/hostile_stage.hpp"

#include <doctest/doctest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <charconv>
#include <fstream>
#include <sstream>
#include <thread>

#include "tests/integration/child.hpp"

namespace toolhost::test {
namespace {

// As in /proc; empty if unavailable.
std::string shown_by(pid_t process, const char* what) {
    std::ifstream file("/proc/" + std::to_string(process) + '/' + what, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<pid_t> all_processes() {
    std::vector<pid_t> out;
    for (const auto& entry : fs::directory_iterator("/proc")) {
        const auto name = entry.path().filename().string();
        pid_t pid = 0;
        const auto [end, fault] = std::from_chars(name.data(), name.data() + name.size(), pid);
        if (fault == std::errc() && end == name.data() + name.size()) out.push_back(pid);
    }
    return out;
}

int count_events(const std::vector<std::string>& lines, const std::string& event) {
    int count = 0;
    for (const auto& line : lines) count += Json::parse(line).value("event", "") == event;
    return count;
}

}  // namespace

HostileStage::HostileStage(const std::vector<std::string>& fixtures)
    : tools_(fixtures), stage_(fixtures) {
    stage_.add("echo");
    fs::create_directory(workspace());
}

fs::path HostileStage::write_profile(const ProfileValues& values) const {
    const auto file = stage_.root() / "hostile.yml";
    std::ostringstream text;
    text << "name: hostile\nextends: default\ndefaults: { isolation: process, sandbox: "
         << values.sandbox << " }\npolicies:\n";
    for (const auto& tool : tools_)
        text << "  " << tool << ": { timeoutMs: " << values.timeout_ms << " }\n";
    text << "limits: { memoryMb: " << values.memory_mb << ", cpuSeconds: " << values.cpu_seconds
         << ", processes: 16, openFiles: 64, fileSizeMb: 8 }\n"
         << "workers: { graceMs: 200, maxCrashes: " << values.max_crashes
         << " }\nworkspace: " << workspace().string() << "\ngrants: { " << values.grants << " }\n";
    write_file(file, text.str());
    return file;
}

Run HostileStage::run(const std::vector<Json>& requests, const ProfileValues& values,
                      Through through) const {
    std::string lines;
    for (const auto& request : requests) lines += request.dump() + '\n';
    lines += R"({"tool":"echo","input":{"still":"here"}})";
    fs::remove(stage_.root() / "home/events.jsonl");
    if (through == Through::library) return embedded(lines, values);
    return stage_.run(
        {"call", "--batch", "-", "--sequential", "--profile", write_profile(values).string(),
         "--events", (stage_.root() / "home/events.jsonl").string()},
        {.input = lines, .user = values.user});
}

Run HostileStage::embedded(const std::string& lines, const ProfileValues& values) const {
    const auto& root = stage_.root();
    const auto ended =
        run_child({.args = {TOOLHOST_EMBEDDER, stage_.plugins().string(),
                            write_profile(values).string(), (root / "home/events.jsonl").string()},
                   .env = stage_.command({}, {}).env,
                   .input = lines,
                   .folder = root,
                   .user = {},
                   .deadline = Options().deadline});
    return {ended.exit_code, ended.timed_out, ended.out, ended.err};
}

// All processes of a run, including the host and those that plugins start, have the stage's folders
// in the environment that they were started with.
std::vector<pid_t> HostileStage::processes() const {
    std::vector<pid_t> found;
    const auto mark = "TMPDIR=" + (stage_.root() / "tmp").string();
    for (const auto pid : all_processes())
        if (contains(shown_by(pid, "environ"), mark)) found.push_back(pid);
    return found;
}

std::vector<std::string> HostileStage::temporary() const {
    std::vector<std::string> names;
    // The folder for all hosts of a user is kept.
    for (const auto& folder : fs::directory_iterator(stage_.root() / "tmp"))
        for (const auto& entry : fs::directory_iterator(folder))
            names.push_back(entry.path().filename().string());
    return names;
}

bool HostileStage::is_clean_within(std::chrono::milliseconds time) const {
    const auto end = std::chrono::steady_clock::now() + time;
    while (!processes().empty() || !temporary().empty()) {
        if (std::chrono::steady_clock::now() >= end) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return true;
}

std::vector<Json> outlived(const HostileStage& hostile, const std::vector<Json>& requests,
                           const ProfileValues& values, Through through) {
    const auto run = hostile.run(requests, values, through);
    // At once: a host that has ended has seen the end of all that it started.
    CAPTURE(run);
    CHECK(hostile.processes().empty());
    for (const auto& left : hostile.temporary()) FAIL_CHECK("left: " << left);
    std::vector<Json> results;
    for (const auto& line : lines_of(run.out)) results.push_back(Json::parse(line));
    REQUIRE(results.size() == requests.size() + 1);
    CHECK(results.back().value("/content/0/json/still"_json_pointer, "") == "here");
    results.pop_back();
    bool all_well = true;
    for (const auto& result : results) all_well = all_well && code_of(result).empty();
    CHECK(run.exit_code == (all_well ? 0 : 10));
    const auto events = lines_of(read_file(hostile.stage().root() / "home/events.jsonl"));
    for (const char* event : {"hook.tool.before", "hook.tool.after"})
        CHECK(count_events(events, event) == static_cast<int>(requests.size()) + 1);
    return results;
}

std::string code_of(const Json& result) {
    return result.value("/error/code"_json_pointer, "");
}

std::string text_of(const Json& result) {
    return result.value("/content/0/text"_json_pointer, "");
}

bool can_be_closed() {
    constexpr unsigned kAskVersion = 1;
    if (::syscall(SYS_landlock_create_ruleset, nullptr, 0, kAskVersion) > 0) return true;
    MESSAGE("SKIP: this kernel has no Landlock");
    return false;
}

}  // namespace toolhost::test
