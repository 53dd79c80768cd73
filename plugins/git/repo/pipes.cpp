#include "repo/pipes.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <system_error>

#include "repo/failure.hpp"

namespace git {
namespace {

namespace fs = std::filesystem;

constexpr std::array kRuleFiles = {".gitignore", ".gitattributes", ".gitmodules"};

bool is_rule_file(const fs::path& name) {
    for (const char* rules : kRuleFiles)
        if (name == rules) return true;
    return false;
}

}  // namespace

void refuse_pipe(const fs::path& path, const std::string& shown) {
    struct stat about {};
    if (::stat(path.c_str(), &about) != 0) return;
    if (S_ISFIFO(about.st_mode) || S_ISCHR(about.st_mode) || S_ISBLK(about.st_mode))
        fail("'" + shown + "' is a named pipe or a device instead of a file; remove it");
}

std::string read_regular(const fs::path& file) {
    const int fd = ::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) return {};
    std::string text;
    struct stat about {};
    if (::fstat(fd, &about) == 0 && S_ISREG(about.st_mode)) {
        std::array<char, 4096> part{};
        for (ssize_t size; (size = ::read(fd, part.data(), part.size())) > 0;)
            text.append(part.data(), static_cast<std::size_t>(size));
    }
    ::close(fd);
    return text;
}

// Reads only names and kinds, which the folder's list contains, without a stat of each file.
void check_rule_files(const fs::path& root, Watch& watch) {
    std::error_code fault;
    fs::recursive_directory_iterator entry(root, fs::directory_options::skip_permission_denied,
                                           fault);
    for (; !fault && entry != fs::recursive_directory_iterator(); entry.increment(fault)) {
        const auto name = entry->path().filename();
        std::error_code unknown;
        if (is_rule_file(name)) {
            refuse_pipe(entry->path(), entry->path().lexically_relative(root).string());
        } else if (name == ".git") {
            entry.disable_recursion_pending();
        } else if (entry->is_directory(unknown)) {
            watch.step_or_stop("folders looked at");
        }
    }
}

void check_rules_of(const fs::path& root, const fs::path& path) {
    for (auto folder = path.parent_path();; folder = folder.parent_path()) {
        for (const char* rules : kRuleFiles)
            refuse_pipe(root / folder / rules, (folder / rules).string());
        if (folder.empty()) return;
    }
}

}  // namespace git
