#include "net/url.hpp"

#include <curl/curl.h>
#include <idn2.h>

#include <algorithm>
#include <charconv>
#include <memory>

#include "net/address.hpp"

namespace http_tool {
namespace {

using Parsed = std::unique_ptr<CURLU, decltype(&curl_url_cleanup)>;

// Other schemes are parsed too, so that they can be refused by name.
constexpr unsigned kReading = CURLU_NON_SUPPORT_SCHEME | CURLU_URLENCODE;

std::string part(CURLU* url, CURLUPart which, unsigned flags = 0) {
    char* text = nullptr;
    if (curl_url_get(url, which, &text, flags) != CURLUE_OK) return {};
    std::string copy(text);
    curl_free(text);
    return copy;
}

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return text;
}

// Normalizes a host: a final dot only marks a complete name, and an address has one spelling, as
// ::ffff:127.0.0.1 is the same as 127.0.0.1.
std::string plain_host(std::string host) {
    if (host.size() > 1 && host.front() == '[') host = host.substr(1, host.size() - 2);
    if (host.size() > 1 && host.back() == '.') host.pop_back();
    if (const auto address = parse_address(host)) return text_of(*address);
    return lower(std::move(host));
}

// Converts an international name to its DNS form. libcurl would use the process's locale, which a
// plugin cannot set.
bool to_dns_name(CURLU* url) {
    const std::string host = part(url, CURLUPART_HOST);
    if (std::all_of(host.begin(), host.end(), [](char c) { return c > 0; })) return true;
    char* spelled = nullptr;
    if (idn2_to_ascii_8z(host.c_str(), &spelled, IDN2_NFC_INPUT | IDN2_NONTRANSITIONAL) != IDN2_OK)
        return false;
    const CURLUcode code = curl_url_set(url, CURLUPART_HOST, spelled, 0);
    idn2_free(spelled);
    return code == CURLUE_OK;
}

Outcome<Url> taken_apart(CURLU* url) {
    if (!to_dns_name(url)) return Failure{"its host is not a valid name"};
    Url result;
    result.scheme = lower(part(url, CURLUPART_SCHEME));
    result.has_credentials =
        !part(url, CURLUPART_USER).empty() || !part(url, CURLUPART_PASSWORD).empty();
    if (!part(url, CURLUPART_ZONEID).empty())
        return Failure{"an address with a zone is not supported"};
    for (auto dropped : {CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_OPTIONS, CURLUPART_FRAGMENT})
        curl_url_set(url, dropped, nullptr, 0);
    const std::string host = part(url, CURLUPART_HOST);
    if (host.empty() && (result.scheme == "http" || result.scheme == "https"))
        return Failure{"it has no host"};
    result.host = plain_host(host);
    const std::string port = part(url, CURLUPART_PORT, CURLU_DEFAULT_PORT);
    std::from_chars(port.data(), port.data() + port.size(), result.port);
    result.path = part(url, CURLUPART_PATH);
    result.text = part(url, CURLUPART_URL);
    return result;
}

}  // namespace

Outcome<Url> parse_url(const std::string& text) {
    const Parsed url(curl_url(), curl_url_cleanup);
    if (!url) return Failure{"out of memory"};
    if (text.find('\0') != std::string::npos) return Failure{"it contains a NUL character"};
    if (text.find("://") == std::string::npos)
        return Failure{"it must be absolute, such as https://example.com/path"};
    const CURLUcode code = curl_url_set(url.get(), CURLUPART_URL, text.c_str(), kReading);
    if (code != CURLUE_OK) return Failure{curl_url_strerror(code)};
    return taken_apart(url.get());
}

Outcome<Url> join_url(const Url& base, const std::string& location) {
    const Parsed url(curl_url(), curl_url_cleanup);
    if (!url) return Failure{"out of memory"};
    CURLUcode code = curl_url_set(url.get(), CURLUPART_URL, base.text.c_str(), kReading);
    if (code == CURLUE_OK)
        code = curl_url_set(url.get(), CURLUPART_URL, location.c_str(), kReading);
    if (code != CURLUE_OK) return Failure{curl_url_strerror(code)};
    return taken_apart(url.get());
}

}  // namespace http_tool
