// The patterns that profiles name tools by: file_*, native:git, native:data_tools.*@^1.
//
// A pattern is a reference (registry/reference.hpp) whose family and name may have wildcards. Each
// is matched by itself, so that `native:file_*` means tools named file_... and not every tool of a
// family that happens to be called file_something.
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
    // The error is a sentence part: what is wrong with it.
    [[nodiscard]] static boost::system::result<ToolPattern, std::string> parse(
        std::string_view text);

    [[nodiscard]] bool matches(const registry::ToolSpec& spec) const;
    // The same, but a pre-release counts as its release too: a range leaves pre-releases out unless
    // it names one, and they would slip through a denial.
    [[nodiscard]] bool denies(const registry::ToolSpec& spec) const;
    // Without a wildcard.
    [[nodiscard]] bool exact() const { return name_.exact() && (!family_ || family_->exact()); }
    [[nodiscard]] const std::string& text() const { return text_; }

private:
    [[nodiscard]] bool names(const registry::ToolSpec& spec) const;

    std::string text_;
    std::optional<Glob> family_;  // none: any
    Glob name_;
    std::optional<VersionRange> versions_;
    bool legacy_ = false;  // strands_tools.X.X names X in whatever family
};

}  // namespace toolhost::policy
