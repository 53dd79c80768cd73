#include "host/sandbox/cgroup.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <boost/filesystem.hpp>
#include <cerrno>
#include <ctime>
#include <sstream>
#include <vector>

#include "host/os/descriptor.hpp"

namespace toolhost::sandbox {
namespace {

constexpr std::size_t kMaxText = 1 << 20;
constexpr const char* kPrefix = "toolhost-";
// The group also counts the channel and the host's own program, which must not use up the plugin's
// limit.
constexpr std::uint64_t kOwnMegabytes = 160;

std::string text_of(const std::string& file) {
    std::string text;
    return os::read_file(file, kMaxText, text) ? text : "";
}

bool write_to(const std::string& file, const std::string& text) {
    os::Descriptor out(::open(file.c_str(), O_WRONLY | O_CLOEXEC));
    return out && os::write_all(out.get(), text);
}

// The mount point of cgroup v2: "36 25 0:30 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw".
std::string mount_point() {
    std::istringstream lines(text_of("/proc/self/mountinfo"));
    for (std::string line; std::getline(lines, line);) {
        const auto dash = line.find(" - ");
        if (dash == std::string::npos || line.compare(dash + 3, 8, "cgroup2 ") != 0) continue;
        std::istringstream fields(line);
        std::string field;
        for (int i = 0; i < 5; ++i) fields >> field;
        return field;
    }
    return "";
}

// "0::/system.slice/toolhost.service"
std::string own_group() {
    const auto mounted = mount_point();
    std::istringstream lines(text_of("/proc/self/cgroup"));
    for (std::string line; !mounted.empty() && std::getline(lines, line);)
        if (line.starts_with("0::/")) return mounted + (line == "0::/" ? "" : line.substr(3));
    return "";
}

bool is_delegated(const std::string& group) {
    for (const char* mark : {"user.delegate", "trusted.delegate"}) {
        char value[2] = {};
        if (::getxattr(group.c_str(), mark, value, sizeof value) == 1 && value[0] == '1')
            return true;
    }
    return false;
}

// Enables memory and pids for child groups and returns those that are available.
std::vector<std::string> controllers(const std::string& group) {
    // One at a time: either may be missing. The kernel refuses this for a group that contains
    // processes, unless the controllers are enabled already.
    for (const char* one : {"+memory", "+pids"})
        static_cast<void>(write_to(group + "/cgroup.subtree_control", one));
    std::istringstream words(text_of(group + "/cgroup.subtree_control"));
    std::vector<std::string> found;
    for (std::string word; words >> word;)
        if (word == "memory" || word == "pids") found.push_back(word);
    return found;
}

std::string find_delegated() {
    if (const char* named = ::getenv("TOOLHOST_CGROUP"); named && *named)
        return controllers(named).empty() ? "" : named;
    const auto own = own_group();
    for (auto group : {own, own.substr(0, own.rfind('/'))})
        if (!group.empty() && is_delegated(group) && !controllers(group).empty()) return group;
    return "";
}

// Removes groups left by hosts that were killed. A group with processes cannot be removed; a new
// one may be about to get some.
void remove_old_groups(const std::string& parent) {
    namespace fs = boost::filesystem;
    constexpr std::time_t kOld = 60;
    boost::system::error_code fault;
    for (fs::directory_iterator it(parent, fault), end; !fault && it != end; it.increment(fault)) {
        const auto path = it->path();
        if (!path.filename().string().starts_with(kPrefix)) continue;
        if (std::time(nullptr) - fs::last_write_time(path, fault) > kOld) ::rmdir(path.c_str());
    }
}

// Returns true if the kernel does not count that resource.
bool set_limit(const std::string& file, const std::string& most) {
    return ::access(file.c_str(), F_OK) != 0 || write_to(file, most);
}

}  // namespace

const std::string& delegated_group() {
    static const std::string group = [] {
        auto found = find_delegated();
        if (!found.empty()) remove_old_groups(found);
        return found;
    }();
    return group;
}

std::string make_group(const std::string& parent, const ResourceLimits& limits,
                       unsigned own_processes) {
    std::string group = parent + '/' + kPrefix + "XXXXXX";
    if (parent.empty() || !::mkdtemp(group.data())) return "";
    const auto megabytes = [](std::uint64_t count) { return std::to_string(count << 20); };
    const bool done =
        (!limits.memory_mb ||
         (set_limit(group + "/memory.max", megabytes(*limits.memory_mb + kOwnMegabytes)) &&
          set_limit(group + "/memory.swap.max", "0"))) &&
        (!limits.processes ||
         set_limit(group + "/pids.max", std::to_string(*limits.processes + own_processes)));
    if (done) return group;
    remove_group(group);
    return "";
}

bool join_group(const std::string& group) {
    return write_to(group + "/cgroup.procs", "0");
}

bool ran_out_of_memory(const std::string& group) {
    std::istringstream lines(text_of(group + "/memory.events"));
    std::string what;
    for (std::uint64_t count = 0; lines >> what >> count;)
        if (what == "oom_kill" && count > 0) return true;
    return false;
}

bool remove_group(const std::string& group) {
    if (::rmdir(group.c_str()) == 0 || errno == ENOENT) return true;
    static_cast<void>(write_to(group + "/cgroup.kill", "1"));
    return ::rmdir(group.c_str()) == 0 || errno == ENOENT;
}

}  // namespace toolhost::sandbox
