// Reads the text of an open file in pieces, because a file may be larger than memory.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "access/outcome.hpp"
#include "text/encoding.hpp"

namespace file_operations {

using Cancelled = std::function<bool()>;

inline constexpr std::size_t head_bytes = 8192;  // used to detect the encoding
inline constexpr std::size_t max_line_bytes = 64u << 10;

// The bytes at the offset, fewer at the end of the file; nothing on an error of the kernel.
[[nodiscard]] std::optional<std::string> read_at(int file, std::uint64_t offset, std::size_t bytes);
// The whole file.
[[nodiscard]] Outcome<std::string> read_whole(int file, const std::string& name,
                                              std::uint64_t max_bytes);

// Reads lines as UTF-8. Of a very long line only the beginning is returned; holes of sparse files,
// which contain no line ends, are skipped.
class LineReader {
public:
    LineReader(int file, Cancelled cancelled);

    [[nodiscard]] Encoding encoding() const { return encoding_; }
    // Reads the next line, including its end; returns false at the end, or when cancelled.
    bool next(std::string& line);
    [[nodiscard]] std::uint64_t number() const { return number_; }  // number of that line, from 1
    [[nodiscard]] bool was_cut() const { return cut_; }             // of any line so far
    [[nodiscard]] bool replaced() const { return decoder_.replaced(); }
    [[nodiscard]] bool failed() const { return failed_; }
    [[nodiscard]] bool was_cancelled() const { return stopped_; }
    [[nodiscard]] std::uint64_t position() const { return offset_; }

private:
    bool fill();

    int file_;
    Cancelled cancelled_;
    Encoding encoding_;
    Decoder decoder_;
    std::uint64_t offset_ = 0;
    std::string text_;  // decoded
    std::size_t at_ = 0;
    std::uint64_t number_ = 0;
    bool ended_ = false, cut_ = false, failed_ = false, stopped_ = false;
};

// Counts the lines; fast if line ends are single bytes.
[[nodiscard]] Outcome<std::uint64_t> count_lines(
    int file, Encoding encoding, const Cancelled& cancelled,
    const std::function<void(std::uint64_t bytes)>& progress);

}  // namespace file_operations
