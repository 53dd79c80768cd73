#include "net/jwt.hpp"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <string_view>

namespace http_tool {
namespace {

struct Algorithm {
    const char* name;
    const EVP_MD* (*digest)();
};
constexpr Algorithm kAlgorithms[] = {
    {"HS256", EVP_sha256}, {"HS384", EVP_sha384}, {"HS512", EVP_sha512}};

// RFC 4648, section 5, without padding.
std::string base64url(std::string_view bytes) {
    static constexpr char kDigits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    std::string text;
    unsigned held = 0, bits = 0;
    for (const char c : bytes) {
        held = (held << 8 | static_cast<unsigned char>(c)) & 0xFFFF;
        for (bits += 8; bits >= 6; bits -= 6) text += kDigits[held >> (bits - 6) & 63];
    }
    if (bits > 0) text += kDigits[held << (6 - bits) & 63];
    return text;
}

}  // namespace

Outcome<std::string> make_jwt(const std::string& secret, const std::string& algorithm,
                              std::int64_t expires) {
    const Algorithm* found = nullptr;
    for (const auto& one : kAlgorithms)
        if (algorithm == one.name) found = &one;
    if (!found) return Failure{"the algorithm must be HS256, HS384 or HS512"};
    const std::string text = base64url(R"({"alg":")" + algorithm + R"(","typ":"JWT"})") + '.' +
                             base64url(R"({"exp":)" + std::to_string(expires) + '}');
    unsigned char signature[EVP_MAX_MD_SIZE];
    unsigned size = 0;
    if (!HMAC(found->digest(), secret.data(), static_cast<int>(secret.size()),
              reinterpret_cast<const unsigned char*>(text.data()), text.size(), signature, &size))
        return Failure{"cannot sign the token"};
    return text + '.' + base64url({reinterpret_cast<const char*>(signature), size});
}

}  // namespace http_tool
