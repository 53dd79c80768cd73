// Why a candidate is not a plugin. One table row per reason.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace toolhost::discovery {

enum class Reason : std::uint8_t {
    // What can be seen from outside the file.
    dangling_link,
    symlink_loop,
    link_leaves_folder,
    too_large,
    not_regular_file,
    unreadable,
    untrusted_owner,
    writable_by_others,
    // What can be read in the file, running none of it.
    empty_file,
    not_a_library,
    other_platform,
    other_machine,
    truncated,
    damaged,
    symbol_missing,
    // What happened when it was loaded in the probe.
    load_failed,
    unresolved_symbol,
    dependency_missing,
    dependency_outside,
    load_crashed,
    load_exited,
    load_timeout,
    // What tool_spec() said.
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
    // What happened when doctor opened it in a worker.
    open_failed,
    // What only the whole scan can tell.
    changed_during_scan,
    probe_failed,
};

// Whether the spec cache answers for an unchanged file that was refused.
enum class Cached : std::uint8_t {
    always,
    never,          // the file can pass without a change, for instance when a library is installed
    this_deadline,  // unless the next probe has more time
};

struct ReasonInfo {
    Reason reason;
    std::string_view code;  // stable: `doctor --json` shows it, scripts compare it
    Cached cached;
    std::string_view advice;  // to the author
};

// Every reason, in the order of the enumeration.
[[nodiscard]] std::span<const ReasonInfo> reason_table();
[[nodiscard]] const ReasonInfo& info(Reason reason);
[[nodiscard]] std::optional<Reason> find_reason(std::string_view code);

}  // namespace toolhost::discovery
