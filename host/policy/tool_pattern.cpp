#include "host/policy/tool_pattern.hpp"

#include <algorithm>

#include "host/policy/place.hpp"
#include "host/registry/reference.hpp"

namespace toolhost::policy {
namespace {

constexpr std::string_view kNative = "native:";
constexpr std::string_view kLegacy = "strands_tools.";
constexpr std::size_t kMaxPatternLength = 512;

// Hyphens and underscores are equal: a denial of file-write must not miss file_write. In a set, a
// hyphen between two characters is a range and is kept.
std::string canonical(std::string_view pattern) {
    std::string out(pattern);
    bool in_set = false;
    for (std::size_t i = 0; i < out.size(); ++i) {
        if (out[i] == '[') in_set = true;
        if (out[i] == ']') in_set = false;
        const bool is_range = in_set && i > 0 && i + 1 < out.size() && out[i + 1] != ']' &&
                              std::string_view("[!^").find(out[i - 1]) == std::string_view::npos;
        if (out[i] == '-' && !is_range) out[i] = '_';
    }
    return out;
}

boost::system::result<Glob, std::string> name_glob(std::string_view text) {
    const bool fits = std::all_of(text.begin(), text.end(), [](char c) {
        return registry::is_valid_name(std::string_view(&c, 1)) ||
               std::string_view("*?[]!^").find(c) != std::string_view::npos;
    });
    if (!fits) return std::string("names consist of letters, digits, _ and -");
    return Glob::parse(canonical(text));
}

}  // namespace

boost::system::result<ToolPattern, std::string> ToolPattern::parse(std::string_view text) {
    if (text.size() > kMaxPatternLength) return std::string("it is too long");
    ToolPattern pattern;
    pattern.text_ = text;
    auto rest = text;
    if (auto at = rest.find('@'); at != std::string_view::npos) {
        pattern.versions_ = VersionRange::parse(rest.substr(at + 1));
        if (!pattern.versions_)
            return in_quotes(rest.substr(at + 1)) +
                   " is not a version; use 1.2.0, 1.2, ^1, ~1.2 or '>=1.0 <2'";
        rest = rest.substr(0, at);
    }
    pattern.legacy_ = rest.starts_with(kLegacy);
    if (pattern.legacy_)
        rest.remove_prefix(kLegacy.size());
    else if (rest.starts_with(kNative))
        rest.remove_prefix(kNative.size());
    if (auto dot = rest.find('.'); dot != std::string_view::npos) {
        auto family = name_glob(rest.substr(0, dot));
        if (!family) return family.error();
        pattern.family_ = std::move(*family);
        rest = rest.substr(dot + 1);
    }
    auto name = name_glob(rest);
    if (!name) return name.error();
    pattern.name_ = std::move(*name);
    return pattern;
}

bool ToolPattern::names(const registry::ToolSpec& spec) const {
    const auto name = registry::canonical_name(spec.name);
    if (!name_.matches(name)) return false;
    return !family_ || family_->matches(registry::canonical_name(spec.family)) ||
           (legacy_ && family_->matches(name));
}

bool ToolPattern::matches(const registry::ToolSpec& spec) const {
    return names(spec) && (!versions_ || versions_->contains(spec.version));
}

bool ToolPattern::denies(const registry::ToolSpec& spec) const {
    if (!names(spec)) return false;
    if (!versions_ || versions_->contains(spec.version)) return true;
    auto release = spec.version;
    release.prerelease.clear();
    return versions_->contains(release);
}

}  // namespace toolhost::policy
