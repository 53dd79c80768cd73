// Keeps the first results by path in any order of arrival, so that results do not depend on the
// timing of threads.
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <string>

#include "search/search.hpp"

namespace file_operations {

// Orders paths like a tree: a folder's content precedes names that follow the folder's name.
struct TreeOrder {
    bool operator()(std::string_view a, std::string_view b) const {
        const auto rank = [](char c) { return c == '/' ? 0 : static_cast<unsigned char>(c) + 1; };
        const std::size_t size = std::min(a.size(), b.size());
        for (std::size_t i = 0; i < size; ++i) {
            if (a[i] != b[i]) return rank(a[i]) < rank(b[i]);
        }
        return a.size() < b.size();
    }
};

class HitStore {
public:
    // One more than requested is kept, to know whether there are more.
    HitStore(SearchMode mode, std::size_t max_results) : mode_(mode), room_(max_results + 1) {}

    void add(FileHits hits) {
        const std::lock_guard lock(mutex_);
        kept_ += weight(hits);
        std::string path = hits.path;
        files_.emplace(std::move(path), std::move(hits));
        while (kept_ - weight(std::prev(files_.end())->second) >= room_) {
            kept_ -= weight(std::prev(files_.end())->second);
            files_.erase(std::prev(files_.end()));
        }
        full_ = kept_ >= room_;
    }

    // Whether nothing at or below the path can be among the first results.
    [[nodiscard]] bool is_beyond(std::string_view path) {
        if (!full_.load(std::memory_order_relaxed)) return false;
        const std::lock_guard lock(mutex_);
        return TreeOrder()(files_.rbegin()->first, path);
    }

    void take(SearchAnswer& answer) {
        std::size_t left = room_ - 1;
        for (auto& [path, hits] : files_) {
            if (left == 0) break;
            if (mode_ == SearchMode::matches) cut(hits, left);
            left -= weight(hits);
            answer.results += weight(hits);
            answer.files.push_back(std::move(hits));
        }
        answer.more = full_;
    }

private:
    [[nodiscard]] std::size_t weight(const FileHits& hits) const {
        return mode_ == SearchMode::matches ? static_cast<std::size_t>(hits.count) : 1;
    }
    static void cut(FileHits& hits, std::size_t most) {
        if (hits.count <= most) return;
        hits.count = most;
        std::size_t matches = 0, keep = 0;
        while (keep < hits.lines.size()) {
            if (hits.lines[keep].column > 0 && ++matches > most) break;
            ++keep;
        }
        hits.lines.resize(keep);
    }

    SearchMode mode_;
    std::size_t room_;
    std::mutex mutex_;
    std::map<std::string, FileHits, TreeOrder> files_;
    std::size_t kept_ = 0;
    std::atomic<bool> full_{false};
};

}  // namespace file_operations
