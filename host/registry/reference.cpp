#include "host/registry/reference.hpp"

#include <algorithm>

namespace toolhost::registry {
namespace {

constexpr std::string_view kNative = "native:";
constexpr std::string_view kLegacy = "strands_tools.";
constexpr std::size_t kMaxNameLength = 64;
// Longer than any valid reference: two names, a prefix, a range.
constexpr std::size_t kMaxReferenceLength = 512;

// References are untrusted: control characters and invalid bytes must not reach a terminal.
std::string printable(std::string_view text) {
    std::string out;
    for (char c : text.substr(0, kMaxNameLength)) out += c >= 0x20 && c < 0x7f ? c : '?';
    return text.size() > kMaxNameLength ? out + "..." : out;
}

Error malformed(std::string_view text) {
    return {ErrorCode::unknown_tool,
            "'" + printable(text) +
                "' is not a tool reference; use NAME, native:NAME, native:FAMILY.NAME or "
                "native:NAME@VERSION",
            {}};
}

}  // namespace

bool is_valid_name(std::string_view name) {
    return !name.empty() && name.size() <= kMaxNameLength &&
           std::all_of(name.begin(), name.end(), [](char c) {
               return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                      c == '_' || c == '-';
           });
}

std::string canonical_name(std::string_view name) {
    std::string out(name);
    std::replace(out.begin(), out.end(), '-', '_');
    return out;
}

Result<Reference> Reference::parse(std::string_view text) {
    if (text.size() > kMaxReferenceLength) return malformed(text);
    Reference reference;
    std::string_view rest = text;
    if (auto at = rest.find('@'); at != std::string_view::npos) {
        reference.versions = VersionRange::parse(rest.substr(at + 1));
        if (!reference.versions)
            return Error{ErrorCode::version_not_found,
                         "'" + printable(rest.substr(at + 1)) +
                             "' is not a version; use 1.2.0, 1.2, ^1, ~1.2 or '>=1.0 <2'",
                         {}};
        rest = rest.substr(0, at);
    }
    bool legacy = rest.starts_with(kLegacy);
    if (legacy)
        rest.remove_prefix(kLegacy.size());
    else if (rest.starts_with(kNative))
        rest.remove_prefix(kNative.size());

    if (auto dot = rest.find('.'); dot != std::string_view::npos) {
        reference.family = rest.substr(0, dot);
        rest = rest.substr(dot + 1);
        if (!is_valid_name(reference.family)) return malformed(text);
    }
    if (!is_valid_name(rest)) return malformed(text);
    reference.name = rest;
    reference.family_may_be_name = legacy && reference.family == reference.name;
    return reference;
}

std::vector<std::string> reference_forms(std::string_view family, std::string_view name) {
    const std::string n(name), f(family);
    std::vector<std::string> forms = {
        n,
        "native:" + n,
        "native:" + f + "." + n,
        "strands_tools." + n,
        "strands_tools." + n + "." + n,
    };
    if (f != n) forms.push_back("strands_tools." + f + "." + n);
    return forms;
}

}  // namespace toolhost::registry
