// An http or https URL, as far as the host itself calls one.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace toolhost::serve {

struct Url {
    bool tls = false;
    std::string host{};  // an IPv6 address without its brackets
    std::string port{};
    std::string target{};  // path and query; at least "/"

    // Nothing: not an http(s) URL, or one with a user, a password or a fragment.
    [[nodiscard]] static std::optional<Url> parse(std::string_view text);

    // As the Host header has it.
    [[nodiscard]] std::string authority() const;
    // The connection cannot be read or impersonated on the way.
    [[nodiscard]] bool is_private() const;
};

}  // namespace toolhost::serve
