// One file in one of file_read's modes: text for the model, and facts.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "access/access.hpp"
#include "text/file_text.hpp"

namespace file_operations {

struct FileFacts {
    std::string path;
    std::uint64_t size = 0;
    std::string encoding;
    std::optional<std::uint64_t> lines;                  // of the whole file
    std::optional<std::uint64_t> first_line, last_line;  // of the shown part
    std::optional<std::uint64_t> offset, bytes;          // of a chunk
    std::optional<std::uint64_t> matches;                // of a search
    std::optional<std::string> modified, mode;
    bool truncated = false;
    std::string note;
};

struct Media {
    std::string kind;  // "image" or "document"
    std::string name, format, bytes;
};

struct FilePart {
    std::string text;
    FileFacts facts;
    std::optional<Media> media;
};

struct OpenFile {
    std::string path;  // for display
    Descriptor file;
    std::uint64_t size = 0;
    struct stat status {};
};
[[nodiscard]] Outcome<OpenFile> open_to_read(const Access& access, const std::string& path);

struct ReadOptions {
    std::uint64_t start_line = 1;
    std::optional<std::uint64_t> end_line;
    std::uint64_t chunk_size = 1024, chunk_offset = 0;
    std::string search_pattern;
    int context_lines = 2;
    std::size_t max_text = 1u << 20;  // limit of the text of one file, in bytes
    std::size_t max_matches = 1000;
    Cancelled cancelled;
    std::function<void(double done, double total)> progress;
    std::string format, neutral_name;  // of a document
};

using ReadMode = Outcome<FilePart> (*)(const Access&, const OpenFile&, const ReadOptions&);

[[nodiscard]] Outcome<FilePart> view(const Access&, const OpenFile&, const ReadOptions&);
[[nodiscard]] Outcome<FilePart> lines(const Access&, const OpenFile&, const ReadOptions&);
[[nodiscard]] Outcome<FilePart> chunk(const Access&, const OpenFile&, const ReadOptions&);
[[nodiscard]] Outcome<FilePart> search(const Access&, const OpenFile&, const ReadOptions&);
[[nodiscard]] Outcome<FilePart> stats(const Access&, const OpenFile&, const ReadOptions&);
[[nodiscard]] Outcome<FilePart> preview(const Access&, const OpenFile&, const ReadOptions&);
[[nodiscard]] Outcome<FilePart> document(const Access&, const OpenFile&, const ReadOptions&);

// 2026-01-15T12:34:56Z
[[nodiscard]] std::string time_text(std::int64_t seconds);
// 1.5 KB, of 1024 bytes each
[[nodiscard]] std::string size_text(std::uint64_t bytes);
// rw-r--r--
[[nodiscard]] std::string mode_text(mode_t mode);

}  // namespace file_operations
