#include "net/hosts.hpp"

#include <fnmatch.h>
#include <idn2.h>

#include <algorithm>
#include <charconv>
#include <optional>

namespace http_tool {
namespace {

bool is_ascii(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return c > 0; });
}

std::string without_brackets(const std::string& host) {
    const bool has = host.size() > 2 && host.front() == '[' && host.back() == ']';
    return has ? host.substr(1, host.size() - 2) : host;
}

// Per label, because other labels may be globs.
std::optional<std::string> spelled_label(const std::string& label) {
    if (is_ascii(label)) return label;
    if (label.find_first_of("*?[]") != std::string::npos) return std::nullopt;
    char* spelled = nullptr;
    if (idn2_to_ascii_8z(label.c_str(), &spelled, IDN2_NFC_INPUT | IDN2_NONTRANSITIONAL) != IDN2_OK)
        return std::nullopt;
    std::string copy(spelled);
    idn2_free(spelled);
    return copy;
}

std::optional<std::string> spelled_host(const std::string& host) {
    std::string result;
    for (std::size_t at = 0; at <= host.size();) {
        const auto end = std::min(host.find('.', at), host.size());
        const auto label = spelled_label(host.substr(at, end - at));
        if (!label) return std::nullopt;
        result += (at == 0 ? "" : ".") + *label;
        at = end + 1;
    }
    // A final dot only marks a complete name.
    if (result.size() > 1 && result.back() == '.') result.pop_back();
    return result;
}

bool matches_glob(const std::string& glob, const std::string& host) {
    return ::fnmatch(glob.c_str(), host.c_str(), FNM_CASEFOLD | FNM_NOESCAPE) == 0;
}

struct Origin {
    std::string scheme = "https", host;
    int port = 443;
};

std::optional<Origin> read_origin(const std::string& text) {
    Origin origin;
    const auto slashes = text.find("://");
    if (slashes == std::string::npos) {
        origin.host = text;
        return origin;
    }
    origin.scheme = text.substr(0, slashes);
    if (origin.scheme == "http") origin.port = 80;
    origin.host = text.substr(slashes + 3);
    const auto colon = origin.host.rfind(':');
    if (colon == std::string::npos || origin.host.find(']', colon) != std::string::npos)
        return origin;
    const char* end = origin.host.data() + origin.host.size();
    const auto read = std::from_chars(origin.host.data() + colon + 1, end, origin.port);
    if (read.ec != std::errc{} || read.ptr != end) return std::nullopt;
    origin.host.resize(colon);
    return origin;
}

}  // namespace

Outcome<std::vector<std::string>> spell_hosts(const std::vector<std::string>& listed) {
    std::vector<std::string> result;
    for (const auto& one : listed) {
        auto host = spelled_host(one);
        if (!host || host->empty())
            return Failure{"'" + one +
                           "' is not a valid host pattern; write an international name in full, or "
                           "in its xn-- form"};
        if (host->find('/') != std::string::npos && !parse_range(*host))
            return Failure{"'" + one + "' is neither a host nor a range such as 10.0.0.0/8"};
        result.push_back(*std::move(host));
    }
    return result;
}

bool matches_address(const std::vector<std::string>& listed, const Address& address) {
    return std::any_of(listed.begin(), listed.end(), [&](const std::string& one) {
        if (const auto range = parse_range(without_brackets(one))) return range->has(address);
        return matches_glob(one, text_of(address));
    });
}

bool matches_host(const std::vector<std::string>& listed, const std::string& host) {
    if (const auto address = parse_address(host)) return matches_address(listed, *address);
    return std::any_of(listed.begin(), listed.end(),
                       [&](const std::string& one) { return matches_glob(one, host); });
}

bool matches_origin(const std::vector<std::string>& listed, const Url& url) {
    return std::any_of(listed.begin(), listed.end(), [&](const std::string& one) {
        const auto origin = read_origin(one);
        if (!origin || origin->scheme != url.scheme || origin->port != url.port) return false;
        const auto host = spelled_host(origin->host);
        return host && matches_host({*host}, url.host);
    });
}

}  // namespace http_tool
