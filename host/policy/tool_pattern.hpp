// Patterns of tools in profiles: file_*, native:git, native:data_tools.*@^1.
//
// A pattern is a reference (registry/reference.hpp) whose family and name may contain wildcards.
// Each is matched on its own, so `native:file_*` means tools named file_..., not the tools of a
// family named file_something.
#pragma once

#include <boost/system/result.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "host/base/glob.hpp"
#include "host/registry/tool_spec.hpp"

namespace toolhost::policy {

class ToolPattern {
public:
    // The error completes the sentence "it is not a tool pattern: ...".
    [[nodiscard]] static boost::system::result<ToolPattern, std::string> parse(
        std::string_view text);

    [[nodiscard]] bool matches(const registry::ToolSpec& spec) const;
    // The same, but a pre-release also counts as its release: ranges exclude pre-releases unless
    // they name one, so a pre-release would escape a denial.
    [[nodiscard]] bool denies(const registry::ToolSpec& spec) const;
    // Whether it contains no wildcard.
    [[nodiscard]] bool exact() const { return name_.exact() && (!family_ || family_->exact()); }
    [[nodiscard]] const std::string& text() const { return text_; }

private:
    [[nodiscard]] bool names(const registry::ToolSpec& spec) const;

    std::string text_;
    std::optional<Glob> family_;  // empty: any family
    Glob name_;
    std::optional<VersionRange> versions_;
    bool legacy_ = false;  // strands_tools.X.X means tool X of any family
};

}  // namespace toolhost::policy
