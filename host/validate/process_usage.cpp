#include "host/validate/process_usage.hpp"

#include <unistd.h>

#include <boost/filesystem/directory.hpp>
#include <boost/filesystem/operations.hpp>
#include <charconv>
#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace toolhost::validate {
namespace fs = boost::filesystem;
namespace {

// Returns 0 if the process does not exist.
int parent_of(int pid) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string line;
    if (!std::getline(file, line)) return 0;
    // The name may contain spaces and parentheses: the last parenthesis ends it. Then: state,
    // parent.
    const auto name_end = line.rfind(')');
    if (name_end == line.npos || name_end + 4 > line.size()) return 0;
    int parent = 0;
    std::from_chars(line.data() + name_end + 4, line.data() + line.size(), parent);
    return parent;
}

std::vector<int> descendants() {
    std::multimap<int, int> children;
    boost::system::error_code fault;
    for (fs::directory_iterator it("/proc", fault), end; !fault && it != end; it.increment(fault)) {
        const auto name = it->path().filename().string();
        int pid = 0;
        const auto [rest, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
        if (error == std::errc() && rest == name.data() + name.size())
            children.emplace(parent_of(pid), pid);
    }
    std::vector<int> found{::getpid()};
    for (std::size_t i = 0; i < found.size(); ++i) {
        const auto [begin, end] = children.equal_range(found[i]);
        for (auto it = begin; it != end; ++it) found.push_back(it->second);
    }
    found.erase(found.begin());
    return found;
}

}  // namespace

std::optional<ProcessUsage> descendants_usage() {
    ProcessUsage usage;
    for (const int pid : descendants()) {
        const auto folder = "/proc/" + std::to_string(pid);
        boost::system::error_code fault;
        std::size_t descriptors = 0;
        for (fs::directory_iterator it(folder + "/fd", fault), end; !fault && it != end;
             it.increment(fault))
            ++descriptors;
        if (fault) return {};
        std::ifstream statm(folder + "/statm");
        std::size_t size = 0, resident = 0, shared = 0;
        if (!(statm >> size >> resident >> shared)) return {};
        ++usage.processes;
        usage.descriptors += descriptors;
        usage.private_bytes +=
            (resident - shared) * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    }
    return usage;
}

}  // namespace toolhost::validate
