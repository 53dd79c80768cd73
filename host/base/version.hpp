// SemVer 2.0.0 versions and the ranges that references and requirements use.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace toolhost {

struct Version {
    std::uint32_t major = 1, minor = 0, patch = 0;
    std::string prerelease;  // "rc.1"; empty for a release
    std::string build;       // displayed, never compared

    [[nodiscard]] static std::optional<Version> parse(std::string_view text);
    [[nodiscard]] std::string text() const;
};

// SemVer precedence: a pre-release is below its release, build metadata is ignored.
[[nodiscard]] std::strong_ordering operator<=>(const Version& a, const Version& b);
[[nodiscard]] bool operator==(const Version& a, const Version& b);

// "*", "1.2.0", "1.2", "^1", "~1.2", ">=1.0 <2"; comparators separated by spaces must all hold.
class VersionRange {
public:
    [[nodiscard]] static std::optional<VersionRange> parse(std::string_view text);
    [[nodiscard]] bool contains(const Version& version) const;
    [[nodiscard]] const std::string& text() const { return text_; }

private:
    // Every comparator of the syntax is one interval.
    struct Bounds {
        Version low{0, 0, 0, "", ""};
        bool low_open = false;
        std::optional<Version> high;
        bool high_open = true;
    };
    static std::optional<Bounds> parse_comparator(std::string_view text);

    std::string text_;
    std::vector<Bounds> all_;
    bool names_prerelease_ = false;
};

}  // namespace toolhost
