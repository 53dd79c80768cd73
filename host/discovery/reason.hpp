// Why a candidate is not a plugin. Codes are stable: `doctor --json` shows them, tests and authors'
// scripts compare them. One table row each; the advice tells the author what to do.
#pragma once

#include <array>
#include <string_view>

namespace toolhost::discovery {

struct Reason {
    std::string_view code;
    std::string_view advice;
};

// clang-format off
inline constexpr std::array kReasons = {
    // What can be seen from outside the file.
    Reason{"dangling_link",       "the link's target does not exist: fix or remove the link"},
    Reason{"symlink_loop",        "the link leads back to itself: fix or remove the link"},
    Reason{"link_leaves_folder", "the plugin's folder must contain its files: replace the link with a copy"},
    Reason{"too_large",          "a plugin has at most 256 files, 16 levels and 1 GiB: move other files elsewhere"},
    Reason{"not_regular_file",    "only regular files can be plugins: remove it or rename it"},
    Reason{"unreadable",          "give the user who runs toolhost read permission"},
    Reason{"untrusted_owner",     "the file must belong to root or to the user who runs toolhost"},
    Reason{"writable_by_others",  "others could replace its code: run chmod o-w (or g-w) on it and its folder"},
    // What can be read in the file, running none of it.
    Reason{"empty_file",          "the file has no content: build or copy it again"},
    Reason{"not_a_library",       "the content is not a shared library: check what was copied here"},
    Reason{"other_platform",      "it was built for another operating system: build it on this one"},
    Reason{"other_machine",       "it was built for another processor: build it for this one"},
    Reason{"truncated",           "the file ends too early: copy it again"},
    Reason{"damaged",             "the section table is invalid: build or copy it again"},
    Reason{"symbol_missing",      "write TOOLHOST_PLUGIN(...) once in the library; without the SDK, export tool_spec and tool_invoke"},
    // What happened when it was loaded in the probe.
    Reason{"load_failed",         "the dynamic loader refuses it: see its message"},
    Reason{"unresolved_symbol",   "link the library that defines it; toolhost_add_plugin() detects this at build time"},
    Reason{"dependency_missing",  "install the missing library, or ship it beside the plugin as NAME/NAME.so"},
    Reason{"dependency_outside",  "a worker cannot read there: build NAME/NAME.so with that library beside it, and link with -Wl,-rpath,'$ORIGIN'"},
    Reason{"load_crashed",        "a constructor crashes while the library is loaded: debug it with gdb"},
    Reason{"load_exited",         "a constructor ends the process: remove the exit() that runs at load time"},
    Reason{"load_timeout",        "a constructor does not return: do no work at load time, use tool_open()"},
    // What tool_spec() said.
    Reason{"spec_crashed",        "tool_spec() crashes: debug it with gdb"},
    Reason{"spec_exited",         "tool_spec() ends the process: remove the exit()"},
    Reason{"spec_timeout",        "tool_spec() does not return: it must only describe, use tool_open() for work"},
    Reason{"spec_null",           "tool_spec() returns NULL: see its output, and return a tool_spec_info"},
    Reason{"abi_mismatch",        "rebuild it with this host's plugin.h"},
    Reason{"spec_too_large",      "shorten the spec"},
    Reason{"spec_not_utf8",       "write the spec as UTF-8"},
    Reason{"spec_not_json",       "make the spec one JSON object"},
    Reason{"spec_invalid",        "fix the field named in the message"},
    Reason{"name_missing",        "give the tool a name"},
    Reason{"name_invalid",        "use 1 to 64 letters, digits, _ or -"},
    Reason{"name_duplicate",      "give every tool of the library a unique name; - and _ count as the same"},
    Reason{"input_schema_missing", "give the tool an inputSchema; {\"type\": \"object\"} takes anything"},
    Reason{"input_schema_invalid", "fix the schema at the place given in the message"},
    Reason{"output_schema_invalid", "fix the schema at the place given in the message"},
    Reason{"offer_invalid",       "fix the resource, template or prompt named in the message"},
    // What happened when doctor opened it in a worker.
    Reason{"open_failed",         "tool_open() fails, so every call does: fix what the message names"},
    // What only the whole scan can tell.
    Reason{"changed_during_scan", "the file was being replaced: scan again"},
    Reason{"probe_failed",        "the probe itself failed, not the plugin: see the message"},
};
// clang-format on

// Empty: no such reason.
inline std::string_view advice_on(std::string_view code) {
    for (const auto& reason : kReasons)
        if (reason.code == code) return reason.advice;
    return "";
}

}  // namespace toolhost::discovery
