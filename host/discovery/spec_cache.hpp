// Remembers what probes found, so that a warm start looks at files and loads none.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "host/discovery/finding.hpp"

namespace toolhost::discovery {

// Whether an entry still speaks of the file as it is.
enum class CacheHit {
    fresh,    // nothing about the file has changed
    suspect,  // the stamp differs or is too young to prove anything: compare the content
    miss,
};

class SpecCache {
public:
    // An empty folder: nothing is remembered. Never fails: a cache that cannot be read is an empty
    // one, and `complaints` says why in a line.
    explicit SpecCache(std::string folder);

    // Hands the entry over, since specs are large: it is found once.
    [[nodiscard]] CacheHit take(const Candidate& candidate, Finding& out);
    // Replaces the whole content and writes it, by rename, so that no reader sees half of it.
    // Entries of files outside this scan are kept while those exist.
    void save(const std::vector<Finding>& findings);

    [[nodiscard]] const std::vector<std::string>& complaints() const { return complaints_; }
    [[nodiscard]] std::string file() const;

private:
    void load();

    std::string folder_;
    std::unordered_map<std::string, Finding> entries_;
    std::vector<std::string> complaints_;
};

}  // namespace toolhost::discovery
