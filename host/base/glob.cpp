#include "host/base/glob.hpp"

namespace toolhost {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

// Returns the end of the set that starts at `from`, or npos. A ] right at its start is a member.
std::size_t set_end(std::string_view pattern, std::size_t from) {
    std::size_t at = from + 1;
    if (at < pattern.size() && (pattern[at] == '!' || pattern[at] == '^')) ++at;
    if (at < pattern.size() && pattern[at] == ']') ++at;
    return pattern.find(']', at);
}

bool set_has(std::string_view set, char wanted) {
    const bool negated = set.starts_with('!') || set.starts_with('^');
    if (negated) set.remove_prefix(1);
    bool found = false;
    for (std::size_t i = 0; i < set.size(); ++i) {
        if (i + 2 < set.size() && set[i + 1] == '-') {
            found = found || (set[i] <= wanted && wanted <= set[i + 2]);
            i += 2;
        } else {
            found = found || set[i] == wanted;
        }
    }
    return found != negated;
}

}  // namespace

Glob::Glob(std::string_view text) : text_(text) {
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == '*') continue;
        if (text[at] == '[') at = set_end(text, at);
        ++shortest_;
    }
    const auto is_plain = [](std::string_view part) {
        return part.find_first_of("*?[") == part.npos;
    };
    if (is_plain(text)) return;
    const bool is_part = text.size() > 2 && text.starts_with('*') && text.ends_with('*') &&
                         is_plain(text.substr(1, text.size() - 2));
    form_ = is_part ? Form::part : Form::general;
}

boost::system::result<Glob, std::string> Glob::parse(std::string_view text) {
    if (text.empty()) return std::string("it is empty");
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == ']') return std::string("it has an unmatched ]");
        if (text[at] != '[') continue;
        const auto end = set_end(text, at);
        if (end == kNone) return std::string("it has an unmatched [");
        const auto set = text.substr(at + 1, end - at - 1);
        for (std::size_t i = 0; i + 2 < set.size(); ++i) {
            if (set[i + 1] != '-') continue;
            if (set[i] > set[i + 2])
                return "the range " + std::string(set.substr(i, 3)) + " is out of order";
            i += 2;
        }
        at = end;
    }
    return Glob(text);
}

bool Glob::matches(std::string_view text) const {
    if (text.size() < shortest_) return false;
    if (form_ == Form::exact) return text == text_;
    if (form_ == Form::part)
        return text.find(std::string_view(text_).substr(1, text_.size() - 2)) != text.npos;
    return matches_generally(text);
}

// On a mismatch the last * takes one character more; earlier ones need no second try.
bool Glob::matches_generally(std::string_view text) const {
    const std::string_view pattern = text_;
    std::size_t p = 0, t = 0, star = kNone, star_text = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            star_text = t;
            continue;
        }
        bool same = false;
        std::size_t next = p + 1;
        if (p < pattern.size() && pattern[p] == '[') {
            const auto end = set_end(pattern, p);
            same = set_has(pattern.substr(p + 1, end - p - 1), text[t]);
            next = end + 1;
        } else if (p < pattern.size()) {
            same = pattern[p] == '?' || pattern[p] == text[t];
        }
        if (same) {
            p = next;
            ++t;
        } else if (star != kNone) {
            p = star + 1;
            t = ++star_text;
        } else {
            return false;
        }
    }
    return pattern.find_first_not_of('*', p) == kNone;
}

}  // namespace toolhost
