#include "host/discovery/spec_cache.hpp"

#include <boost/filesystem.hpp>

#include "host/discovery/cache_entry.hpp"
#include "host/discovery/cache_file.hpp"

namespace toolhost::discovery {
namespace fs = boost::filesystem;
namespace {

constexpr std::size_t kMaxCacheBytes = 512u << 20;

CacheFile specs_file(const std::string& path) {
    return {path, "toolhost-specs", 7, kMaxCacheBytes};
}

}  // namespace

SpecCache::SpecCache(std::string folder) : folder_(std::move(folder)) {
    if (!folder_.empty()) load();
}

std::string SpecCache::file() const {
    return folder_.empty() ? "" : folder_ + "/specs";
}

void SpecCache::load() {
    std::string warning;
    const auto body = read_cache_file(specs_file(file()), warning);
    if (!warning.empty()) warnings_.push_back(warning);
    try {
        for (Unpacker unpacker(body); !unpacker.done();) {
            auto finding = unpack(unpacker);
            auto path = finding.candidate.path;
            entries_.insert_or_assign(std::move(path), std::move(finding));
        }
    } catch (const std::exception& e) {
        entries_.clear();
        warnings_.push_back("cache " + file() + " is damaged (" + e.what() + "); rebuilding it");
    }
}

CacheHit SpecCache::take(const Candidate& candidate, Finding& out) {
    auto it = entries_.find(candidate.path);
    if (it == entries_.end()) return CacheHit::miss;
    out = std::move(it->second);
    entries_.erase(it);
    out.candidate.own_folder = candidate.own_folder;
    if (out.candidate.stamp == candidate.stamp && is_settled(candidate.stamp, out.seen_at))
        return CacheHit::fresh;
    bool same_size = out.candidate.stamp.size == candidate.stamp.size;
    out.candidate.stamp = candidate.stamp;
    return same_size && !out.identity.empty() ? CacheHit::suspect : CacheHit::miss;
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
    const auto why = write_cache_file(specs_file(file()), packer.packed());
    if (why.empty() || !warnings_.empty()) return;  // one message about the cache is enough
    warnings_.push_back("cache " + folder_ + " cannot be written (" + why +
                        "); the next start probes every plugin again");
}

}  // namespace toolhost::discovery
