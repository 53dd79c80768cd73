#include "host/serve/auth/url.hpp"

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <boost/url/src.hpp>  // Boost.URL itself: compiled here, and only here

namespace toolhost::serve {
namespace {

namespace urls = boost::urls;

// The names that the DNS and certificates know, fewer than a URL may have.
bool is_host_name(std::string_view text) {
    constexpr std::size_t kLongestName = 253;
    constexpr std::string_view kMarks = "-._";
    return !text.empty() && text.size() <= kLongestName && std::ranges::all_of(text, [&](char c) {
        return urls::grammar::alnum_chars(c) || kMarks.find(c) != kMarks.npos;
    });
}

bool is_host(const urls::url_view& url) {
    switch (url.host_type()) {
        case urls::host_type::ipv4:
        case urls::host_type::ipv6:
            return true;
        case urls::host_type::name:
            return is_host_name(url.encoded_host());
        default:
            return false;
    }
}

}  // namespace

std::optional<Url> Url::parse(std::string_view text) {
    const auto parsed = urls::parse_uri(text);
    if (!parsed) return std::nullopt;
    const bool tls = parsed->scheme() == "https";
    if (!tls && parsed->scheme() != "http") return std::nullopt;
    if (parsed->has_userinfo() || parsed->has_fragment() || !is_host(*parsed)) return std::nullopt;
    // 0: not a number of 16 bits.
    if (parsed->has_port() && parsed->port_number() == 0) return std::nullopt;

    Url url{tls, parsed->host_address(), tls ? "443" : "80"};
    url.target = std::string_view(parsed->encoded_target());
    if (parsed->has_port()) url.port = std::string_view(parsed->port());
    if (!url.target.starts_with('/')) url.target.insert(0, 1, '/');
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
