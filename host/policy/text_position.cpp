#include "host/policy/text_position.hpp"

#include <algorithm>

#include "host/base/utf8.hpp"

namespace toolhost::policy {
namespace {

constexpr std::size_t kBlock = 256;

}  // namespace

TextPosition::TextPosition(std::string_view text, std::string file)
    : text_(text), file_(std::move(file)), line_starts_{0}, counted_{0} {
    for (std::size_t at = 0; at < text.size(); at += kBlock)
        counted_.push_back(counted_.back() + count_characters(text.substr(at, kBlock)));
    for (auto at = text.find('\n'); at != text.npos; at = text.find('\n', at + 1))
        line_starts_.push_back(at + 1);
}

std::size_t TextPosition::characters_before(std::size_t byte) const {
    const auto block = byte / kBlock;
    return counted_[block] + count_characters(text_.substr(block * kBlock, byte % kBlock));
}

Place TextPosition::in_line(std::size_t line, std::size_t byte) const {
    const auto column = characters_before(byte) - characters_before(line_starts_[line]);
    return {file_, static_cast<int>(line) + 1, static_cast<int>(column) + 1};
}

Place TextPosition::at(int line, int byte_column) const {
    const auto number = static_cast<std::size_t>(line);
    if (number >= line_starts_.size()) return in_line(line_starts_.size() - 1, text_.size());
    const bool last = number + 1 == line_starts_.size();
    const auto end = last ? text_.size() : line_starts_[number + 1] - 1;
    const auto byte = line_starts_[number] + static_cast<std::size_t>(byte_column);
    return in_line(number, std::min(byte, end));
}

Place TextPosition::at_byte(std::size_t byte) const {
    const auto next = std::upper_bound(line_starts_.begin(), line_starts_.end(), byte);
    return in_line(static_cast<std::size_t>(next - line_starts_.begin()) - 1, byte);
}

}  // namespace toolhost::policy
