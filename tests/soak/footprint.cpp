#include "tests/soak/footprint.hpp"

#include <unistd.h>

#include <boost/filesystem.hpp>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

namespace toolhost::soak {
namespace fs = boost::filesystem;
namespace {

// Fields of "PID (NAME) STATE PPID ...", starting at STATE; NAME may contain any character.
std::vector<std::string> stat_of(const std::string& process) {
    std::ifstream file("/proc/" + process + "/stat");
    std::string text;
    std::getline(file, text);
    const auto end = text.rfind(')');
    std::vector<std::string> fields;
    if (end == std::string::npos) return fields;
    std::istringstream rest(text.substr(end + 1));
    for (std::string field; rest >> field;) fields.push_back(field);
    return fields;
}

pid_t parent_of(const std::string& process) {
    const auto fields = stat_of(process);
    return fields.size() < 2 ? 0 : std::stoi(fields[1]);
}

}  // namespace

Footprint footprint() {
    Footprint out;
    out.descriptors = static_cast<std::size_t>(
        std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator()));
    std::ifstream statm("/proc/self/statm");
    std::size_t total = 0, resident = 0;
    statm >> total >> resident;
    out.rss_kb = resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) / 1024;
    return out;
}

double cpu_ticks(pid_t process) {
    const auto fields = stat_of(std::to_string(process));
    constexpr std::size_t kUser = 11, kSystem = 12;
    return fields.size() <= kSystem ? 0 : std::stod(fields[kUser]) + std::stod(fields[kSystem]);
}

std::set<pid_t> descendants() {
    std::multimap<pid_t, pid_t> children;
    for (const auto& entry : fs::directory_iterator("/proc")) {
        const auto name = entry.path().filename().string();
        if (name.find_first_not_of("0123456789") != std::string::npos) continue;
        children.emplace(parent_of(name), std::stoi(name));
    }
    std::set<pid_t> found;
    std::vector<pid_t> open = {::getpid()};
    while (!open.empty()) {
        const pid_t parent = open.back();
        open.pop_back();
        for (auto [it, end] = children.equal_range(parent); it != end; ++it)
            if (found.insert(it->second).second) open.push_back(it->second);
    }
    return found;
}

}  // namespace toolhost::soak
