// Makes the output of programs usable as text in a result: limited, always valid UTF-8, and without
// control characters except white space, which JSON would write in six characters.
#ifndef TOOLHOST_PROCESS_TEXT_HPP
#define TOOLHOST_PROCESS_TEXT_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace toolhost {

namespace detail {

// The length of the first character: 0 if the bytes are invalid, -1 if more bytes are needed.
inline int utf8_length(std::string_view bytes) {
    const auto at = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
    const unsigned lead = at(0);
    if (lead < 0x20) return lead >= '\b' && lead <= '\r' && lead != '\v' ? 1 : 0;
    if (lead < 0x7f) return 1;
    const int length = lead >= 0xc2 && lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    if (lead < 0xc2 || lead > 0xf4) return 0;
    for (int i = 1; i < length; ++i) {
        if (static_cast<std::size_t>(i) >= bytes.size()) return -1;
        unsigned least = 0x80, most = 0xbf;
        if (i == 1 && lead == 0xe0) least = 0xa0;  // overlong
        if (i == 1 && lead == 0xed) most = 0x9f;   // surrogate
        if (i == 1 && lead == 0xf0) least = 0x90;
        if (i == 1 && lead == 0xf4) most = 0x8f;  // above U+10FFFF
        if (at(static_cast<std::size_t>(i)) < least || at(static_cast<std::size_t>(i)) > most)
            return 0;
    }
    return length;
}

}  // namespace detail

// Text for streaming: whole characters, even if their bytes arrive in two pieces. Invalid bytes
// become U+FFFD.
class Utf8Pieces {
public:
    std::string next(std::string_view bytes) {
        held_ += bytes;
        std::string out;
        std::size_t at = 0;
        while (at < held_.size()) {
            const int length = detail::utf8_length(std::string_view(held_).substr(at));
            if (length < 0) break;
            if (length == 0) {
                out += kReplacement;
                ++at;
                continue;
            }
            out.append(held_, at, static_cast<std::size_t>(length));
            at += static_cast<std::size_t>(length);
        }
        held_.erase(0, at);
        return out;
    }

    // Returns the rest at the end of the output: at most the beginning of a character.
    std::string finish() {
        std::string out;
        for (std::size_t i = 0; i < held_.size(); ++i) out += kReplacement;
        held_.clear();
        return out;
    }

private:
    static constexpr const char* kReplacement = "\xef\xbf\xbd";
    std::string held_;
};

// Keeps the beginning and the end of long text, because errors come last.
class BoundedText {
public:
    explicit BoundedText(std::size_t most_bytes) : half_((most_bytes + 1) / 2) {}

    void append(std::string_view bytes) {
        bytes_ += bytes.size();
        const auto first = std::min(bytes.size(), half_ - std::min(half_, head_.size()));
        head_ += bytes.substr(0, first);
        tail_ += bytes.substr(first);
        // Done rarely, because every time moves all that is kept.
        if (tail_.size() > 2 * half_ + 65536) shorten();
    }

    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
    [[nodiscard]] bool is_cut() const { return bytes_ > 2 * half_; }

    // Valid UTF-8; a line says how much was omitted.
    [[nodiscard]] std::string text() const {
        if (!is_cut()) return clean(head_ + tail_);
        return clean(whole_characters(head_)) + "\n[... " + std::to_string(bytes_ - 2 * half_) +
               " bytes omitted ...]\n" +
               clean(from_character(std::string_view(tail_).substr(tail_.size() - half_)));
    }

private:
    static std::string clean(std::string_view bytes) {
        Utf8Pieces pieces;
        const std::string text = pieces.next(bytes);
        return text + pieces.finish();
    }

    static bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; }

    // Removes an incomplete character at the end.
    static std::string_view whole_characters(std::string_view text) {
        for (std::size_t back = 1; back <= 3 && back <= text.size(); ++back) {
            const auto end = text.size() - back;
            if (continues(text[end])) continue;
            return detail::utf8_length(text.substr(end)) < 0 ? text.substr(0, end) : text;
        }
        return text;
    }
    static std::string_view from_character(std::string_view text) {
        for (int i = 0; i < 3 && !text.empty() && continues(text.front()); ++i)
            text.remove_prefix(1);
        return text;
    }

    void shorten() { tail_.erase(0, tail_.size() - half_); }

    std::size_t half_;
    std::string head_, tail_;
    std::uint64_t bytes_ = 0;
};

}  // namespace toolhost

#endif  // TOOLHOST_PROCESS_TEXT_HPP
