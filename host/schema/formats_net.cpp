#include "host/schema/formats_net.hpp"

#include <algorithm>

#include "host/base/ascii.hpp"

namespace toolhost::schema {
namespace {

constexpr auto kNpos = std::string_view::npos;

bool is_one_of(char c, std::string_view set) {
    return c != '\0' && set.find(c) != kNpos;
}

// Calls `check` for each part between separators; a part may be empty.
template <typename Check>
bool each_part(std::string_view text, char separator, Check check) {
    for (;;) {
        const auto end = text.find(separator);
        if (!check(text.substr(0, end))) return false;
        if (end == kNpos) return true;
        text.remove_prefix(end + 1);
    }
}

bool is_label(std::string_view label) {
    return !label.empty() && label.size() <= 63 && label.front() != '-' && label.back() != '-' &&
           std::all_of(label.begin(), label.end(),
                       [](char c) { return is_letter(c) || is_digit(c) || c == '-'; });
}

bool is_quoted_local(std::string_view text) {
    if (text.size() < 2 || text.front() != '"' || text.back() != '"') return false;
    text = text.substr(1, text.size() - 2);
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '"' || text[i] < ' ' || text[i] == '\x7f') return false;
        if (text[i] == '\\' && ++i == text.size()) return false;
    }
    return true;
}

bool is_atom(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
        return is_letter(c) || is_digit(c) || is_one_of(c, "!#$%&'*+-/=?^_`{|}~");
    });
}

// Characters of a part of a URI: unreserved, sub-delims, `more`, and %XX.
bool is_uri_part(std::string_view text, std::string_view more) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '%') {
            if (i + 2 >= text.size() || !is_hex(text[i + 1]) || !is_hex(text[i + 2])) return false;
            i += 2;
        } else if (!is_letter(c) && !is_digit(c) && !is_one_of(c, "-._~!$&'()*+,;=") &&
                   !is_one_of(c, more)) {
            return false;
        }
    }
    return true;
}

bool is_ip_literal(std::string_view text) {
    if (text.size() < 3 || text.back() != ']') return false;
    text = text.substr(1, text.size() - 2);
    if (text.front() != 'v' && text.front() != 'V') return is_ipv6(text);
    const auto dot = text.find('.');
    return dot != kNpos && dot > 1 && dot + 1 < text.size() &&
           std::all_of(text.begin() + 1, text.begin() + static_cast<std::ptrdiff_t>(dot), is_hex) &&
           text.find('%') == kNpos && is_uri_part(text.substr(dot + 1), ":");
}

bool is_authority(std::string_view text) {
    if (const auto at = text.rfind('@'); at != kNpos) {
        if (!is_uri_part(text.substr(0, at), ":")) return false;
        text.remove_prefix(at + 1);
    }
    const auto bracket = text.rfind(']');
    const auto colon = text.find(':', bracket == kNpos ? 0 : bracket);
    if (colon != kNpos) {
        const auto port = text.substr(colon + 1);
        if (!std::all_of(port.begin(), port.end(), is_digit)) return false;
        text = text.substr(0, colon);
    }
    return text.substr(0, 1) == "[" ? is_ip_literal(text) : is_uri_part(text, "");
}

// The URI after its scheme.
bool is_uri_rest(std::string_view text) {
    if (const auto hash = text.find('#'); hash != kNpos) {
        if (!is_uri_part(text.substr(hash + 1), ":@/?")) return false;
        text = text.substr(0, hash);
    }
    if (const auto mark = text.find('?'); mark != kNpos) {
        if (!is_uri_part(text.substr(mark + 1), ":@/?")) return false;
        text = text.substr(0, mark);
    }
    if (text.substr(0, 2) == "//") {
        const auto slash = std::min(text.find('/', 2), text.size());
        if (!is_authority(text.substr(2, slash - 2))) return false;
        text.remove_prefix(slash);
    }
    return is_uri_part(text, ":@/");
}

// The length of a leading "scheme:"; 0 if missing.
std::size_t scheme_length(std::string_view text) {
    const auto colon = text.find(':');
    if (colon == kNpos || colon == 0 || !is_letter(text.front())) return 0;
    const bool good =
        std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(colon),
                    [](char c) { return is_letter(c) || is_digit(c) || is_one_of(c, "+-."); });
    return good ? colon + 1 : 0;
}

bool is_ipv6_group(std::string_view group) {
    return !group.empty() && group.size() <= 4 && std::all_of(group.begin(), group.end(), is_hex);
}

// Counts the groups on one side of "::" (an IPv4 tail counts as two); -1 if malformed.
int count_groups(std::string_view side, bool may_end_in_ipv4) {
    if (side.empty()) return 0;
    int count = 0;
    for (;;) {
        const auto colon = side.find(':');
        const auto group = side.substr(0, colon);
        if (colon == kNpos && may_end_in_ipv4 && is_ipv4(group)) return count + 2;
        if (!is_ipv6_group(group)) return -1;
        ++count;
        if (colon == kNpos) return count;
        side.remove_prefix(colon + 1);
    }
}

}  // namespace

bool is_email(std::string_view text) {
    const auto at = text.rfind('@');
    if (at == kNpos) return false;
    const auto local = text.substr(0, at);
    const auto domain = text.substr(at + 1);
    const bool good_local = is_quoted_local(local) || each_part(local, '.', is_atom);
    if (!good_local || domain.empty()) return false;
    if (domain.front() != '[') return is_hostname(domain);
    if (domain.back() != ']') return false;
    const auto address = domain.substr(1, domain.size() - 2);
    return address.substr(0, 5) == "IPv6:" ? is_ipv6(address.substr(5)) : is_ipv4(address);
}

bool is_hostname(std::string_view text) {
    return text.size() <= 253 && each_part(text, '.', is_label);
}

bool is_ipv4(std::string_view text) {
    int parts = 0;
    const bool good = each_part(text, '.', [&](std::string_view part) {
        ++parts;
        if (part.empty() || part.size() > 3 || !std::all_of(part.begin(), part.end(), is_digit)) {
            return false;
        }
        if (part.size() > 1 && part.front() == '0') return false;  // some read it as octal
        int value = 0;
        for (const char c : part) value = value * 10 + (c - '0');
        return value <= 255;
    });
    return good && parts == 4;
}

bool is_ipv6(std::string_view text) {
    constexpr int kGroups = 8;
    const auto gap = text.find("::");
    if (gap == kNpos) return count_groups(text, true) == kGroups;
    const int before = count_groups(text.substr(0, gap), false);
    const int after = count_groups(text.substr(gap + 2), true);
    return before >= 0 && after >= 0 && before + after < kGroups;
}

bool is_uri(std::string_view text) {
    const auto scheme = scheme_length(text);
    return scheme != 0 && is_uri_rest(text.substr(scheme));
}

bool is_uri_reference(std::string_view text) {
    if (is_uri(text)) return true;
    // Without a scheme the first segment has no colon, because it would be read as a scheme.
    const auto colon = text.find(':');
    const bool ambiguous = colon != kNpos && text.find_first_of("/?#") > colon;
    return !ambiguous && is_uri_rest(text);
}

}  // namespace toolhost::schema
