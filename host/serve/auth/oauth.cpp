#include "host/serve/auth/oauth.hpp"

#include <algorithm>

#include "host/policy/place.hpp"
#include "host/serve/auth/url.hpp"

namespace toolhost::serve {
namespace {

Error misconfigured(std::string message) {
    return {ErrorCode::invalid_input, std::move(message), {}};
}

// RFC 6749's letters of a scope, which are also those that need no escape within quotes.
bool is_word(const std::string& text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
        return c > ' ' && c < '\x7f' && c != '"' && c != '\\';
    });
}

// An absolute URI without a fragment, as RFC 8707 has resources.
bool is_resource(const std::string& text) {
    return is_word(text) && text.find('#') == text.npos && text.find(':') != text.npos &&
           !text.starts_with(':');
}

}  // namespace

Result<void> check(const OAuth& oauth) {
    const auto issuer = Url::parse(oauth.issuer);
    if (!issuer || oauth.issuer.find('?') != std::string::npos)
        return misconfigured(
            policy::in_quotes(oauth.issuer) +
            " is not an OAuth issuer: set --oauth-issuer to its URL, exactly as in the claim 'iss' "
            "of its tokens, such as https://login.example.com/");
    if (!issuer->is_private())
        return misconfigured("the OAuth issuer " + policy::in_quotes(oauth.issuer) +
                             " must have an https URL: over http, others could impersonate it");
    if (oauth.audience.empty())
        return misconfigured(
            "--oauth-issuer requires --oauth-audience: the URL of this server as clients and the "
            "issuer use it, such as https://tools.example.com/mcp; without it, tokens for other "
            "services would be accepted");
    if (!is_resource(oauth.audience))
        return misconfigured(policy::in_quotes(oauth.audience) +
                             " is not a valid audience: --oauth-audience must be an absolute URI "
                             "without a fragment, such as https://tools.example.com/mcp");
    if (oauth.jwks.find("://") != std::string::npos) {
        const auto jwks = Url::parse(oauth.jwks);
        if (!jwks || !jwks->is_private())
            return misconfigured(policy::in_quotes(oauth.jwks) +
                                 " is not a valid place of the issuer's keys: --oauth-jwks must be "
                                 "a file or an https URL (plain http on loopback only)");
    }
    for (const auto& scope : oauth.scopes)
        if (!is_word(scope))
            return misconfigured(policy::in_quotes(scope) +
                                 " is not a scope: repeat --oauth-scope for several scopes");
    if (!oauth.profile_claim.empty() && oauth.profiles.empty())
        return misconfigured("the claim " + policy::in_quotes(oauth.profile_claim) +
                             " must be limited: list the allowed profiles with --oauth-profiles");
    return {};
}

Json resource_metadata(const OAuth& oauth) {
    Json document{{"resource", oauth.audience},
                  {"authorization_servers", Json::array({oauth.issuer})},
                  {"bearer_methods_supported", Json::array({"header"})}};
    if (!oauth.scopes.empty()) document["scopes_supported"] = oauth.scopes;
    return document;
}

std::string resource_metadata_url(const OAuth& oauth) {
    const auto url = Url::parse(oauth.audience);
    if (!url) return "";
    return (url->tls ? "https://" : "http://") + url->authority() +
           "/.well-known/oauth-protected-resource" + (url->target == "/" ? "" : url->target);
}

}  // namespace toolhost::serve
