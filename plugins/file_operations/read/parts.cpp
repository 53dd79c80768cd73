#include "read/parts.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <deque>
#include <iterator>

#include "read/media.hpp"
#include "search/pattern.hpp"
#include "text/names.hpp"
#include "write/atomic_write.hpp"

namespace file_operations {
namespace {

constexpr std::uint64_t preview_lines = 50;

void add_note(FileFacts& facts, const std::string& note) {
    facts.note += (facts.note.empty() ? "" : "; ") + note;
}

FilePart begin(const OpenFile& open, Encoding encoding) {
    FilePart part;
    part.facts.path = open.path;
    part.facts.size = open.size;
    part.facts.encoding = name_of(encoding);
    if (encoding != Encoding::utf8 && encoding != Encoding::utf8_bom &&
        encoding != Encoding::binary) {
        add_note(part.facts, "converted from " + std::string(name_of(encoding)) + " to UTF-8");
    }
    return part;
}

// Described instead of shown: parts of binary files are useless as text.
FilePart binary_part(const OpenFile& open) {
    FilePart part = begin(open, Encoding::binary);
    part.text = open.path + " is a binary file of " + std::to_string(open.size) +
                " bytes; its content is not shown as text. Use mode document to get the bytes\n";
    return part;
}

Encoding encoding_of(const OpenFile& open) {
    const auto head = read_at(open.file.get(), 0, head_bytes);
    return head ? detect_encoding(*head, head->size() < head_bytes) : Encoding::utf8;
}

std::optional<Refusal> trouble(const OpenFile& open, const LineReader& reader) {
    if (reader.was_cancelled()) return was_cancelled();
    if (reader.failed()) return failed(open.path + ": " + std::strerror(errno));
    return std::nullopt;
}

void note_losses(const LineReader& reader, FileFacts& facts) {
    if (reader.was_cut()) {
        add_note(facts, "lines of more than " + std::to_string(max_line_bytes) + " bytes were cut");
    }
    if (reader.replaced()) add_note(facts, "invalid bytes were replaced by U+FFFD");
}

// The lines from `first` to `last` (0 means the end), and whether there are more.
Outcome<FilePart> take_lines(const OpenFile& open, std::uint64_t first, std::uint64_t last,
                             const ReadOptions& options) {
    LineReader reader(open.file.get(), options.cancelled);
    if (reader.encoding() == Encoding::binary) return binary_part(open);
    FilePart part = begin(open, reader.encoding());
    std::string line;
    std::uint64_t reported = 0;
    while (reader.next(line)) {
        if (options.progress && reader.position() - reported > (64u << 20)) {
            reported = reader.position();
            options.progress(static_cast<double>(reported), static_cast<double>(open.size));
        }
        if (reader.number() < first) continue;
        if (last != 0 && reader.number() > last) break;
        if (part.text.size() + line.size() > options.max_text) {
            part.facts.truncated = true;
            part.text += first_bytes(line, options.max_text - part.text.size());
            add_note(
                part.facts,
                "cut after " + std::to_string(options.max_text) + " bytes; " +
                    (part.facts.last_line
                         ? "continue with mode lines from line " + std::to_string(reader.number())
                         : "line " + std::to_string(reader.number()) +
                               " is longer than that, and can be read with mode chunk"));
            break;
        }
        if (!part.facts.first_line) part.facts.first_line = reader.number();
        part.facts.last_line = reader.number();
        part.text += line;
    }
    if (auto refusal = trouble(open, reader)) return *refusal;
    note_losses(reader, part.facts);
    return part;
}

}  // namespace

Outcome<OpenFile> open_to_read(const Access& access, const std::string& path) {
    auto place = access.find(path);
    if (!place) return place.failure();
    auto file = access.open_file(*place);
    if (!file) return file.failure();
    OpenFile open;
    open.path = access.shown(*place);
    open.file = *std::move(file);
    if (::fstat(open.file.get(), &open.status) != 0) {
        return failed(open.path + ": " + std::strerror(errno));
    }
    open.size = static_cast<std::uint64_t>(open.status.st_size);
    return open;
}

Outcome<FilePart> view(const Access& access, const OpenFile& open, const ReadOptions& options) {
    const auto head = read_at(open.file.get(), 0, 16);
    if (head && !image_format(*head).empty()) return document(access, open, options);
    auto part = take_lines(open, 1, 0, options);
    if (part && part->facts.encoding != name_of(Encoding::binary)) {
        part->text = "Content of " + open.path + ":\n" + part->text;
    }
    return part;
}

Outcome<FilePart> lines(const Access&, const OpenFile& open, const ReadOptions& options) {
    const std::uint64_t first = std::max<std::uint64_t>(options.start_line, 1);
    auto part = take_lines(open, first, options.end_line.value_or(0), options);
    if (part && part->text.empty() && !part->facts.first_line) {
        add_note(part->facts, "the file has no line " + std::to_string(first));
    }
    return part;
}

Outcome<FilePart> chunk(const Access&, const OpenFile& open, const ReadOptions& options) {
    if (options.chunk_offset > open.size) {
        return bad_input("/chunk_offset", "is beyond the end of " + open.path + ", which has " +
                                              std::to_string(open.size) + " bytes");
    }
    const Encoding encoding = encoding_of(open);
    // A byte in another encoding may become three bytes of UTF-8.
    const bool is_utf8 = encoding == Encoding::utf8 || encoding == Encoding::utf8_bom;
    const std::size_t size =
        std::min<std::uint64_t>(options.chunk_size, options.max_text / (is_utf8 ? 1 : 3));
    const auto content = read_at(open.file.get(), options.chunk_offset, size);
    if (!content) return failed(open.path + ": " + std::strerror(errno));
    if (encoding == Encoding::binary) return binary_part(open);
    FilePart part = begin(open, encoding);
    Decoder decoder(encoding);
    const std::size_t mark = options.chunk_offset == 0 ? bom_size(encoding) : 0;
    decoder.decode(std::string_view(*content).substr(std::min(mark, content->size())), true,
                   part.text);
    part.facts.offset = options.chunk_offset;
    part.facts.bytes = content->size();
    const std::uint64_t end = options.chunk_offset + content->size();
    if (size < options.chunk_size && end < open.size) {
        part.facts.truncated = true;
        add_note(part.facts, "cut after " + std::to_string(size) +
                                 " bytes; continue with chunk_offset " + std::to_string(end));
    }
    if (decoder.replaced())
        add_note(part.facts, "characters split by the ends of the chunk are U+FFFD");
    return part;
}

Outcome<FilePart> preview(const Access&, const OpenFile& open, const ReadOptions& options) {
    auto part = take_lines(open, 1, preview_lines, options);
    if (!part || part->facts.encoding == name_of(Encoding::binary)) return part;
    const auto count = count_lines(open.file.get(), encoding_of(open), options.cancelled, {});
    if (!count) return count.failure();
    part->facts.lines = *count;
    part->facts.truncated = part->facts.truncated || *count > preview_lines;
    part->text = "File: " + open.path + "\nSize: " + size_text(open.size) +
                 "\nTotal Lines: " + std::to_string(*count) + "\n\nPreview:\n" + part->text;
    return part;
}

Outcome<FilePart> stats(const Access&, const OpenFile& open, const ReadOptions& options) {
    const Encoding encoding = encoding_of(open);
    FilePart part = begin(open, encoding);
    part.facts.note.clear();
    std::uint64_t reported = 0;
    const auto count =
        count_lines(open.file.get(), encoding, options.cancelled, [&](std::uint64_t bytes) {
            if (!options.progress || bytes - reported < (64u << 20)) return;
            reported = bytes;
            options.progress(static_cast<double>(bytes), static_cast<double>(open.size));
        });
    if (!count) return count.failure();
    if (encoding != Encoding::binary) part.facts.lines = *count;
    part.facts.modified = time_text(open.status.st_mtim.tv_sec);
    part.facts.mode = mode_text(open.status.st_mode);
    part.text = "File: " + open.path + "\nSize: " + size_text(open.size) + " (" +
                std::to_string(open.size) + " bytes)\nLines: " +
                (part.facts.lines ? std::to_string(*count) : "none, it is binary") +
                "\nEncoding: " + part.facts.encoding + "\nModified: " + *part.facts.modified +
                "\nMode: " + *part.facts.mode + '\n';
    return part;
}

Outcome<FilePart> search(const Access&, const OpenFile& open, const ReadOptions& options) {
    if (options.search_pattern.empty()) {
        return bad_input("/search_pattern", "is required in mode search");
    }
    auto pattern = Pattern::compile(options.search_pattern, {.literal = true, .ignore_case = true},
                                    "/search_pattern");
    if (!pattern) return pattern.failure();
    Matcher matcher(*pattern);
    LineReader reader(open.file.get(), options.cancelled);
    if (reader.encoding() == Encoding::binary) return binary_part(open);
    FilePart part = begin(open, reader.encoding());
    const auto around = static_cast<std::size_t>(options.context_lines);
    std::deque<std::string> before;  // lines not shown yet
    std::uint64_t matches = 0, shown_up_to = 0, wanted_up_to = 0;
    std::string line;
    const auto show = [&](std::uint64_t number, const std::string& text, bool match) {
        if (shown_up_to != 0 && number > shown_up_to + 1) part.text += "--\n";
        part.text += (match ? "\xE2\x86\x92 " : "  ") + std::to_string(number) + ": " + text + '\n';
        shown_up_to = number;
    };
    while (reader.next(line)) {
        while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.pop_back();
        std::size_t column = 0;
        if (matcher.find(line, column) == Matcher::Found::yes) {
            ++matches;
            if (matches > options.max_matches) {
                part.facts.truncated = true;
                --matches;
                break;
            }
            for (std::size_t i = 0; i < before.size(); ++i) {
                show(reader.number() - before.size() + i, before[i], false);
            }
            before.clear();
            show(reader.number(), line, true);
            wanted_up_to = reader.number() + around;
        } else if (reader.number() <= wanted_up_to) {
            show(reader.number(), line, false);
        } else {
            before.push_back(line);
            if (before.size() > around) before.pop_front();
        }
        if (part.text.size() > options.max_text) {
            part.text = std::string(first_bytes(part.text, options.max_text));
            part.facts.truncated = true;
            add_note(part.facts, "cut at line " + std::to_string(reader.number()) +
                                     "; more matches may follow");
            break;
        }
    }
    if (auto refusal = trouble(open, reader)) return *refusal;
    part.facts.matches = matches;
    const std::string what = "'" + options.search_pattern + "' in " + open.path;
    part.text = matches == 0 ? "No matches for " + what + '\n'
                             : std::to_string(matches) + " matches for " + what + ":\n" + part.text;
    note_losses(reader, part.facts);
    return part;
}

Outcome<FilePart> document(const Access& access, const OpenFile& open, const ReadOptions& options) {
    auto content = read_whole(open.file.get(), open.path, access.rules().max_file_bytes);
    if (!content) return content.failure();
    FilePart part = begin(open, detect_encoding(std::string_view(*content).substr(0, head_bytes),
                                                content->size() <= head_bytes));
    part.facts.note.clear();
    const std::string name(last_name(open.path));
    const std::string_view image = image_format(*content);
    Media media;
    media.kind = image.empty() ? "document" : "image";
    media.name = options.neutral_name.empty() ? neutral_name(name, sha256_of(*content))
                                              : options.neutral_name;
    media.format = !image.empty()           ? std::string(image)
                   : options.format.empty() ? document_format(name)
                                            : options.format;
    media.bytes = *std::move(content);
    part.media = std::move(media);
    return part;
}

std::string time_text(std::int64_t seconds) {
    const std::time_t time = seconds;
    std::tm parts{};
    if (!::gmtime_r(&time, &parts)) return std::to_string(seconds);
    char text[64];
    const std::size_t size = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return {text, size};
}

std::string size_text(std::uint64_t bytes) {
    static constexpr const char* units[] = {"bytes", "KB", "MB", "GB", "TB", "PB"};
    if (bytes < 1024) return std::to_string(bytes) + " bytes";
    double value = static_cast<double>(bytes);
    std::size_t unit = 0;
    while (value >= 1024 && unit + 1 < std::size(units)) {
        value /= 1024;
        ++unit;
    }
    char text[32];
    const int size = std::snprintf(text, sizeof text, "%.1f ", value);
    return std::string(text, static_cast<std::size_t>(size)) + units[unit];
}

std::string mode_text(mode_t mode) {
    std::string out = "rwxrwxrwx";
    for (std::size_t i = 0; i < out.size(); ++i) {
        if ((mode & (0400U >> i)) == 0) out[i] = '-';
    }
    return out;
}

}  // namespace file_operations
