// References to tools: file_read, native:file_operations.file_read@^1, strands_tools.file_read.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/base/error.hpp"
#include "host/base/version.hpp"

namespace toolhost::registry {

struct Reference {
    std::string family;  // empty: any family
    std::string name;
    std::optional<VersionRange> versions;
    // In strands_tools.X.X, a module and its function, the first X is not a family.
    bool family_may_be_name = false;

    // Fails if the text cannot be a reference; the error shows the accepted forms.
    [[nodiscard]] static Result<Reference> parse(std::string_view text);
};

// 1 to 64 letters, digits, _ and -; the same rule for tools and families.
[[nodiscard]] bool is_valid_name(std::string_view name);

// file-read and file_read look alike to people and models, so only one of them may exist.
[[nodiscard]] std::string canonical_name(std::string_view name);

// All forms, without version, by which a tool can be called.
[[nodiscard]] std::vector<std::string> reference_forms(std::string_view family,
                                                       std::string_view name);

}  // namespace toolhost::registry
