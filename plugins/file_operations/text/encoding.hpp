// What a file's bytes are, and the UTF-8 of them.
#pragma once

#include <string>
#include <string_view>

namespace file_operations {

enum class Encoding { utf8, utf8_bom, utf16le, utf16be, utf32le, utf32be, windows1252, binary };

[[nodiscard]] std::string_view name_of(Encoding encoding);
[[nodiscard]] std::size_t bom_size(Encoding encoding);

// By the mark at the beginning, else by what the bytes can be. `head` is the beginning of the file:
// a character split at the end is not an error, unless it is the whole text.
[[nodiscard]] Encoding detect_encoding(std::string_view head, bool whole);

// Bytes in pieces of any size to UTF-8. What no character is becomes U+FFFD.
class Decoder {
public:
    explicit Decoder(Encoding encoding) : encoding_(encoding) {}

    // The bytes after the mark. `last` says that nothing follows.
    void decode(std::string_view bytes, bool last, std::string& out);
    [[nodiscard]] bool replaced() const { return replaced_; }

private:
    void decode_utf8(std::string_view bytes, bool last, std::string& out);
    void decode_wide(std::string_view bytes, bool last, std::string& out);

    Encoding encoding_;
    std::string rest_;  // of a character that a piece's end cut
    bool replaced_ = false;
};

// A whole text at once, its mark included.
[[nodiscard]] std::string to_utf8(std::string_view bytes, Encoding encoding, bool* replaced);

}  // namespace file_operations
