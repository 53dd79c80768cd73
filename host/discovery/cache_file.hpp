// A file of the cache folder: a line that says what follows, then packed entries. Written by
// rename, so that no reader sees half of it; anything that is not as it was written counts as
// absent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "host/discovery/finding.hpp"

namespace toolhost::discovery {

struct CacheFile {
    std::string path;
    const char* kind;   // the first word of the file
    int format;         // of the entries; another one is not read
    std::size_t limit;  // bytes of the whole file
};

// The packed entries; empty if there is no such file. `complaint` is set where the file is there
// and cannot be used. Another version of the host may judge the same file differently, so its
// entries are not used.
[[nodiscard]] std::string read_cache_file(const CacheFile& file, std::string& complaint);

// An empty text, or why it could not be written.
[[nodiscard]] std::string write_cache_file(const CacheFile& file, const std::string& packed);

// Whether a file with this stamp, seen at `seen_at` (seconds), cannot have been written again since
// without another stamp: file times have the grain of the kernel's clock, on some file systems that
// of two seconds.
[[nodiscard]] bool is_settled(const FileStamp& stamp, std::int64_t seen_at);

// Now, as seen_at has it.
[[nodiscard]] std::int64_t now_seconds();

}  // namespace toolhost::discovery
