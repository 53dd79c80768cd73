// Tool references from callers. An accepted one must preserve its text; the refusal of others must
// be printable on any terminal.
#include <algorithm>
#include <sstream>
#include <string>

#include "host/registry/reference.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace toolhost::fuzz {
namespace {

using registry::Reference;

constexpr std::size_t longest = 512;  // of a reference

bool is_printable(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c < 0x7f; });
}

bool same(const Reference& a, const Reference& b) {
    const auto range = [](const Reference& one) {
        return one.versions ? one.versions->text() : "";
    };
    return a.family == b.family && a.name == b.name && range(a) == range(b);
}

// Removes prefixes that do not affect the meaning.
std::string_view without_prefix(std::string_view text) {
    for (std::string_view prefix : {"strands_tools.", "native:"})
        if (text.starts_with(prefix)) return text.substr(prefix.size());
    return text;
}

std::string print(const Reference& reference) {
    return (reference.family.empty() ? "" : reference.family + '.') + reference.name +
           (reference.versions ? '@' + reference.versions->text() : "");
}

void check_parsed(std::string_view text, const Reference& reference) {
    must(registry::is_valid_name(reference.name), "a reference has a valid name");
    must(print(reference) == without_prefix(text), "a reference prints back to itself");
    // With the prefix, because a family may have the name of a prefix. It may then be too long.
    const std::string whole = "native:" + print(reference);
    const auto again = Reference::parse(whole);
    must(whole.size() > longest || (again.has_value() && same(*again, reference)),
         "what was printed parses to the same");
    must(registry::canonical_name(registry::canonical_name(reference.name)) ==
             registry::canonical_name(reference.name),
         "a canonical name is canonical");
    const std::string family = reference.family.empty() ? "some_family" : reference.family;
    for (const auto& form : registry::reference_forms(family, reference.name)) {
        const auto other = Reference::parse(form);
        must(other.has_value() && other->name == reference.name, "every form names the tool");
        must(other->family.empty() || other->family == family || other->family_may_be_name,
             "every form names the family or none");
    }
}

// Whether a comparator has a pre-release; a hyphen after a + belongs to build metadata.
bool asks_for_prerelease(std::string_view range) {
    std::istringstream words{std::string(range)};
    for (std::string word; std::getline(words, word, ' ');)
        if (word.substr(0, word.find('+')).find('-') != std::string::npos) return true;
    return false;
}

void check_versions(std::string_view text) {
    if (const auto version = Version::parse(text)) {
        must(version->text() == text, "a version prints back to itself");
        must(*version == *version, "a version equals itself");
        const auto exactly = VersionRange::parse(text);
        must(exactly && exactly->contains(*version), "a version is in the range of that name");
    }
    const auto range = VersionRange::parse(text);
    if (!range) return;
    must(range->text() == text, "a range prints back to itself");
    const auto twice = VersionRange::parse(std::string(text) + ' ' + std::string(text));
    must(twice.has_value(), "a range may be said twice");
    for (const char* one : {"0.0.0", "0.1.0", "1.0.0-rc.1", "1.2.3", "2.0.0", "4294967294.0.0"}) {
        const auto version = Version::parse(one);
        must(range->contains(*version) == twice->contains(*version), "twice is the same range");
    }
    must(asks_for_prerelease(text) || !range->contains(*Version::parse("2.0.0-rc.1")),
         "a range without a pre-release matches none");
}

}  // namespace
}  // namespace toolhost::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace toolhost;
    const auto text = fuzz::as_text(data, size);
    const auto reference = registry::Reference::parse(text);
    if (reference) {
        fuzz::check_parsed(text, *reference);
    } else {
        const Error& error = reference.error();
        fuzz::must(
            error.code == ErrorCode::unknown_tool || error.code == ErrorCode::version_not_found,
            "a refused reference is an unknown tool or version");
        fuzz::must(fuzz::is_printable(error.message), "the refusal can be shown on a terminal");
    }
    if (const auto at = text.find('@'); at != std::string_view::npos && size <= fuzz::longest)
        fuzz::check_versions(text.substr(at + 1));
    return 0;
}
