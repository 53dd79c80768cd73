// Reasons for refusing a candidate. One table row per reason.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace toolhost::discovery {

enum class Reason : std::uint8_t {
    // Found without opening the file.
    dangling_link,
    symlink_loop,
    link_leaves_folder,
    too_large,
    not_regular_file,
    unreadable,
    untrusted_owner,
    writable_by_others,
    // Found in the file, without running its code.
    empty_file,
    not_a_library,
    other_platform,
    other_machine,
    truncated,
    damaged,
    symbol_missing,
    // Found while loading it in the probe.
    load_failed,
    unresolved_symbol,
    dependency_missing,
    dependency_outside,
    load_crashed,
    load_exited,
    load_timeout,
    // Found in the result of tool_spec().
    spec_crashed,
    spec_exited,
    spec_timeout,
    spec_null,
    abi_mismatch,
    spec_too_large,
    spec_not_utf8,
    spec_not_json,
    spec_invalid,
    name_missing,
    name_invalid,
    name_duplicate,
    input_schema_missing,
    input_schema_invalid,
    output_schema_invalid,
    offer_invalid,
    check_timeout,
    // Found when doctor opened it in a worker.
    open_failed,
    // Found by the whole scan.
    changed_during_scan,
    probe_failed,
};

// Whether the spec cache stores a refusal of an unchanged file.
enum class Cached : std::uint8_t {
    always,
    never,          // the same file may pass later, for instance when a library is installed
    this_deadline,  // until a probe has more time
};

struct ReasonInfo {
    Reason reason;
    std::string_view code;  // stable: `doctor --json` prints it, scripts compare it
    Cached cached;
    std::string_view advice;  // to the author of the plugin
};

// All reasons, in the order of the enumeration.
[[nodiscard]] std::span<const ReasonInfo> reason_table();
[[nodiscard]] const ReasonInfo& info(Reason reason);
[[nodiscard]] std::optional<Reason> find_reason(std::string_view code);

}  // namespace toolhost::discovery
