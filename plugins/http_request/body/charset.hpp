// Decodes text in any encoding to UTF-8, as a whole or in pieces.
#pragma once

#include <iconv.h>

#include <string>
#include <string_view>

namespace http_tool {

// The charset parameter of a Content-Type, in lower case; empty if missing.
[[nodiscard]] std::string charset_of(std::string_view content_type);
// The charset declared in the first bytes of an HTML text.
[[nodiscard]] std::string charset_in_html(std::string_view html);
// Whether the text is valid. An incomplete sequence at the end is accepted if `may_end_early`.
[[nodiscard]] bool is_utf8(std::string_view text, bool may_end_early = false);

// Invalid bytes become U+FFFD.
class Decoder {
public:
    // An empty or unknown name means UTF-8.
    explicit Decoder(const std::string& charset);
    ~Decoder();
    Decoder(const Decoder&) = delete;
    Decoder& operator=(const Decoder&) = delete;

    [[nodiscard]] bool known() const { return known_; }
    [[nodiscard]] const std::string& name() const { return name_; }
    // Returns the complete characters so far.
    [[nodiscard]] std::string feed(std::string_view bytes);
    // Returns the rest.
    [[nodiscard]] std::string finish();

private:
    std::string name_;
    bool known_ = true;
    iconv_t converter_;
    std::string pending_;
};

struct Decoded {
    std::string text;
    std::string charset;  // the charset used
    bool known = true;    // false: the name was unknown, and the text was read as UTF-8
};
// By a byte order mark, else the given name, else as UTF-8 if it is valid, else as Windows-1252.
[[nodiscard]] Decoded decode(std::string_view bytes, std::string charset);

}  // namespace http_tool
