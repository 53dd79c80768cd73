// Text in any encoding as UTF-8, whole or as it arrives.
#pragma once

#include <iconv.h>

#include <string>
#include <string_view>

namespace http_tool {

// The charset parameter of a Content-Type, in lower case; empty if missing.
[[nodiscard]] std::string charset_of(std::string_view content_type);
// What an HTML text says of itself in its first bytes.
[[nodiscard]] std::string charset_in_html(std::string_view html);
// No invalid sequence. A sequence that is cut at the end counts as valid if `may_end_early`.
[[nodiscard]] bool is_utf8(std::string_view text, bool may_end_early = false);

// What does not fit the encoding becomes U+FFFD.
class Decoder {
public:
    // An empty or unknown name: UTF-8.
    explicit Decoder(const std::string& charset);
    ~Decoder();
    Decoder(const Decoder&) = delete;
    Decoder& operator=(const Decoder&) = delete;

    [[nodiscard]] bool known() const { return known_; }
    [[nodiscard]] const std::string& name() const { return name_; }
    // What is complete of the text so far.
    [[nodiscard]] std::string feed(std::string_view bytes);
    // What was left.
    [[nodiscard]] std::string finish();

private:
    std::string name_;
    bool known_ = true;
    iconv_t converter_;
    std::string pending_;
};

struct Decoded {
    std::string text;
    std::string charset;  // decoded from
    bool known = true;    // else the name was not, and it was read as UTF-8
};
// By a byte order mark, else the given name, else as UTF-8 if it is that, else as Windows-1252.
[[nodiscard]] Decoded decode(std::string_view bytes, std::string charset);

}  // namespace http_tool
