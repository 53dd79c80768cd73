#include "search/file_hits.hpp"

#include <algorithm>
#include <cstring>

#include "text/names.hpp"

namespace file_operations {
namespace {

constexpr std::size_t max_shown_bytes = 500;
constexpr std::size_t shown_before_match = 100;

// Shortens a long line to the part around the match.
std::string shown_line(std::string_view line, std::size_t column) {
    if (line.size() <= max_shown_bytes) return valid_utf8(line);
    std::size_t from = 0;
    if (column + shown_before_match > max_shown_bytes) {
        from = column - shown_before_match;
        while (from > 0 && (static_cast<unsigned char>(line[from]) & 0xC0) == 0x80) --from;
    }
    const std::string_view part = first_bytes(line.substr(from), max_shown_bytes);
    return (from > 0 ? "..." : "") + valid_utf8(part) +
           (from + part.size() < line.size() ? "..." : "");
}

// Much faster than std::string_view's find().
std::size_t find_text(std::string_view content, const std::string& text, std::size_t from) {
    const void* found =
        ::memmem(content.data() + from, content.size() - from, text.data(), text.size());
    if (!found) return std::string_view::npos;
    return static_cast<std::size_t>(static_cast<const char*>(found) - content.data());
}

class HitFinder {
public:
    HitFinder(std::string_view content, const HitLimits& limits, FileHits& hits)
        : content_(content), limits_(limits), hits_(hits) {}

    // The beginning and end of the line at a position.
    [[nodiscard]] std::size_t begin_of(std::size_t at) const {
        const auto before = at == 0 ? std::string_view::npos : content_.rfind('\n', at - 1);
        return before == std::string_view::npos ? 0 : before + 1;
    }
    [[nodiscard]] std::size_t end_of(std::size_t at) const {
        return std::min(content_.find('\n', at), content_.size());
    }
    [[nodiscard]] std::string_view line(std::size_t begin, std::size_t end) const {
        if (end > begin && content_[end - 1] == '\r') --end;
        return content_.substr(begin, end - begin);
    }

    // Returns false if the file has enough matches.
    bool add(std::size_t begin, std::size_t end, std::size_t column) {
        ++hits_.count;
        if (limits_.mode == SearchMode::files) return false;
        if (limits_.mode == SearchMode::count) return true;
        if (hits_.count > limits_.max_lines) return false;
        number_ += static_cast<std::uint64_t>(
            std::count(content_.data() + counted_, content_.data() + begin, '\n'));
        counted_ = begin;
        add_context_before(begin);
        hits_.lines.push_back({number_, column + 1, shown_line(line(begin, end), column)});
        context_left_ = limits_.context_lines;
        last_end_ = end;
        return true;
    }

    // Adds the lines after the last match, up to the beginning of the next one.
    void add_context_after(std::size_t until) {
        std::uint64_t number = hits_.lines.empty() ? 0 : hits_.lines.back().number;
        while (context_left_ > 0 && last_end_ + 1 < until) {
            const std::size_t begin = last_end_ + 1;
            const std::size_t end = end_of(begin);
            hits_.lines.push_back({++number, 0, shown_line(line(begin, end), 0)});
            last_end_ = end;
            --context_left_;
        }
    }

private:
    void add_context_before(std::size_t begin) {
        add_context_after(begin);
        std::size_t from = begin;
        int lines = 0;
        const std::uint64_t last = hits_.lines.empty() ? 0 : hits_.lines.back().number;
        while (lines < limits_.context_lines && from > 0 &&
               number_ - static_cast<std::uint64_t>(lines) > last + 1) {
            from = begin_of(from - 1);
            ++lines;
        }
        for (; lines > 0; --lines) {
            const std::size_t end = end_of(from);
            hits_.lines.push_back(
                {number_ - static_cast<std::uint64_t>(lines), 0, shown_line(line(from, end), 0)});
            from = end + 1;
        }
    }

    std::string_view content_;
    const HitLimits& limits_;
    FileHits& hits_;
    std::uint64_t number_ = 1;
    std::size_t counted_ = 0;
    std::size_t last_end_ = 0;
    int context_left_ = 0;
};

}  // namespace

Scan find_hits(std::string_view content, const Pattern& pattern, Matcher& matcher,
               const HitLimits& limits, const std::atomic<bool>& stop, FileHits& hits) {
    HitFinder finder(content, limits, hits);
    const std::string& required = pattern.required_text();
    Scan scan = Scan::done;
    for (std::size_t at = 0; at < content.size();) {
        // Most lines do not contain the required text and are skipped.
        if (!required.empty()) at = find_text(content, required, at);
        if (at >= content.size()) break;
        const std::size_t begin = required.empty() ? at : finder.begin_of(at);
        const std::size_t end = finder.end_of(at);
        std::size_t column = 0;
        const auto found = matcher.find(finder.line(begin, end), column);
        if (found == Matcher::Found::too_costly) scan = Scan::too_costly;
        if (found == Matcher::Found::yes && !finder.add(begin, end, column)) break;
        at = end + 1;
        if (stop.load(std::memory_order_relaxed)) return Scan::stopped;
    }
    finder.add_context_after(content.size());
    return scan;
}

}  // namespace file_operations
