// Every fixture that must be refused, with the reason. A new fixture is a new row.
#pragma once

#include <array>

namespace toolhost::test {

struct BrokenPlugin {
    const char* fixture;
    const char* reason;  // discovery's code
    bool hangs = false;  // the probe ends at its deadline
};

// clang-format off
inline constexpr std::array kBrokenPlugins = {
    BrokenPlugin{"no_tool_invoke",          "symbol_missing"},
    BrokenPlugin{"no_tool_spec",            "symbol_missing"},
    BrokenPlugin{"unresolved_symbol",       "unresolved_symbol"},
    BrokenPlugin{"dependency_missing",      "dependency_missing"},
    BrokenPlugin{"dependency_outside",      "dependency_outside"},
    BrokenPlugin{"constructor_crashes",     "load_crashed"},
    BrokenPlugin{"constructor_exits",       "load_exited"},
    BrokenPlugin{"constructor_sleeps",      "load_timeout", true},
    BrokenPlugin{"spec_crashes",            "spec_crashed"},
    BrokenPlugin{"spec_pointer_wild",       "spec_crashed"},
    BrokenPlugin{"spec_data_wild",          "spec_crashed"},
    BrokenPlugin{"spec_exits",              "spec_exited"},
    BrokenPlugin{"spec_never_returns",      "spec_timeout", true},
    BrokenPlugin{"spec_null",               "spec_null"},
    BrokenPlugin{"spec_null_told",          "spec_null"},
    BrokenPlugin{"other_abi_major",         "abi_mismatch"},
    BrokenPlugin{"older_abi_major",         "abi_mismatch"},
    BrokenPlugin{"struct_size_too_small",   "abi_mismatch"},
    BrokenPlugin{"spec_too_large",          "spec_too_large"},
    BrokenPlugin{"spec_not_utf8",           "spec_not_utf8"},
    BrokenPlugin{"spec_empty",              "spec_not_json"},
    BrokenPlugin{"spec_not_json",           "spec_not_json"},
    BrokenPlugin{"spec_not_an_object",      "spec_not_json"},
    BrokenPlugin{"version_invalid",         "spec_invalid"},
    BrokenPlugin{"family_without_tools",    "spec_invalid"},
    BrokenPlugin{"consent_misspelled",      "spec_invalid"},
    BrokenPlugin{"family_consent",          "spec_invalid"},
    BrokenPlugin{"needs_misspelled",        "spec_invalid"},
    BrokenPlugin{"needs_not_a_boolean",     "spec_invalid"},
    BrokenPlugin{"needs_tools_invalid",     "spec_invalid"},
    BrokenPlugin{"requires_path",           "spec_invalid"},
    BrokenPlugin{"example_invalid",         "spec_invalid"},
    BrokenPlugin{"tools_without_end",       "spec_invalid"},
    BrokenPlugin{"examples_without_end",    "check_timeout", true},
    BrokenPlugin{"name_missing",            "name_missing"},
    BrokenPlugin{"name_invalid",            "name_invalid"},
    BrokenPlugin{"name_too_long",           "name_invalid"},
    BrokenPlugin{"name_not_a_string",       "name_invalid"},
    BrokenPlugin{"name_duplicate",          "name_duplicate"},
    BrokenPlugin{"input_schema_missing",    "input_schema_missing"},
    BrokenPlugin{"input_schema_invalid",    "input_schema_invalid"},
    BrokenPlugin{"schema_nested_too_deep",  "spec_not_json"},
    BrokenPlugin{"output_schema_invalid",   "output_schema_invalid"},
    BrokenPlugin{"offer_invalid",           "offer_invalid"},
};
// clang-format on

}  // namespace toolhost::test
