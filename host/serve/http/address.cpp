#include "host/serve/http/address.hpp"

#include <charconv>

#include "host/serve/http/server.hpp"

namespace toolhost::serve {
namespace {

using boost::asio::ip::tcp;

Error not_an_address(const std::string& text) {
    return {
        ErrorCode::invalid_input,
        "--http must be ADDRESS:PORT such as 127.0.0.1:8080, [::1]:8080 or localhost:0, but is '" +
            text + "'",
        {{"address", text}}};
}

}  // namespace

Result<tcp::endpoint> read_address(const std::string& text) {
    const auto colon = text.rfind(':');
    if (colon == text.npos) return not_an_address(text);
    std::uint16_t port = 0;
    const char* end = text.data() + text.size();
    const auto [read, wrong] = std::from_chars(text.data() + colon + 1, end, port);
    if (wrong != std::errc() || read != end || colon + 1 == text.size())
        return not_an_address(text);
    auto host = text.substr(0, colon);
    if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
    if (host == "localhost") host = "127.0.0.1";
    boost::system::error_code fault;
    const auto address = boost::asio::ip::make_address(host, fault);
    if (fault) return not_an_address(text);
    return tcp::endpoint(address, port);
}

std::string shown(const tcp::endpoint& endpoint) {
    const auto host = endpoint.address().to_string();
    return (endpoint.address().is_v6() ? '[' + host + ']' : host) + ':' +
           std::to_string(endpoint.port());
}

std::vector<std::string> known_hosts(const HttpOptions& options) {
    auto hosts = options.hosts;
    for (const auto& text : options.addresses)
        // A wildcard address is not a host name.
        if (const auto where = read_address(text); where && !where->address().is_unspecified())
            hosts.push_back(where->address().to_string());
    return hosts;
}

Result<void> check_public(const tcp::endpoint& endpoint, const HttpOptions& options) {
    if (endpoint.address().is_loopback()) return {};
    const bool knows = options.authenticator && options.authenticator->asks();
    const bool sealed = !options.tls_certificate.empty() || options.behind_proxy;
    if (knows && sealed) return {};
    std::string lacking = knows ? "" : "tokens (--token-file or --oauth-issuer)";
    if (!sealed)
        lacking += std::string(lacking.empty() ? "" : " and ") +
                   "TLS (--tls-cert and --tls-key, or --behind-proxy if a proxy terminates it)";
    const auto address = endpoint.address().to_string();
    return Error{ErrorCode::policy_denied,
                 address + " is reachable from other machines and requires " + lacking +
                     "; 127.0.0.1 does not",
                 {{"reason", "public_address"}, {"address", address}}};
}

}  // namespace toolhost::serve
