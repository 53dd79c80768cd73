#include "host/discovery/spec_cache.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/filesystem.hpp>
#include <cerrno>
#include <functional>

#include "host/discovery/cache_entry.hpp"
#include "host/runtime/descriptor.hpp"
#include "host/version.hpp"

namespace toolhost::discovery {
namespace fs = boost::filesystem;
namespace {

constexpr int kFormat = 2;
constexpr std::size_t kMaxCacheBytes = 512u << 20;
// File times have the grain of the kernel's clock, on some file systems that of two seconds. A file
// written that close to when it was read may have been written again with the same stamp.
constexpr std::int64_t kGrainSeconds = 2;
constexpr std::int64_t kNanoseconds = 1'000'000'000;

// Against damage alone: whoever can write the cache can write the plugins.
std::string checksum(std::string_view text) {
    return std::to_string(std::hash<std::string_view>{}(text));
}

std::string header(std::string_view body) {
    return "toolhost-specs " + std::to_string(kFormat) + ' ' + kVersion + ' ' + checksum(body);
}

}  // namespace

SpecCache::SpecCache(std::string folder) : folder_(std::move(folder)) {
    if (!folder_.empty()) load();
}

std::string SpecCache::file() const {
    return folder_.empty() ? "" : folder_ + "/specs";
}

void SpecCache::load() {
    std::string text;
    if (!runtime::read_own_file(file(), kMaxCacheBytes, text)) {
        if (errno != ENOENT)
            complaints_.push_back("cache " + file() + " cannot be read (" +
                                  runtime::system_message(errno) + "); going on without it");
        return;
    }
    // A line that says what follows, then the entries. Another version may judge the same file
    // differently, so its words do not count.
    auto end = std::min(text.find('\n'), text.size());
    std::string_view body = std::string_view(text).substr(std::min(end + 1, text.size()));
    if (std::string_view(text).substr(0, end) != header(body)) {
        complaints_.push_back("cache " + file() +
                              " is damaged or of another version; rebuilding it");
        return;
    }
    try {
        for (Unpacker unpacker(body); !unpacker.done();) {
            auto finding = unpack(unpacker);
            auto path = finding.candidate.path;
            entries_.insert_or_assign(std::move(path), std::move(finding));
        }
    } catch (const std::exception& e) {
        entries_.clear();
        complaints_.push_back("cache " + file() + " is damaged (" + e.what() + "); rebuilding it");
    }
}

CacheHit SpecCache::take(const Candidate& candidate, Finding& out) {
    auto it = entries_.find(candidate.path);
    if (it == entries_.end()) return CacheHit::miss;
    out = std::move(it->second);
    entries_.erase(it);
    out.candidate.own_folder = candidate.own_folder;
    bool settled = candidate.stamp.mtime_ns / kNanoseconds + kGrainSeconds < out.seen_at;
    if (out.candidate.stamp == candidate.stamp && settled) return CacheHit::fresh;
    bool same_size = out.candidate.stamp.size == candidate.stamp.size;
    out.candidate.stamp = candidate.stamp;
    return same_size && !out.sha256.empty() ? CacheHit::suspect : CacheHit::miss;
}

void SpecCache::save(const std::vector<Finding>& findings) {
    if (folder_.empty()) return;
    Packer packer;
    for (const auto& finding : findings) {
        pack(packer, finding);
        entries_.erase(finding.candidate.path);
    }
    for (const auto& [path, finding] : entries_) {
        boost::system::error_code fault;
        if (fs::exists(path, fault)) pack(packer, finding);
    }
    write(header(packer.packed()) + '\n' + packer.packed());
}

void SpecCache::write(const std::string& content) {
    auto complain = [&](const std::string& why) {
        if (!complaints_.empty()) return;  // one line about the cache says enough
        complaints_.push_back("cache " + folder_ + " cannot be written (" + why +
                              "); the next start will look at every plugin again");
    };
    boost::system::error_code fault;
    fs::create_directories(folder_, fault);
    if (fault) return complain(fault.message());
    std::string temporary = file() + ".XXXXXX";
    runtime::Descriptor out(::mkostemp(temporary.data(), O_CLOEXEC));
    if (!out) return complain(runtime::system_message(errno));
    if (!runtime::write_all(out.get(), content) ||
        ::rename(temporary.c_str(), file().c_str()) != 0) {
        complain(runtime::system_message(errno));
        ::unlink(temporary.c_str());
    }
}

}  // namespace toolhost::discovery
