#include "repo/commit_graph.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>

namespace git {
namespace {

constexpr std::size_t kHeader = 8, kPart = 12, kFanout = 256 * 4, kId = GIT_OID_RAWSZ,
                      kCommit = kId + 16;
constexpr std::uint32_t kNoParent = 0x70000000;

std::uint32_t number(const unsigned char* at) {
    return std::uint32_t{at[0]} << 24 | std::uint32_t{at[1]} << 16 | std::uint32_t{at[2]} << 8 |
           at[3];
}

}  // namespace

CommitGraph::CommitGraph(const std::filesystem::path& file) {
    const int opened = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (opened < 0) return;
    struct stat about {};
    if (::fstat(opened, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0) {
        size_ = static_cast<std::size_t>(about.st_size);
        void* mapped = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, opened, 0);
        if (mapped != MAP_FAILED) data_ = static_cast<const unsigned char*>(mapped);
    }
    ::close(opened);
    if (data_ != nullptr) read_parts();
}

CommitGraph::~CommitGraph() {
    if (data_ != nullptr) ::munmap(const_cast<unsigned char*>(data_), size_);
}

void CommitGraph::read_parts() {
    // Version 1, SHA-1, and no base layers.
    if (size_ < kHeader || std::memcmp(data_, "CGPH\1\1", 6) != 0 || data_[7] != 0) return;
    const std::size_t parts = data_[6];
    if (size_ < kHeader + (parts + 1) * kPart) return;
    const auto part = [&](const char* name, std::size_t length) -> const unsigned char* {
        for (std::size_t i = 0; i < parts; ++i) {
            const auto* entry = data_ + kHeader + i * kPart;
            if (std::memcmp(entry, name, 4) != 0) continue;
            const auto offset = std::uint64_t{number(entry + 4)} << 32 | number(entry + 8);
            return offset <= size_ && length <= size_ - offset ? data_ + offset : nullptr;
        }
        return nullptr;
    };
    const auto* fanout = part("OIDF", kFanout);
    if (fanout == nullptr) return;
    const auto count = number(fanout + kFanout - 4);
    const auto *ids = part("OIDL", count * kId), *commits = part("CDAT", count * kCommit);
    if (ids == nullptr || commits == nullptr) return;
    fanout_ = fanout;
    ids_ = ids;
    commits_ = commits;
    count_ = count;
}

const unsigned char* CommitGraph::id_at(std::uint32_t place) const {
    return ids_ + place * kId;
}

std::optional<CommitLinks> CommitGraph::find(const git_oid& id) const {
    if (count_ == 0) return std::nullopt;
    const unsigned first = id.id[0];
    std::uint32_t low = first == 0 ? 0 : number(fanout_ + (first - 1) * 4);
    std::uint32_t high = number(fanout_ + first * 4);
    if (high > count_) return std::nullopt;
    while (low < high) {
        const auto middle = low + (high - low) / 2;
        const int order = std::memcmp(id_at(middle), id.id, kId);
        if (order == 0) low = high = middle;
        if (order < 0) low = middle + 1;
        if (order > 0) high = middle;
    }
    if (low >= count_ || std::memcmp(id_at(low), id.id, kId) != 0) return std::nullopt;
    const auto* entry = commits_ + low * kCommit;
    CommitLinks links;
    std::memcpy(links.tree.id, entry, kId);
    for (const auto* at : {entry + kId, entry + kId + 4}) {
        const auto place = number(at);
        if (place == kNoParent) break;
        if (place >= count_) return std::nullopt;  // more than two parents, or damaged
        std::memcpy(links.parents.emplace_back().id, id_at(place), kId);
    }
    // 30 bits for the generation, 34 for the time.
    links.time = static_cast<std::int64_t>(std::uint64_t{number(entry + kId + 8) & 3} << 32 |
                                           number(entry + kId + 12));
    return links;
}

}  // namespace git
