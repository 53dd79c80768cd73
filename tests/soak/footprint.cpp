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

// "PID (NAME) STATE PPID ...", where NAME may have anything in it.
pid_t parent_of(const std::string& process) {
    std::ifstream file("/proc/" + process + "/stat");
    std::string text;
    std::getline(file, text);
    const auto end = text.rfind(')');
    if (end == std::string::npos) return 0;
    std::istringstream rest(text.substr(end + 1));
    char state = 0;
    pid_t parent = 0;
    rest >> state >> parent;
    return parent;
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
