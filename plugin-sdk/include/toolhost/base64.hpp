// Encodes bytes as base64 (RFC 4648), for images and documents in JSON.
#ifndef TOOLHOST_BASE64_HPP
#define TOOLHOST_BASE64_HPP

#include <cstddef>
#include <string>
#include <string_view>

namespace toolhost {

[[nodiscard]] inline std::string base64(std::string_view bytes) {
    static constexpr char digits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    out.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        unsigned group = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            group =
                group << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
        }
        for (std::size_t k = 0; k < 4; ++k) {
            // n bytes fill n + 1 digits; the rest of the group is padding.
            const bool filled = i + k <= bytes.size();
            out += filled ? digits[group >> (18 - 6 * k) & 63U] : '=';
        }
    }
    return out;
}

}  // namespace toolhost

#endif  // TOOLHOST_BASE64_HPP
