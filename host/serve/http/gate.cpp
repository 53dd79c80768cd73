#include "host/serve/http/gate.hpp"

#include <algorithm>

#include "host/base/ascii.hpp"

namespace toolhost::serve {
namespace {

// ":8080", or nothing.
bool is_port(std::string_view rest) {
    if (rest.empty()) return true;
    return rest.front() == ':' && rest.find_first_not_of("0123456789", 1) == rest.npos;
}

bool has(const std::vector<std::string>& names, std::string_view name) {
    return std::ranges::any_of(names, [&](const auto& known) { return is_alike(known, name); });
}

}  // namespace

std::string_view host_of(std::string_view authority) {
    const bool bracketed = authority.starts_with('[');
    const auto end = bracketed ? authority.find(']') : authority.find(':');
    if (bracketed && end == authority.npos) return {};
    if (end != authority.npos && !is_port(authority.substr(end + (bracketed ? 1 : 0)))) return {};
    if (bracketed) return authority.substr(1, end - 1);
    auto host = authority.substr(0, end);
    if (host.ends_with('.')) host.remove_suffix(1);
    return host;
}

HttpGate::HttpGate(std::vector<std::string> hosts, std::vector<std::string> origins)
    : hosts_(std::move(hosts)), origins_(std::move(origins)) {
    hosts_.insert(hosts_.begin(), {"127.0.0.1", "localhost", "::1"});
}

bool HttpGate::knows_host(std::string_view authority) const {
    return has(hosts_, host_of(authority));
}

std::optional<HttpGate::Refusal> HttpGate::refusal(const HttpRequest& request) const {
    const auto host = request.header(Header::host);
    if (!host) return Refusal{400, "Bad request: missing Host header"};
    if (!knows_host(*host))
        return Refusal{403, "Forbidden: the Host '" + std::string(*host) +
                                "' is not allowed; add it with --allow-host"};
    const auto origin = request.header(Header::origin);
    if (!origin) return std::nullopt;
    const auto scheme = origin->find("://");
    if (scheme != origin->npos && knows_host(origin->substr(scheme + 3))) return std::nullopt;
    if (has(origins_, *origin)) return std::nullopt;
    return Refusal{403, "Forbidden: the Origin '" + std::string(*origin) +
                            "' is not allowed; add it with --allow-origin"};
}

}  // namespace toolhost::serve
