#include "host/serve/auth/url.hpp"

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <charconv>

namespace toolhost::serve {
namespace {

constexpr std::string_view kLettersAndDigits =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

bool is_port(std::string_view text) {
    unsigned number = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
    return fault == std::errc() && end == text.data() + text.size() && number > 0 &&
           number <= 65535;
}

bool is_host_name(std::string_view text) {
    constexpr std::size_t kLongestName = 253;  // of the DNS
    return !text.empty() && text.size() <= kLongestName &&
           std::all_of(text.begin(), text.end(), [](char c) {
               return c == '-' || c == '.' || c == '_' ||
                      kLettersAndDigits.find(c) != std::string_view::npos;
           });
}

bool is_ipv6(std::string_view text) {
    boost::system::error_code fault;
    (void)boost::asio::ip::make_address_v6(text, fault);
    return !fault;
}

// It becomes a request's first line: what could end that line has no place in it.
bool is_target(std::string_view text) {
    return std::all_of(text.begin(), text.end(),
                       [](char c) { return c > ' ' && c < '\x7f' && c != '#' && c != '\\'; });
}

}  // namespace

std::optional<Url> Url::parse(std::string_view text) {
    Url url;
    const auto scheme = text.substr(0, text.find("://"));
    if (scheme != "http" && scheme != "https") return std::nullopt;
    url.tls = scheme == "https";
    text.remove_prefix(scheme.size() + 3);
    const auto path = std::min(text.find_first_of("/?#"), text.size());
    auto authority = text.substr(0, path);
    url.target = text.substr(path);
    if (!url.target.starts_with('/')) url.target.insert(0, 1, '/');
    if (!is_target(url.target)) return std::nullopt;

    if (authority.starts_with('[')) {
        const auto end = authority.find(']');
        if (end == authority.npos || !is_ipv6(authority.substr(1, end - 1))) return std::nullopt;
        url.host = authority.substr(1, end - 1);
        authority.remove_prefix(end + 1);
    } else {
        url.host = authority.substr(0, authority.find(':'));
        if (!is_host_name(url.host)) return std::nullopt;
        authority.remove_prefix(url.host.size());
    }
    if (authority.empty()) {
        url.port = url.tls ? "443" : "80";
        return url;
    }
    if (!authority.starts_with(':') || !is_port(authority.substr(1))) return std::nullopt;
    url.port = authority.substr(1);
    return url;
}

std::string Url::authority() const {
    const auto name = host.find(':') == host.npos ? host : '[' + host + ']';
    return port == (tls ? "443" : "80") ? name : name + ':' + port;
}

bool Url::is_private() const {
    if (tls || host == "localhost") return true;
    boost::system::error_code fault;
    const auto address = boost::asio::ip::make_address(host, fault);
    return !fault && address.is_loopback();
}

}  // namespace toolhost::serve
