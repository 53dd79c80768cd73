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
        return misconfigured(policy::in_quotes(oauth.issuer) +
                             " is no OAuth issuer: --oauth-issuer is its URL, as the claim 'iss' "
                             "of its tokens says it, such as https://login.example.com/");
    if (!issuer->is_private())
        return misconfigured("the OAuth issuer " + policy::in_quotes(oauth.issuer) +
                             " must have an https URL: anybody could answer in its place");
    if (oauth.audience.empty())
        return misconfigured(
            "an OAuth issuer needs --oauth-audience: the URL by which clients and the issuer know "
            "this server, such as https://tools.example.com/mcp; without it a token made for any "
            "other service would be taken");
    if (!is_resource(oauth.audience))
        return misconfigured(policy::in_quotes(oauth.audience) +
                             " cannot be an audience: --oauth-audience is an absolute URI without "
                             "a fragment, such as https://tools.example.com/mcp");
    if (oauth.jwks.find("://") != std::string::npos) {
        const auto jwks = Url::parse(oauth.jwks);
        if (!jwks || !jwks->is_private())
            return misconfigured(policy::in_quotes(oauth.jwks) +
                                 " cannot be where the issuer's keys are: --oauth-jwks is a file, "
                                 "or a URL with https (plain http on this machine alone)");
    }
    for (const auto& scope : oauth.scopes)
        if (!is_word(scope))
            return misconfigured(policy::in_quotes(scope) + " is no scope: name them one by one");
    if (!oauth.profile_claim.empty() && oauth.profiles.empty())
        return misconfigured("the claim " + policy::in_quotes(oauth.profile_claim) +
                             " may name no profile: list those that it may name");
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
