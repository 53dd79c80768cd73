// Searches a tree of files with several threads; results and their order are deterministic.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "access/access.hpp"
#include "search/pattern.hpp"

namespace file_operations {

enum class SearchMode { matches, files, count };

struct SearchQuestion {
    const Access& access;
    const Pattern& pattern;
    std::size_t root = 0;
    std::string path{};  // from the root
    bool is_folder = true;
    std::vector<Glob> include{}, exclude{};
    bool hidden = false;
    bool honour_ignore_files = true;
    SearchMode mode = SearchMode::matches;
    int context_lines = 0;
    std::size_t max_results = 1000;
    std::function<bool()> cancelled{};
    std::function<void(std::uint64_t files)> progress{};
};

struct FoundLine {
    std::uint64_t number = 0;
    std::uint64_t column = 0;  // in bytes, from 1; 0 for a context line
    std::string text;          // cut if it is long
};

struct FileHits {
    std::string path;  // from the root
    std::uint64_t count = 0;
    std::vector<FoundLine> lines;
};

struct SearchAnswer {
    std::vector<FileHits> files;
    std::uint64_t results = 0;  // in `files`: matching lines, or files
    std::uint64_t files_searched = 0;
    std::uint64_t binary_files = 0, large_files = 0;
    bool more = false;  // there are more results than requested
    std::vector<std::string> notes;
};

[[nodiscard]] Outcome<SearchAnswer> search_tree(const SearchQuestion& question);

}  // namespace file_operations
