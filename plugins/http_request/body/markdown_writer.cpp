#include "body/markdown_writer.hpp"
#include "body/html_tokens.hpp"

#include <algorithm>
#include <utility>

namespace http_tool {
namespace {

void trim_end(std::string& text) {
    while (!text.empty() && is_blank(text.back())) text.pop_back();
}

}  // namespace

std::string MarkdownWriter::prefix() {
    std::string text;
    for (auto& one : prefixes_) text += std::exchange(one.begun, true) ? one.rest : one.first;
    return text;
}

// Empty lines within a quote belong to it.
std::string MarkdownWriter::empty_line() const {
    std::string text;
    for (const auto& one : prefixes_)
        if (one.begun) text += one.rest;
    trim_end(text);
    return text + '\n';
}

void MarkdownWriter::apart(int lines) {
    if (is_inline()) {
        pending_blank_ = true;
        return;
    }
    // The first block of an item or quote follows its marker.
    const bool fresh = !prefixes_.empty() && !prefixes_.back().begun;
    pending_lines_ = std::max(pending_lines_, fresh ? 1 : lines);
}

// Requested line ends are written when more text follows.
void MarkdownWriter::begin_text() {
    if (!is_inline() && (pending_lines_ > 0 || text_.empty())) {
        if (!text_.empty()) text_ += '\n';
        if (!text_.empty() && pending_lines_ > 1) text_ += empty_line();
        text_ += prefix();
        at_line_start_ = true;
        pending_lines_ = 0;
    }
    if (pending_blank_ && !at_line_start_) text_ += ' ';
    pending_blank_ = false;
}

void MarkdownWriter::flow(std::string_view text) {
    for (std::size_t at = 0; at < text.size() && !is_full();) {
        if (is_blank(text[at])) {
            pending_blank_ = true;
            ++at;
            continue;
        }
        std::size_t end = at;
        while (end < text.size() && !is_blank(text[end])) ++end;
        begin_text();
        text_ += text.substr(at, end - at);
        at_line_start_ = false;
        at = end;
    }
}

void MarkdownWriter::mark(std::string_view markup) {
    if (is_full()) return;
    begin_text();
    text_ += markup;
    at_line_start_ = false;
}

void MarkdownWriter::fenced(std::string_view text, std::string_view language) {
    std::size_t longest = 2, run = 0;
    for (const char c : text) longest = std::max(longest, run = c == '`' ? run + 1 : 0);
    const std::string fence(longest + 1, '`');
    if (is_full()) return;
    block();
    mark(fence);
    text_ += language;
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
    while (!is_full()) {
        const auto end = std::min(text.find('\n'), text.size());
        std::string_view one = text.substr(0, end);
        if (!one.empty() && one.back() == '\r') one.remove_suffix(1);
        text_ += '\n' + prefix();
        text_ += one;
        if (end == text.size()) break;
        text.remove_prefix(end + 1);
    }
    text_ += '\n' + prefix() + fence;
    block();
}

void MarkdownWriter::begin_prefix(std::string first, std::string rest) {
    prefixes_.push_back({std::move(first), std::move(rest)});
}

void MarkdownWriter::end_prefix() {
    prefixes_.pop_back();
}

void MarkdownWriter::end_inline() {
    if (inline_depth_ > 0) --inline_depth_;
}

void MarkdownWriter::begin_span(std::string_view open) {
    begin_text();
    const std::size_t before = text_.size();
    text_ += open;
    spans_.push_back({before, text_.size()});
    at_line_start_ = true;  // no space after the markup
}

void MarkdownWriter::end_span(std::string_view close) {
    if (spans_.empty()) return;
    const Span span = spans_.back();
    spans_.pop_back();
    if (text_.size() <= span.after) {
        text_.resize(std::min(text_.size(), span.before));
        at_line_start_ = text_.empty() || is_blank(text_.back());
        return;
    }
    text_ += close;
    at_line_start_ = false;
}

void MarkdownWriter::begin_cell() {
    begin_inline();
    cell_start_ = text_.size();
    pending_blank_ = false;
    at_line_start_ = true;
}

std::string MarkdownWriter::end_cell() {
    end_inline();
    std::string cell = text_.substr(std::min(cell_start_, text_.size()));
    text_.resize(std::min(cell_start_, text_.size()));
    pending_blank_ = false;
    trim_end(cell);
    return cell;
}

std::string MarkdownWriter::take() {
    trim_end(text_);
    if (!text_.empty()) text_ += '\n';
    return std::move(text_);
}

}  // namespace http_tool
