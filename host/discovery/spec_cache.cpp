#include "host/discovery/spec_cache.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/filesystem.hpp>
#include <cerrno>

#include "host/registry/json_text.hpp"
#include "host/runtime/content_hash.hpp"
#include "host/runtime/descriptor.hpp"
#include "host/version.hpp"

namespace toolhost::discovery {
namespace fs = boost::filesystem;
namespace {

constexpr int kFormat = 1;
constexpr std::size_t kMaxCacheBytes = 512u << 20;
// File times have the grain of the kernel's clock, on some file systems that of two seconds. A file
// written that close to when it was read may have been written again with the same stamp.
constexpr std::int64_t kGrainSeconds = 2;
constexpr std::int64_t kNanoseconds = 1'000'000'000;

std::string hash_of(std::string_view text) {
    runtime::ContentHash hash;
    hash.add(text);
    return hash.hex();
}

Json to_entry(const Finding& f) {
    const auto& stamp = f.candidate.stamp;
    Json entry{{"path", f.candidate.path},
               {"stamp", {stamp.size, stamp.inode, stamp.mtime_ns, stamp.ctime_ns}},
               {"sha256", f.sha256},
               {"seenAt", f.seen_at}};
    if (f.ok()) {
        entry["spec"] = f.spec;
        entry["flags"] = f.flags;
        entry["abiMinor"] = f.abi_minor;
    } else {
        entry["reason"] = f.reason;
        entry["message"] = f.message;
        entry["deadlineMs"] = f.deadline_ms;
    }
    if (!f.output.empty()) entry["output"] = f.output;
    return entry;
}

// Throws nlohmann's exceptions if the entry is not as to_entry() wrote it.
Finding from_entry(Json& entry) {
    Finding f;
    f.candidate.path = entry.at("path").get<std::string>();
    const auto& stamp = entry.at("stamp");
    f.candidate.stamp = {stamp.at(0).get<std::uint64_t>(), stamp.at(1).get<std::uint64_t>(),
                         stamp.at(2).get<std::int64_t>(), stamp.at(3).get<std::int64_t>()};
    f.sha256 = entry.at("sha256").get<std::string>();
    f.seen_at = entry.at("seenAt").get<std::int64_t>();
    f.reason = entry.value("reason", "");
    f.message = entry.value("message", "");
    f.deadline_ms = entry.value("deadlineMs", std::int64_t{0});
    f.output = entry.value("output", "");
    if (f.ok()) {
        f.spec = std::move(entry.at("spec"));
        f.flags = entry.at("flags").get<std::uint32_t>();
        f.abi_minor = entry.at("abiMinor").get<std::uint16_t>();
    }
    f.from_cache = true;
    return f;
}

}  // namespace

SpecCache::SpecCache(std::string folder) : folder_(std::move(folder)) {
    if (!folder_.empty()) load();
}

std::string SpecCache::file() const {
    return folder_.empty() ? "" : folder_ + "/specs.json";
}

void SpecCache::load() {
    std::string text;
    if (!runtime::read_file(file(), kMaxCacheBytes, text)) {
        if (errno != ENOENT)
            complaints_.push_back("cache " + file() + " cannot be read (" +
                                  runtime::system_message(errno) + "); going on without it");
        return;
    }
    // A line that says what follows, then the entries: damage that is still JSON is damage.
    auto end = std::min(text.find('\n'), text.size());
    std::string_view body = std::string_view(text).substr(std::min(end + 1, text.size()));
    try {
        auto header = parse_json(std::string_view(text).substr(0, end));
        if (!header) throw std::runtime_error(header.error().message);
        // Another version may judge the same file differently, so its words do not count.
        if (header->at("format") != kFormat || header->at("toolhost") != kVersion) {
            complaints_.push_back("cache " + file() + " is of another version; rebuilding it");
            return;
        }
        if (header->at("sha256") != hash_of(body)) throw std::runtime_error("its content changed");
        auto entries = parse_json(body);
        if (!entries) throw std::runtime_error(entries.error().message);
        for (auto& entry : *entries) {
            auto finding = from_entry(entry);
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
    Json entries = Json::array();
    for (const auto& finding : findings) {
        entries.push_back(to_entry(finding));
        entries_.erase(finding.candidate.path);
    }
    for (const auto& [path, finding] : entries_) {
        boost::system::error_code fault;
        if (fs::exists(path, fault)) entries.push_back(to_entry(finding));
    }
    const std::string body = dump(entries);
    const Json header{{"format", kFormat}, {"toolhost", kVersion}, {"sha256", hash_of(body)}};
    write(dump(header) + '\n' + body);
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
