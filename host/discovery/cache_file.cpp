#include "host/discovery/cache_file.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <boost/filesystem.hpp>
#include <cerrno>
#include <chrono>
#include <functional>
#include <string_view>

#include "host/os/descriptor.hpp"
#include "host/version.hpp"

namespace toolhost::discovery {
namespace fs = boost::filesystem;
namespace {

constexpr std::int64_t kGrainSeconds = 2;
constexpr std::int64_t kNanoseconds = 1'000'000'000;

// Detects damage only: a user who can write the cache can write the plugins too.
std::string checksum(std::string_view text) {
    return std::to_string(std::hash<std::string_view>{}(text));
}

std::string header(const CacheFile& file, std::string_view body) {
    return std::string(file.kind) + ' ' + std::to_string(file.format) + ' ' + kVersion + ' ' +
           checksum(body);
}

}  // namespace

std::string read_cache_file(const CacheFile& file, std::string& problem) {
    std::string text;
    if (!os::read_own_file(file.path, file.limit, text)) {
        if (errno != ENOENT)
            problem = "cache " + file.path + " cannot be read (" + os::system_message(errno) +
                      "); continuing without it";
        return "";
    }
    const auto end = std::min(text.find('\n'), text.size());
    const auto body = std::min(end + 1, text.size());
    const std::string_view whole = text;
    if (whole.substr(0, end) == header(file, whole.substr(body))) {
        text.erase(0, body);
        return text;
    }
    problem = "cache " + file.path + " is damaged or has another version; rebuilding it";
    return "";
}

std::string write_cache_file(const CacheFile& file, const std::string& packed) {
    boost::system::error_code fault;
    fs::create_directories(fs::path(file.path).parent_path(), fault);
    if (fault) return fault.message();
    std::string temporary = file.path + ".XXXXXX";
    os::Descriptor out(::mkostemp(temporary.data(), O_CLOEXEC));
    if (!out) return os::system_message(errno);
    if (os::write_all(out.get(), header(file, packed) + '\n' + packed) &&
        ::rename(temporary.c_str(), file.path.c_str()) == 0)
        return "";
    const auto why = os::system_message(errno);
    ::unlink(temporary.c_str());
    return why;
}

bool is_settled(const FileStamp& stamp, std::int64_t seen_at) {
    return stamp.mtime_ns / kNanoseconds + kGrainSeconds < seen_at;
}

std::int64_t now_seconds() {
    return std::chrono::duration_cast<std::chrono::seconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
}

}  // namespace toolhost::discovery
