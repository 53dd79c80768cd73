// Detects the encoding of a file's bytes and decodes them to UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace file_operations {

enum class Encoding { utf8, utf8_bom, utf16le, utf16be, utf32le, utf32be, windows1252, binary };

[[nodiscard]] std::string_view name_of(Encoding encoding);
[[nodiscard]] std::size_t bom_size(Encoding encoding);

// By the byte order mark, otherwise by the bytes. `head` is the beginning of the file: a character
// split at its end is not an error, unless `whole` is set.
[[nodiscard]] Encoding detect_encoding(std::string_view head, bool whole);

// Decodes bytes to UTF-8 in pieces of any size. Invalid bytes become U+FFFD.
class Decoder {
public:
    explicit Decoder(Encoding encoding) : encoding_(encoding) {}

    // Takes the bytes after the mark. `last` means that nothing follows.
    void decode(std::string_view bytes, bool last, std::string& out);
    [[nodiscard]] bool replaced() const { return replaced_; }

private:
    void decode_utf8(std::string_view bytes, bool last, std::string& out);
    void decode_wide(std::string_view bytes, bool last, std::string& out);

    Encoding encoding_;
    std::string rest_;  // of a character split at the end of a piece
    bool replaced_ = false;
};

// Decodes a whole text, including its mark.
[[nodiscard]] std::string to_utf8(std::string_view bytes, Encoding encoding, bool* replaced);

}  // namespace file_operations
