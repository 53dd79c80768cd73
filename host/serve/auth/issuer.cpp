#include "host/serve/auth/issuer.hpp"

#include <algorithm>
#include <sstream>

#include "host/policy/place.hpp"
#include "host/serve/auth/jwks.hpp"
#include "host/serve/auth/jwt.hpp"

namespace toolhost::serve {
namespace {

using boost::system::result;

constexpr std::size_t kMaxSubjectBytes = 255;  // as OpenID Connect bounds it

Denial invalid(const TokenFault& fault) {
    return {Denial::Kind::invalid_token, "the token is not valid: " + fault.message};
}

void add_words(const Json& value, std::vector<std::string>& words) {
    if (value.is_array())
        for (const auto& one : value)
            if (one.is_string()) words.push_back(one.get<std::string>());
    if (!value.is_string()) return;
    std::istringstream text(value.get<std::string>());
    for (std::string word; text >> word;) words.push_back(word);
}

// `scope` by RFC 9068, a text of words; some issuers say `scp`, some make it an array.
std::vector<std::string> scopes_of(const Json& claims) {
    std::vector<std::string> scopes;
    for (const char* name : {"scope", "scp"})
        if (const auto it = claims.find(name); it != claims.end()) add_words(*it, scopes);
    return scopes;
}

std::string missing_scope(const OAuth& oauth, const Json& claims) {
    const auto given = scopes_of(claims);
    for (const auto& wanted : oauth.scopes)
        if (std::find(given.begin(), given.end(), wanted) == given.end()) return wanted;
    return "";
}

// It is shown in logs and compared with others: text of one line.
bool is_subject(const Json& sub) {
    if (!sub.is_string()) return false;
    const auto& text = sub.get_ref<const std::string&>();
    return !text.empty() && text.size() <= kMaxSubjectBytes &&
           std::none_of(text.begin(), text.end(),
                        [](char c) { return (c >= 0 && c < ' ') || c == '\x7f'; });
}

result<std::string, Denial> profile_of(const OAuth& oauth, const Json& claims) {
    const auto named = claims.find(oauth.profile_claim);
    if (oauth.profile_claim.empty() || named == claims.end()) return oauth.profile;
    if (named->is_string()) {
        const auto& profile = named->get_ref<const std::string&>();
        if (std::find(oauth.profiles.begin(), oauth.profiles.end(), profile) !=
            oauth.profiles.end())
            return profile;
    }
    return Denial{Denial::Kind::forbidden, "the token's claim " +
                                               policy::in_quotes(oauth.profile_claim) +
                                               " names a profile that is not allowed"};
}

}  // namespace

Issuer::Issuer(OAuth oauth, KeyCache::Options keys)
    : oauth_(std::move(oauth)), keys_(std::move(keys)) {}

Result<std::unique_ptr<Issuer>> Issuer::open(const OAuth& oauth) {
    if (auto fits = check(oauth); !fits) return fits.error();
    KeyCache::Options keys;
    keys.fetch = [oauth](const std::stop_token& stop) { return read_jwks(oauth, stop); };
    auto issuer = std::make_unique<Issuer>(oauth, std::move(keys));
    if (!is_jwks_file(oauth)) {
        issuer->keys_.refresh();
    } else if (auto loaded = issuer->keys_.load(); !loaded) {
        auto error = loaded.error();
        if (!error.message.starts_with(oauth.jwks))
            error.message = oauth.jwks + ": " + error.message;
        return error;
    }
    return issuer;
}

result<Json, Denial> Issuer::proven_claims(std::string_view token) {
    const auto jwt = Jwt::read(token);
    if (!jwt) return invalid(jwt.error());
    auto keys = keys_.at_hand();
    bool proven = keys && jwt->is_signed_by_one_of(*keys);
    // Its key may be newer than ours. One that is known by its id and did not sign it is no reason
    // to ask.
    if (!proven && (!keys || jwt->kid().empty() || !jwt->names_one_of(*keys)))
        if (auto newer = keys_.after(keys)) {
            keys = std::move(newer);
            proven = jwt->is_signed_by_one_of(*keys);
        }
    if (!keys)
        return Denial{Denial::Kind::unavailable,
                      "the keys of the token's issuer are not available; try again later"};
    if (!proven)
        return invalid({jwt->names_one_of(*keys)
                            ? "its signature is invalid"
                            : "it is signed with a key that the issuer does not have"});
    auto claims = jwt->claims();
    if (!claims) return invalid(claims.error());
    return *std::move(claims);
}

result<Principal, Denial> Issuer::admit(std::string_view token) {
    const auto claims = proven_claims(token);
    if (!claims) return claims.error();
    if (const auto fault = check_claims(
            *claims, {oauth_.issuer, oauth_.audience, std::chrono::system_clock::now()}))
        return invalid(*fault);
    const auto sub = claims->find("sub");
    if (sub == claims->end() || !is_subject(*sub)) return invalid({"it has no subject ('sub')"});
    if (const auto missing = missing_scope(oauth_, *claims); !missing.empty())
        return Denial{Denial::Kind::insufficient_scope,
                      "the token lacks the scope " + policy::in_quotes(missing)};
    auto profile = profile_of(oauth_, *claims);
    if (!profile) return profile.error();
    return Principal{"oauth:" + sub->get<std::string>(), *std::move(profile)};
}

}  // namespace toolhost::serve
