#include "host/schema/uri.hpp"

#include <algorithm>

namespace toolhost::schema {
namespace {

struct Parts {
    std::string_view scheme, authority, path, query, fragment;
    bool has_scheme = false, has_authority = false, has_query = false, has_fragment = false;
};

bool is_scheme(std::string_view text) {
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    return !text.empty() && letter(text.front()) &&
           std::all_of(text.begin(), text.end(), [&](char c) {
               return letter(c) || (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
           });
}

Parts split(std::string_view text) {
    Parts parts;
    if (const auto hash = text.find('#'); hash != std::string_view::npos) {
        parts.has_fragment = true;
        parts.fragment = text.substr(hash + 1);
        text = text.substr(0, hash);
    }
    if (const auto mark = text.find('?'); mark != std::string_view::npos) {
        parts.has_query = true;
        parts.query = text.substr(mark + 1);
        text = text.substr(0, mark);
    }
    const auto colon = text.find(':');
    if (colon != std::string_view::npos && is_scheme(text.substr(0, colon))) {
        parts.has_scheme = true;
        parts.scheme = text.substr(0, colon);
        text = text.substr(colon + 1);
    }
    if (text.substr(0, 2) == "//") {
        parts.has_authority = true;
        const auto slash = text.find('/', 2);
        parts.authority = text.substr(2, slash == std::string_view::npos ? slash : slash - 2);
        text = slash == std::string_view::npos ? std::string_view{} : text.substr(slash);
    }
    parts.path = text;
    return parts;
}

// RFC 3986, 5.2.4. Absolute paths only: in a relative base, "../x" must be kept.
std::string remove_dot_segments(std::string_view path) {
    if (path.empty() || path.front() != '/') return std::string(path);
    std::string out;
    while (!path.empty()) {
        const auto next = path.find('/', 1);
        const auto segment = path.substr(0, next);
        const bool last = next == std::string_view::npos;
        path = last ? std::string_view{} : path.substr(next);
        if (segment == "/.") {
            if (last) out += '/';
        } else if (segment == "/..") {
            const auto slash = out.rfind('/');
            out.resize(slash == std::string::npos ? 0 : slash);
            if (last) out += '/';
        } else {
            out += segment;
        }
    }
    return out;
}

std::string merge_paths(const Parts& base, std::string_view path) {
    if (base.has_authority && base.path.empty()) return std::string("/").append(path);
    const auto slash = base.path.rfind('/');
    if (slash == std::string_view::npos) return std::string(path);
    return std::string(base.path.substr(0, slash + 1)) + std::string(path);
}

std::string join(const Parts& parts, std::string_view path) {
    std::string out;
    if (parts.has_scheme) out.append(parts.scheme).append(":");
    if (parts.has_authority) out.append("//").append(parts.authority);
    out += path;
    if (parts.has_query) out.append("?").append(parts.query);
    if (parts.has_fragment) out.append("#").append(parts.fragment);
    return out;
}

int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

}  // namespace

std::string resolve_uri(std::string_view base_text, std::string_view reference) {
    Parts target = split(reference);
    const Parts base = split(base_text);
    if (target.has_scheme) return join(target, remove_dot_segments(target.path));
    target.has_scheme = base.has_scheme;
    target.scheme = base.scheme;
    if (target.has_authority) return join(target, remove_dot_segments(target.path));
    target.has_authority = base.has_authority;
    target.authority = base.authority;
    if (target.path.empty()) {
        if (!target.has_query) {
            target.has_query = base.has_query;
            target.query = base.query;
        }
        return join(target, base.path);
    }
    if (target.path.front() == '/') return join(target, remove_dot_segments(target.path));
    return join(target, remove_dot_segments(merge_paths(base, target.path)));
}

SplitUri split_fragment(std::string_view uri) {
    const auto hash = uri.find('#');
    if (hash == std::string_view::npos) return {uri, {}};
    return {uri.substr(0, hash), uri.substr(hash + 1)};
}

std::string percent_decode(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        const int high = text[i] == '%' && i + 2 < text.size() ? hex_digit(text[i + 1]) : -1;
        const int low = high >= 0 ? hex_digit(text[i + 2]) : -1;
        if (low < 0) {
            out += text[i];
        } else {
            out += static_cast<char>(high * 16 + low);
            i += 2;
        }
    }
    return out;
}

}  // namespace toolhost::schema
