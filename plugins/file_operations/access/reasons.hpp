// The reasons for which a call may be denied, and their meanings.
#pragma once

#include <array>
#include <toolhost/denial_reasons.hpp>

namespace file_operations {

inline constexpr std::array<toolhost::DenialReason, 8> reasons{{
    {"path_not_allowed", "The path is outside the policy's roots, or matches its denied_globs."},
    {"hidden_not_allowed", "The path is hidden, and allow_hidden is false."},
    {"extension_not_allowed", "The file's extension is not in allowed_extensions."},
    {"file_too_large", "The file is larger than max_file_bytes, or max_diff_bytes."},
    {"protected_path", "Other programs run or trust the file, or it belongs to toolhost."},
    {"read_only", "The policy denies all writes."},
    {"too_many_files", "The path matches more than max_files files."},
    {"too_many_bytes", "The documents together are larger than max_document_bytes."},
}};
using Reason = toolhost::ReasonFrom<reasons>;

}  // namespace file_operations
