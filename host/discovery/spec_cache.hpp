// Stores the results of probes, so that a warm start only stats files and loads none.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "host/discovery/finding.hpp"

namespace toolhost::discovery {

// Whether an entry is valid for the current file.
enum class CacheHit {
    fresh,    // the file has not changed
    suspect,  // the stamp differs or is too recent: compare the content
    miss,
};

class SpecCache {
public:
    // An empty folder stores nothing. Never fails: an unreadable cache counts as empty, with one
    // message in warnings().
    explicit SpecCache(std::string folder);

    // Moves the entry out, because specs are large; each is found only once.
    [[nodiscard]] CacheHit take(const Candidate& candidate, Finding& out);
    // Replaces the file atomically by rename. Entries for files outside of this scan are kept while
    // those files exist.
    void save(const std::vector<Finding>& findings);

    [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }
    [[nodiscard]] std::string file() const;

private:
    void load();

    std::string folder_;
    std::unordered_map<std::string, Finding> entries_;
    std::vector<std::string> warnings_;
};

}  // namespace toolhost::discovery
