#include "text/file_text.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace file_operations {
namespace {

constexpr std::size_t block_bytes = 256u << 10;

// The offset of the next data; the same offset if the file system does not support it.
std::uint64_t after_hole(int file, std::uint64_t offset) {
    const off_t data = ::lseek(file, static_cast<off_t>(offset), SEEK_DATA);
    if (data >= 0) return static_cast<std::uint64_t>(data);
    if (errno != ENXIO) return offset;
    // Only a hole follows.
    const off_t end = ::lseek(file, 0, SEEK_END);
    return end < 0 ? offset : std::max(offset, static_cast<std::uint64_t>(end));
}

std::optional<std::size_t> read_some(int file, std::uint64_t offset, char* to, std::size_t bytes) {
    for (;;) {
        const ssize_t got = ::pread(file, to, bytes, static_cast<off_t>(offset));
        if (got >= 0) return static_cast<std::size_t>(got);
        if (errno != EINTR) return std::nullopt;
    }
}

Encoding encoding_of(int file) {
    const auto head = read_at(file, 0, head_bytes);
    return head ? detect_encoding(*head, head->size() < head_bytes) : Encoding::utf8;
}

}  // namespace

std::optional<std::string> read_at(int file, std::uint64_t offset, std::size_t bytes) {
    std::string out(bytes, '\0');
    std::size_t filled = 0;
    while (filled < bytes) {
        const auto got = read_some(file, offset + filled, out.data() + filled, bytes - filled);
        if (!got) return std::nullopt;
        if (*got == 0) break;
        filled += *got;
    }
    out.resize(filled);
    return out;
}

Outcome<std::string> read_whole(int file, const std::string& name, std::uint64_t max_bytes) {
    struct stat status {};
    if (::fstat(file, &status) != 0) return failed(name + ": " + std::strerror(errno));
    const auto size = static_cast<std::uint64_t>(status.st_size);
    if (size > max_bytes) {
        return denied("file_too_large", name + " has " + std::to_string(size) +
                                            " bytes; the policy's max_file_bytes allows " +
                                            std::to_string(max_bytes) +
                                            ". Use the modes lines, chunk or preview for a part");
    }
    auto content = read_at(file, 0, static_cast<std::size_t>(size));
    if (!content) return failed(name + ": " + std::strerror(errno));
    return *std::move(content);
}

LineReader::LineReader(int file, Cancelled cancelled)
    : file_(file),
      cancelled_(std::move(cancelled)),
      encoding_(encoding_of(file)),
      decoder_(encoding_),
      offset_(bom_size(encoding_)) {}

// Decodes the next block after the rest of the last one; returns false at the end.
bool LineReader::fill() {
    if (ended_) return false;
    if (cancelled_ && cancelled_()) {
        stopped_ = ended_ = true;
        return false;
    }
    text_.erase(0, at_);
    at_ = 0;
    offset_ = after_hole(file_, offset_);
    const auto block = read_at(file_, offset_, block_bytes);
    failed_ = !block;
    ended_ = !block || block->size() < block_bytes;
    if (!block) return false;
    offset_ += block->size();
    decoder_.decode(*block, ended_, text_);
    return true;
}

bool LineReader::next(std::string& line) {
    line.clear();
    bool any = false;
    for (;;) {
        const std::size_t end = text_.find('\n', at_);
        const bool whole = end != std::string::npos;
        const std::size_t size = (whole ? end + 1 : text_.size()) - at_;
        const std::size_t room = max_line_bytes - std::min(max_line_bytes, line.size());
        any = any || size > 0;
        line.append(text_, at_, std::min(size, room));
        if (size > room) cut_ = true;
        at_ += size;
        if (whole || !fill()) break;
    }
    if (stopped_ || !any) return false;
    ++number_;
    return true;
}

Outcome<std::uint64_t> count_lines(int file, Encoding encoding, const Cancelled& cancelled,
                                   const std::function<void(std::uint64_t bytes)>& progress) {
    const bool bytes_suffice = encoding == Encoding::utf8 || encoding == Encoding::utf8_bom ||
                               encoding == Encoding::windows1252 || encoding == Encoding::binary;
    if (!bytes_suffice) {
        LineReader reader(file, cancelled);
        std::string line;
        while (reader.next(line)) {
        }
        if (reader.was_cancelled()) return was_cancelled();
        return reader.number();
    }
    std::string block(block_bytes, '\0');
    std::uint64_t lines = 0;
    char last = '\n';
    for (std::uint64_t offset = 0;;) {
        if (cancelled && cancelled()) return was_cancelled();
        const std::uint64_t data = after_hole(file, offset);
        if (data != offset) last = '\0';
        offset = data;
        const auto got = read_some(file, offset, block.data(), block.size());
        if (!got) return failed(std::string("cannot read: ") + std::strerror(errno));
        if (*got == 0) break;
        lines += static_cast<std::uint64_t>(std::count(block.data(), block.data() + *got, '\n'));
        last = block[*got - 1];
        offset += *got;
        if (progress) progress(offset);
    }
    return lines + (last == '\n' ? 0 : 1);
}

}  // namespace file_operations
