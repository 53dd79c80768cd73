// A file of the cache folder: a header line, then packed entries. It is replaced by rename, so that
// readers never see a partial file. A damaged file counts as missing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "host/discovery/finding.hpp"

namespace toolhost::discovery {

struct CacheFile {
    std::string path;
    const char* kind;   // first word of the file
    int format;         // version of the entries; other versions are ignored
    std::size_t limit;  // maximum size of the file in bytes
};

// Returns the packed entries, or an empty string if there is no file. Sets `problem` if the file
// exists but cannot be used. Entries of another version of the host are ignored, because it may
// judge files differently.
[[nodiscard]] std::string read_cache_file(const CacheFile& file, std::string& problem);

// Returns an empty string, or the reason of the failure.
[[nodiscard]] std::string write_cache_file(const CacheFile& file, const std::string& packed);

// Whether a file with this stamp, seen at `seen_at` (seconds), cannot have been changed since
// without a new stamp: file times have the resolution of the kernel's clock, or of 2 s on some file
// systems.
[[nodiscard]] bool is_settled(const FileStamp& stamp, std::int64_t seen_at);

// The current time, for seen_at.
[[nodiscard]] std::int64_t now_seconds();

}  // namespace toolhost::discovery
