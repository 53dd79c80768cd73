// How callers name a tool: file_read, native:file_operations.file_read@^1, strands_tools.file_read.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/base/error.hpp"
#include "host/base/version.hpp"

namespace toolhost::registry {

struct Reference {
    std::string family;  // empty: any
    std::string name;
    std::optional<VersionRange> versions;
    // strands_tools.X.X named a module and its function: X is then no family.
    bool family_may_be_name = false;

    // Refuses what no tool can be called, with a text that shows the accepted forms.
    [[nodiscard]] static Result<Reference> parse(std::string_view text);
};

// 1 to 64 letters, digits, _ and -; the same rule for tools and families.
[[nodiscard]] bool is_valid_name(std::string_view name);

// file-read and file_read are one name to people and to models, so they may not both exist.
[[nodiscard]] std::string canonical_name(std::string_view name);

// Every form, without version, by which a tool can be called.
[[nodiscard]] std::vector<std::string> reference_forms(std::string_view family,
                                                       std::string_view name);

}  // namespace toolhost::registry
