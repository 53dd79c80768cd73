#include "host/loading/plugin_folder.hpp"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <boost/filesystem.hpp>
#include <cerrno>

namespace toolhost::loading {
namespace fs = boost::filesystem;

PluginEntries list_plugin_folder(const std::string& folder) {
    PluginEntries out;
    boost::system::error_code fault;
    for (fs::recursive_directory_iterator it(folder, fault), end; !fault && it != end;
         it.increment(fault)) {
        if (out.names.size() == kMaxPluginEntries || it.depth() >= kMaxPluginDepth) {
            out.fault = EFBIG;
            return out;
        }
        out.names.push_back(it->path().lexically_relative(folder).string());
    }
    out.fault = fault.value();
    std::sort(out.names.begin(), out.names.end());
    return out;
}

os::Descriptor open_plugin_folder(const std::string& folder) {
    const int fd = ::open(folder.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 && errno == ENOTDIR) errno = EXDEV;  // the folder itself is a link
    return os::Descriptor(fd);
}

os::Descriptor open_beneath(int folder, const std::string& name, int flags) {
    open_how how{};
    how.flags = static_cast<std::uint64_t>(flags | O_CLOEXEC);
    how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
    // EAGAIN: something was renamed meanwhile, so the kernel could not tell whether the path left
    // the folder. Retries are limited, so that renaming in a loop cannot block the host.
    constexpr int kMaxTries = 100;
    long fd = -1;
    for (int tries = 0; tries < kMaxTries; ++tries) {
        fd = ::syscall(SYS_openat2, folder, name.c_str(), &how, sizeof how);
        if (fd >= 0 || (errno != EINTR && errno != EAGAIN)) break;
    }
    return os::Descriptor(static_cast<int>(fd));
}

bool leaves_folder(int fault) {
    return fault == EXDEV;
}

}  // namespace toolhost::loading
