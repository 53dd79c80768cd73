#include "host/serve/auth/jwt.hpp"

#include <algorithm>
#include <array>

#include "host/base/json_text.hpp"
#include "host/serve/auth/base64url.hpp"

namespace toolhost::serve {
namespace {

using boost::system::result;

// Far above what issuers make, and below what a header may be.
constexpr std::size_t kMaxTokenBytes = 16u << 10;
// Clocks of two machines are never the same.
constexpr double kLeewaySeconds = 60;
// A key without an id may be any; a long list of them must not cost a stranger's token much of
// ours.
constexpr std::size_t kMaxTries = 8;
// Types of access tokens, by RFC 9068 and by convention; tokens for other purposes differ.
constexpr std::array<std::string_view, 4> kTypes = {"JWT", "AT+JWT", "APPLICATION/JWT",
                                                    "APPLICATION/AT+JWT"};

result<Json, TokenFault> decoded_object(std::string_view part, std::string_view what) {
    const auto bytes = from_base64url(part);
    if (!bytes) return TokenFault{"its " + std::string(what) + " is not base64url"};
    auto json = parse_json(*bytes);
    if (!json || !json->is_object())
        return TokenFault{"its " + std::string(what) + " is not a JSON object"};
    return *std::move(json);
}

std::string text_claim(const Json& object, const char* name) {
    const auto it = object.find(name);
    return it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
}

bool is_access_token_type(std::string type) {
    for (char& c : type)
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    return std::find(kTypes.begin(), kTypes.end(), type) != kTypes.end();
}

std::optional<TokenFault> check_header(const Json& header) {
    if (header.contains("typ") && !is_access_token_type(text_claim(header, "typ")))
        return TokenFault{"its 'typ' is not an access token"};
    // What it lists must be understood, and nothing of the kind is.
    if (header.contains("crit")) return TokenFault{"its 'crit' requires an unsupported extension"};
    return std::nullopt;
}

bool names(const Json& audience, std::string_view wanted) {
    const auto is_wanted = [&](const Json& one) {
        return one.is_string() && one.get_ref<const std::string&>() == wanted;
    };
    return is_wanted(audience) ||
           (audience.is_array() && std::any_of(audience.begin(), audience.end(), is_wanted));
}

}  // namespace

result<Jwt, TokenFault> Jwt::read(std::string_view token) {
    if (token.size() > kMaxTokenBytes) return TokenFault{"it is too long"};
    const auto first = token.find('.'), last = token.rfind('.');
    if (first == token.npos || token.find('.', first + 1) != last || first == last)
        return TokenFault{"it is neither a token of this server nor a JWT"};
    auto header = decoded_object(token.substr(0, first), "header");
    if (!header) return header.error();
    if (auto fault = check_header(*header)) return *std::move(fault);
    Jwt jwt;
    jwt.signing_ = find_signing(text_claim(*header, "alg"));
    if (!jwt.signing_) return TokenFault{"its 'alg' is not one of RS256, PS256, ES256 and EdDSA"};
    jwt.kid_ = text_claim(*header, "kid");
    if (header->contains("kid") && jwt.kid_.empty()) return TokenFault{"its 'kid' is not a string"};
    auto signature = from_base64url(token.substr(last + 1));
    if (!signature) return TokenFault{"its signature is not base64url"};
    jwt.signature_ = *std::move(signature);
    jwt.signed_text_ = token.substr(0, last);
    jwt.payload_ = token.substr(first + 1, last - first - 1);
    return jwt;
}

bool Jwt::may_be_of(const PublicKey& key) const {
    return key.fits(*signing_) && (kid_.empty() || kid_ == key.kid());
}

bool Jwt::names_one_of(const KeySet& keys) const {
    return std::any_of(keys.begin(), keys.end(), [&](const auto& key) { return may_be_of(*key); });
}

bool Jwt::is_signed_by_one_of(const KeySet& keys) const {
    std::size_t tries = 0;
    for (const auto& key : keys) {
        if (!may_be_of(*key)) continue;
        if (key->has_signed(signing_->signing, signed_text_, signature_)) return true;
        if (++tries == kMaxTries) break;
    }
    return false;
}

result<Json, TokenFault> Jwt::claims() const {
    return decoded_object(payload_, "payload");
}

std::optional<TokenFault> check_claims(const Json& claims, const ClaimRules& terms) {
    using std::chrono::duration;
    const double now = duration<double>(terms.now.time_since_epoch()).count();
    if (text_claim(claims, "iss") != terms.issuer)
        return TokenFault{"it was issued by another issuer"};
    if (!claims.contains("aud") || !names(claims["aud"], terms.audience))
        return TokenFault{"it is for another audience"};
    const auto until = claims.find("exp");
    if (until == claims.end() || !until->is_number()) return TokenFault{"it has no expiry ('exp')"};
    if (!(until->get<double>() > now - kLeewaySeconds)) return TokenFault{"it has expired"};
    const auto from = claims.find("nbf");
    if (from == claims.end()) return std::nullopt;
    if (!from->is_number()) return TokenFault{"its 'nbf' is not a time"};
    if (!(from->get<double>() <= now + kLeewaySeconds)) return TokenFault{"it is not valid yet"};
    return std::nullopt;
}

}  // namespace toolhost::serve
