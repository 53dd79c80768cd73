#include "host/base/version.hpp"

#include <algorithm>
#include <charconv>

namespace toolhost {
namespace {

std::optional<std::uint32_t> parse_number(std::string_view text) {
    if (text.empty() || (text.size() > 1 && text[0] == '0')) return std::nullopt;
    std::uint32_t value = 0;
    auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
    // The largest value is reserved so that "one above" always exists for ^ and ~.
    if (fault != std::errc{} || end != text.data() + text.size() || value == UINT32_MAX)
        return std::nullopt;
    return value;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    for (std::size_t start = 0;;) {
        auto end = text.find(separator, start);
        parts.push_back(text.substr(start, end - start));
        if (end == std::string_view::npos) return parts;
        start = end + 1;
    }
}

bool is_digits(std::string_view text) {
    return !text.empty() &&
           std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// Dot-separated identifiers of letters, digits and hyphens. In a pre-release, numeric ones have no
// leading zero.
bool is_identifiers(std::string_view text, bool leading_zero_allowed) {
    for (auto part : split(text, '.')) {
        bool letters = std::all_of(part.begin(), part.end(), [](char c) {
            return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                   c == '-';
        });
        if (part.empty() || !letters) return false;
        if (!leading_zero_allowed && is_digits(part) && part.size() > 1 && part[0] == '0')
            return false;
    }
    return true;
}

std::strong_ordering compare_identifier(std::string_view a, std::string_view b) {
    bool number_a = is_digits(a), number_b = is_digits(b);
    if (number_a != number_b)
        return number_a ? std::strong_ordering::less : std::strong_ordering::greater;
    // Without leading zeros, the longer number is larger.
    if (number_a && a.size() != b.size()) return a.size() <=> b.size();
    return a.compare(b) <=> 0;
}

std::strong_ordering compare_prerelease(const std::string& a, const std::string& b) {
    if (a.empty() || b.empty())
        return b.size() <=> a.size();  // a release is above its pre-releases
    auto parts_a = split(a, '.'), parts_b = split(b, '.');
    for (std::size_t i = 0; i < std::min(parts_a.size(), parts_b.size()); ++i)
        if (auto order = compare_identifier(parts_a[i], parts_b[i]); order != 0) return order;
    return parts_a.size() <=> parts_b.size();
}

// "1", "1.2" or a full version, and how many numbers were given.
struct Partial {
    Version version;
    int given = 0;
};

std::optional<Partial> parse_partial(std::string_view text) {
    if (auto whole = Version::parse(text)) return Partial{*whole, 3};
    auto numbers = split(text, '.');
    if (numbers.size() > 2) return std::nullopt;
    Partial partial{{0, 0, 0, "", ""}, static_cast<int>(numbers.size())};
    auto major = parse_number(numbers[0]);
    auto minor = numbers.size() > 1 ? parse_number(numbers[1]) : std::optional<std::uint32_t>(0);
    if (!major || !minor) return std::nullopt;
    partial.version.major = *major;
    partial.version.minor = *minor;
    return partial;
}

// The lowest version above all that start with the given numbers.
Version above(const Version& v, int numbers) {
    if (numbers == 1) return {v.major + 1, 0, 0, "", ""};
    if (numbers == 2) return {v.major, v.minor + 1, 0, "", ""};
    return {v.major, v.minor, v.patch + 1, "", ""};
}

// ^ keeps the leftmost non-zero number.
int caret_numbers(const Partial& partial) {
    if (partial.version.major > 0 || partial.given == 1) return 1;
    if (partial.version.minor > 0 || partial.given == 2) return 2;
    return 3;
}

}  // namespace

std::optional<Version> Version::parse(std::string_view text) {
    Version version;
    if (auto plus = text.find('+'); plus != std::string_view::npos) {
        version.build = text.substr(plus + 1);
        if (!is_identifiers(version.build, true)) return std::nullopt;
        text = text.substr(0, plus);
    }
    if (auto dash = text.find('-'); dash != std::string_view::npos) {
        version.prerelease = text.substr(dash + 1);
        if (!is_identifiers(version.prerelease, false)) return std::nullopt;
        text = text.substr(0, dash);
    }
    auto numbers = split(text, '.');
    if (numbers.size() != 3) return std::nullopt;
    auto major = parse_number(numbers[0]), minor = parse_number(numbers[1]),
         patch = parse_number(numbers[2]);
    if (!major || !minor || !patch) return std::nullopt;
    version.major = *major;
    version.minor = *minor;
    version.patch = *patch;
    return version;
}

std::string Version::text() const {
    std::string out =
        std::to_string(major) + '.' + std::to_string(minor) + '.' + std::to_string(patch);
    if (!prerelease.empty()) out += '-' + prerelease;
    if (!build.empty()) out += '+' + build;
    return out;
}

std::strong_ordering operator<=>(const Version& a, const Version& b) {
    if (auto order = a.major <=> b.major; order != 0) return order;
    if (auto order = a.minor <=> b.minor; order != 0) return order;
    if (auto order = a.patch <=> b.patch; order != 0) return order;
    return compare_prerelease(a.prerelease, b.prerelease);
}

bool operator==(const Version& a, const Version& b) {
    return (a <=> b) == 0;
}

std::optional<VersionRange::Bounds> VersionRange::parse_comparator(std::string_view text) {
    static constexpr std::string_view kOperators[] = {">=", "<=", ">", "<", "=", "^", "~"};
    std::string_view op;
    for (auto candidate : kOperators) {
        if (text.starts_with(candidate)) {
            op = candidate;
            break;
        }
    }
    text.remove_prefix(op.size());
    if (text == "*" && op.empty()) return Bounds{};
    auto partial = parse_partial(text);
    if (!partial) return std::nullopt;
    const Version& v = partial->version;

    if (op == ">=") return Bounds{v, false, std::nullopt, true};
    if (op == "<") return Bounds{{0, 0, 0, "", ""}, false, v, true};
    if (op == "^") return Bounds{v, false, above(v, caret_numbers(*partial)), true};
    if (op == "~") return Bounds{v, false, above(v, std::min(partial->given, 2)), true};
    // "1.2" means every 1.2.x, so ">1.2" starts at 1.3.0 and "<=1.2" ends there.
    bool whole = partial->given == 3;
    if (op == ">")
        return whole ? Bounds{v, true, std::nullopt, true}
                     : Bounds{above(v, partial->given), false, std::nullopt, true};
    if (op == "<=")
        return whole ? Bounds{{0, 0, 0, "", ""}, false, v, false}
                     : Bounds{{0, 0, 0, "", ""}, false, above(v, partial->given), true};
    return whole ? Bounds{v, false, v, false} : Bounds{v, false, above(v, partial->given), true};
}

std::optional<VersionRange> VersionRange::parse(std::string_view text) {
    VersionRange range;
    range.text_ = text;
    for (auto part : split(text, ' ')) {
        if (part.empty()) continue;
        auto bounds = parse_comparator(part);
        if (!bounds) return std::nullopt;
        // A hyphen alone is not enough: build metadata may contain one.
        range.names_prerelease_ |= part.substr(0, part.find('+')).find('-') != part.npos;
        range.all_.push_back(*std::move(bounds));
    }
    if (range.all_.empty()) return std::nullopt;
    return range;
}

bool VersionRange::contains(const Version& version) const {
    // A range without a pre-release does not match pre-releases.
    if (!version.prerelease.empty() && !names_prerelease_) return false;
    return std::all_of(all_.begin(), all_.end(), [&](const Bounds& b) {
        bool above_low = b.low_open ? version > b.low : version >= b.low;
        bool below_high = !b.high || (b.high_open ? version < *b.high : version <= *b.high);
        return above_low && below_high;
    });
}

}  // namespace toolhost
