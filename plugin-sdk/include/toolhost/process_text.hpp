// What programs print, as text that a result can hold: bounded, valid UTF-8 whatever the bytes, and
// without control characters other than blanks and line ends, which JSON writes in six characters.
#ifndef TOOLHOST_PROCESS_TEXT_HPP
#define TOOLHOST_PROCESS_TEXT_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace toolhost {

namespace detail {

// The length of the character at the front: 0 if the bytes are no text, -1 if more may make it one.
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
        if (i == 1 && lead == 0xe0) least = 0xa0;  // longer than it need be
        if (i == 1 && lead == 0xed) most = 0x9f;   // half of a pair
        if (i == 1 && lead == 0xf0) least = 0x90;
        if (i == 1 && lead == 0xf4) most = 0x8f;  // beyond the last
        if (at(static_cast<std::size_t>(i)) < least || at(static_cast<std::size_t>(i)) > most)
            return 0;
    }
    return length;
}

}  // namespace detail

// Text for streaming: characters come out whole, though their bytes may come in two pieces. What is
// no text comes as U+FFFD.
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

    // What is left when no more comes: the beginning of a character at most.
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

// Keeps the beginning and the end of what is too long, since errors come last.
class BoundedText {
public:
    explicit BoundedText(std::size_t most_bytes) : half_((most_bytes + 1) / 2) {}

    void append(std::string_view bytes) {
        bytes_ += bytes.size();
        const auto first = std::min(bytes.size(), half_ - std::min(half_, head_.size()));
        head_ += bytes.substr(0, first);
        tail_ += bytes.substr(first);
        // Now and then only, or each piece would move all that is kept.
        if (tail_.size() > 2 * half_ + 65536) shorten();
    }

    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
    [[nodiscard]] bool is_cut() const { return bytes_ > 2 * half_; }

    // Valid UTF-8; where something is left out, a line says how much.
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

    // Without the beginning of a character at its end.
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
