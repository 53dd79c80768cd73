#include "host/loading/library_files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/filesystem.hpp>
#include <cerrno>

#include "host/loading/plugin_folder.hpp"
#include "host/os/content_hash.hpp"

namespace toolhost::loading {
namespace fs = boost::filesystem;
namespace {

Error not_usable(std::string message) {
    return {ErrorCode::plugin_unavailable, std::move(message), {}};
}

Error cannot(const std::string& what, const std::string& path, int fault) {
    return not_usable("cannot " + what + ' ' + path + ": " + os::system_message(fault));
}

// Returns the hash of the content, or nothing with errno set.
std::string copy_file(int from, const std::string& to) {
    os::Descriptor target(::open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0500));
    if (!target) return "";
    os::ContentHash hash;
    std::uintmax_t total = 0;
    char buffer[65536];
    for (;;) {
        const ssize_t got = ::read(from, buffer, sizeof buffer);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return "";
        if (got == 0) return hash.hex();
        const std::string_view bytes(buffer, static_cast<std::size_t>(got));
        if ((total += bytes.size()) > kMaxPluginBytes) {
            errno = EFBIG;
            return "";
        }
        hash.add(bytes);
        if (!os::write_all(target.get(), bytes)) return "";
    }
}

}  // namespace

LibraryFiles::LibraryFiles(std::string path, bool own_folder)
    : path_(std::move(path)),
      folder_(fs::path(path_).parent_path().string()),
      name_(fs::path(path_).filename().string()),
      own_folder_(own_folder) {}

Result<void> LibraryFiles::read() {
    if (!own_folder_) return add(name_);
    place_ = open_plugin_folder(folder_);
    if (!place_) return cannot("read the folder of", name_, errno);
    const auto entries = list_plugin_folder(folder_);
    if (entries.fault == EFBIG)
        return not_usable("the folder of " + name_ + " has more than " +
                          std::to_string(kMaxPluginEntries) + " entries or is more than " +
                          std::to_string(kMaxPluginDepth) + " levels deep");
    if (entries.fault) return cannot("read the folder of", name_, entries.fault);
    for (const auto& name : entries.names)
        if (auto added = add(name); !added) return added;
    return {};
}

std::string LibraryFiles::identity() const {
    os::ContentHash all;
    for (const auto& file : files_) all.add(file.name + '\0' + file.sha256 + '\n');
    return all.hex();
}

Result<void> LibraryFiles::copy_to(const std::string& folder) const {
    for (const auto& file : files_) {
        const auto target = fs::path(folder) / file.name;
        boost::system::error_code fault;
        fs::create_directories(target.parent_path(), fault);
        if (fault) return cannot("copy", file.name, fault.value());
        const os::Descriptor from = open(file.name);
        if (!from) return cannot("copy", file.name, errno);
        const auto copied = copy_file(from.get(), target.string());
        if (copied.empty()) return cannot("copy", file.name, errno);
        if (copied != file.sha256)
            return not_usable(file.name + " changed while it was copied; try again");
    }
    return {};
}

os::Descriptor LibraryFiles::open(const std::string& name) const {
    if (!own_folder_) return os::open_regular(path_);
    return open_beneath(place_.get(), name, O_RDONLY | O_NONBLOCK | O_NOCTTY);
}

Result<void> LibraryFiles::add(const std::string& name) {
    const os::Descriptor file = open(name);
    if (!file && own_folder_ && leaves_folder(errno))
        return not_usable(name +
                          " is a link that leaves the plugin's folder; replace it by "
                          "the file it means");
    struct stat info {};
    if (!file || ::fstat(file.get(), &info) != 0) return cannot("read", name, errno);
    if (S_ISDIR(info.st_mode)) return {};
    if (!S_ISREG(info.st_mode)) return not_usable(name + " is not a regular file");
    total_ += static_cast<std::uintmax_t>(info.st_size);
    if (total_ > kMaxPluginBytes)
        return not_usable("the plugin " + name_ + " has more than " +
                          std::to_string(kMaxPluginBytes) + " bytes");
    auto sha256 = os::hash_file(file.get());
    if (sha256.empty()) return cannot("read", name, errno);
    files_.push_back({name, std::move(sha256)});
    return {};
}

Result<std::string> library_identity(const std::string& path, bool own_folder) {
    LibraryFiles files(path, own_folder);
    if (auto read = files.read(); !read) return read.error();
    return files.identity();
}

bool is_identity(std::string_view text) {
    return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == text.npos;
}

}  // namespace toolhost::loading
