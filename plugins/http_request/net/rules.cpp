#include "net/rules.hpp"

#include <algorithm>

#include "net/hosts.hpp"

namespace http_tool {
namespace {

// Ports of services that could interpret an HTTP request as their own protocol; browsers refuse
// them too.
constexpr int kOtherProtocols[] = {
    1,    7,    9,    11,   13,   15,   17,   19,   20,   21,   22,    23,   25,   37,
    42,   43,   53,   69,   77,   79,   87,   95,   101,  102,  103,   104,  109,  110,
    111,  113,  115,  117,  119,  123,  135,  137,  139,  143,  161,   179,  389,  427,
    465,  512,  513,  514,  515,  526,  530,  531,  532,  540,  548,   554,  556,  563,
    587,  601,  636,  989,  990,  993,  995,  1719, 1720, 1723, 2049,  3659, 4045, 5060,
    5061, 6000, 6379, 6566, 6665, 6666, 6667, 6668, 6669, 6697, 10080, 11211};

template <class List, class Value>
bool has(const List& list, const Value& value) {
    return std::find(std::begin(list), std::end(list), value) != std::end(list);
}

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const auto& word : words) text += (text.empty() ? "" : ", ") + word;
    return text.empty() ? "nothing" : text;
}

std::optional<Refusal> check_port(const Rules& rules, int port) {
    if (rules.allowed_ports.empty()) {
        if (!has(kOtherProtocols, port)) return std::nullopt;
        return Refusal{
            "port_not_allowed",
            "port " + std::to_string(port) +
                " belongs to another protocol; allow it with the policy's allowed_ports"};
    }
    if (has(rules.allowed_ports, port)) return std::nullopt;
    std::string allowed;
    for (int one : rules.allowed_ports)
        allowed += (allowed.empty() ? "" : ", ") + std::to_string(one);
    return Refusal{"port_not_allowed",
                   "port " + std::to_string(port) + " is not allowed; allowed: " + allowed};
}

}  // namespace

std::optional<Refusal> check(const Rules& rules, const std::string& method, const Url& url) {
    if (!has(rules.allowed_schemes, url.scheme))
        return Refusal{"scheme_not_allowed",
                       "scheme '" + url.scheme +
                           "' is not allowed; allowed: " + joined(rules.allowed_schemes)};
    if (matches_host(rules.denied_hosts, url.host))
        return Refusal{"host_not_allowed", "host '" + url.host + "' is in denied_hosts"};
    if (!rules.allowed_hosts.empty() && !matches_host(rules.allowed_hosts, url.host))
        return Refusal{"host_not_allowed", "host '" + url.host + "' is not allowed; allowed: " +
                                               joined(rules.allowed_hosts)};
    if (auto refusal = check_port(rules, url.port)) return refusal;
    if (!has(rules.allowed_methods, method))
        return Refusal{"method_not_allowed", "method " + method + " is not allowed; allowed: " +
                                                 joined(rules.allowed_methods)};
    return std::nullopt;
}

}  // namespace http_tool
