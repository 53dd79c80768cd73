#include "body/charset.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <new>
#include <utility>

namespace http_tool {
namespace {

constexpr std::size_t kHtmlHeadBytes = 1024;
const iconv_t kNone = reinterpret_cast<iconv_t>(-1);

std::string lower(std::string_view text) {
    std::string copy(text);
    for (char& c : copy)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return copy;
}

// Reads a plain name: iconv accepts options after slashes.
std::string name_at(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r\n\"'");
    if (first == std::string_view::npos) return {};
    text = text.substr(first);
    const auto end = text.find_first_not_of(
        "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-_.:");
    return lower(text.substr(0, std::min<std::size_t>(end, 40)));
}

// As in browsers: pages that declare Latin-1 are in fact Windows-1252.
std::string actual_charset(const std::string& name) {
    for (const char* latin :
         {"iso-8859-1", "iso8859-1", "latin1", "latin-1", "l1", "us-ascii", "ascii"})
        if (name == latin) return "windows-1252";
    return name.empty() || name == "utf8" ? "utf-8" : name;
}

// The length of the sequence at `at`; 0 if invalid, -1 if the text ends inside of it.
int sequence_at(std::string_view text, std::size_t at) {
    auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned lead = byte(at);
    if (lead < 0x80) return 1;
    const int length = lead >= 0xC2 && lead < 0xE0   ? 2
                       : lead >= 0xE0 && lead < 0xF0 ? 3
                       : lead >= 0xF0 && lead < 0xF5 ? 4
                                                     : 0;
    if (length == 0) return 0;
    unsigned low = 0x80, high = 0xBF;  // of the second byte: excludes overlong forms, surrogates
                                       // and values that are too large
    if (lead == 0xE0) low = 0xA0;
    if (lead == 0xED) high = 0x9F;
    if (lead == 0xF0) low = 0x90;
    if (lead == 0xF4) high = 0x8F;
    for (int i = 1; i < length; ++i) {
        if (at + static_cast<std::size_t>(i) >= text.size()) return -1;
        const unsigned next = byte(at + static_cast<std::size_t>(i));
        if (next < low || next > high) return 0;
        low = 0x80;
        high = 0xBF;
    }
    return length;
}

// The end of the ASCII text at `at`: most text is only ASCII, and is skipped fast.
std::size_t ascii_end(std::string_view text, std::size_t at) {
    constexpr std::uint64_t kHighBits = 0x8080808080808080;
    std::uint64_t words[4];
    for (; text.size() - at >= sizeof words; at += sizeof words) {
        std::memcpy(words, text.data() + at, sizeof words);
        if (((words[0] | words[1] | words[2] | words[3]) & kHighBits) != 0) break;
    }
    while (at < text.size() && static_cast<unsigned char>(text[at]) < 0x80) ++at;
    return at;
}

}  // namespace

std::string charset_of(std::string_view content_type) {
    const std::string text = lower(content_type);
    const auto at = text.find("charset=");
    return at == std::string::npos ? "" : name_at(std::string_view(text).substr(at + 8));
}

std::string charset_in_html(std::string_view html) {
    const std::string head = lower(html.substr(0, kHtmlHeadBytes));
    const auto meta = head.find("<meta");
    if (meta == std::string::npos) return {};
    const std::string name = charset_of(std::string_view(head).substr(meta));
    // The declaration was readable as bytes, so it cannot be UTF-16.
    return name.rfind("utf-16", 0) == 0 ? "utf-8" : name;
}

bool is_utf8(std::string_view text, bool may_end_early) {
    for (std::size_t at = 0; (at = ascii_end(text, at)) < text.size();) {
        const int length = sequence_at(text, at);
        if (length < 0) return may_end_early;
        if (length == 0) return false;
        at += static_cast<std::size_t>(length);
    }
    return true;
}

Decoder::Decoder(const std::string& charset)
    : name_(actual_charset(charset)), converter_(::iconv_open("UTF-8", name_.c_str())) {
    if (converter_ != kNone) return;
    known_ = false;
    name_ = "utf-8";
    converter_ = ::iconv_open("UTF-8", "UTF-8");
    if (converter_ == kNone) throw std::bad_alloc();  // the C library always provides it
}

Decoder::~Decoder() {
    ::iconv_close(converter_);
}

std::string Decoder::feed(std::string_view bytes) {
    pending_ += bytes;
    std::string text;
    char* from = pending_.data();
    std::size_t left = pending_.size();
    std::array<char, 8192> buffer;
    while (left > 0) {
        char* to = buffer.data();
        std::size_t room = buffer.size();
        const auto answer = ::iconv(converter_, &from, &left, &to, &room);
        const int error = answer == static_cast<std::size_t>(-1) ? errno : 0;
        text.append(buffer.data(), static_cast<std::size_t>(to - buffer.data()));
        if (error == EINVAL) break;  // an incomplete character: wait for the rest
        if (error == EILSEQ) {
            text += "\xEF\xBF\xBD";
            ++from;
            --left;
        } else if (error != 0 && error != E2BIG) {
            break;
        }
    }
    pending_.erase(0, pending_.size() - left);
    return text;
}

std::string Decoder::finish() {
    return std::exchange(pending_, {}).empty() ? "" : "\xEF\xBF\xBD";
}

Decoded decode(std::string_view bytes, std::string charset) {
    struct Mark {
        std::string_view bytes;
        const char* charset;
    };
    static constexpr Mark kMarks[] = {
        {"\xEF\xBB\xBF", "utf-8"}, {"\xFE\xFF", "utf-16be"}, {"\xFF\xFE", "utf-16le"}};
    for (const auto& mark : kMarks) {
        if (bytes.substr(0, mark.bytes.size()) != mark.bytes) continue;
        charset = mark.charset;
        bytes.remove_prefix(mark.bytes.size());
        break;
    }
    if (charset.empty()) charset = is_utf8(bytes) ? "utf-8" : "windows-1252";
    if (charset == "utf-16") charset = "utf-16le";  // without a mark, as in browsers
    Decoder decoder(charset);
    if (decoder.name() == "utf-8" && is_utf8(bytes))
        return {std::string(bytes), "utf-8", decoder.known()};
    std::string text = decoder.feed(bytes);
    text += decoder.finish();
    return {std::move(text), decoder.name(), decoder.known()};
}

}  // namespace http_tool
