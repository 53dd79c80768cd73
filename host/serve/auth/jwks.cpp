#include "host/serve/auth/jwks.hpp"

#include <cerrno>

#include "host/base/json_text.hpp"
#include "host/os/descriptor.hpp"

namespace toolhost::serve {
namespace {

Error no_keys(std::string message) {
    return {ErrorCode::invalid_input, std::move(message), {}};
}

Result<std::string> fetch_privately(const std::string& address, const std::stop_token& stop,
                                    const FetchLimits& limits) {
    const auto url = Url::parse(address);
    if (!url) return no_keys(address + ": not an http(s) URL that can be fetched");
    if (!url->is_private())
        return no_keys(address + ": keys must not be fetched over plain http; use https");
    return fetch(*url, stop, limits);
}

Result<std::string> read_jwks_file(const std::string& file, std::size_t limit) {
    std::string text;
    if (os::read_file(file, limit, text)) return text;
    auto error = no_keys(file + ": the issuer's keys cannot be read: " + os::system_message(errno) +
                         "; set --oauth-jwks to a file or a URL");
    error.code = ErrorCode::file_error;
    return error;
}

// What the document at `address` says of the keys. It must be of this issuer: another's metadata
// would name another's keys.
Result<std::string> discovered(const std::string& address, const std::string& issuer,
                               const std::stop_token& stop, const FetchLimits& limits) {
    auto text = fetch_privately(address, stop, limits);
    if (!text) return text;
    const auto document = parse_json(*text);
    if (!document || !document->is_object())
        return no_keys(address + ": the issuer's metadata is not a JSON object");
    const auto text_of = [&](const char* key) {
        const auto it = document->find(key);
        return it != document->end() && it->is_string() ? it->get<std::string>() : std::string();
    };
    if (text_of("issuer") != issuer)
        return no_keys(address + ": the metadata belongs to the issuer '" + text_of("issuer") +
                       "', not of '" + issuer + "'");
    auto keys = text_of("jwks_uri");
    if (keys.empty()) return no_keys(address + ": the metadata has no jwks_uri");
    return keys;
}

}  // namespace

bool is_jwks_file(const OAuth& oauth) {
    return !oauth.jwks.empty() && oauth.jwks.find("://") == std::string::npos;
}

std::vector<std::string> metadata_addresses(const std::string& issuer) {
    constexpr const char* kOAuth = "/.well-known/oauth-authorization-server";
    constexpr const char* kOpenId = "/.well-known/openid-configuration";
    const auto path_at = issuer.find('/', issuer.find("://") + 3);
    const auto origin = issuer.substr(0, path_at);
    auto path = path_at == issuer.npos ? "" : issuer.substr(path_at);
    while (path.ends_with('/')) path.pop_back();
    std::vector<std::string> addresses = {origin + kOAuth + path, origin + kOpenId + path};
    if (!path.empty()) addresses.push_back(origin + path + kOpenId);
    return addresses;
}

Result<std::string> read_jwks(const OAuth& oauth, const std::stop_token& stop,
                              const FetchLimits& limits) {
    if (is_jwks_file(oauth)) return read_jwks_file(oauth.jwks, limits.bytes);
    if (!oauth.jwks.empty()) return fetch_privately(oauth.jwks, stop, limits);
    std::string faults;
    for (const auto& address : metadata_addresses(oauth.issuer)) {
        auto keys = discovered(address, oauth.issuer, stop, limits);
        if (keys) return fetch_privately(*keys, stop, limits);
        faults += (faults.empty() ? "" : "; ") + keys.error().message;
    }
    return no_keys(faults + "; set --oauth-jwks if the issuer has no metadata");
}

}  // namespace toolhost::serve
