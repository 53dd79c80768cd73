#include "host/discovery/reason.hpp"

#include <algorithm>
#include <array>

namespace toolhost::discovery {
namespace {

// clang-format off
constexpr std::array kReasons = {
    // Found without opening the file.
    ReasonInfo{Reason::dangling_link,         "dangling_link",         Cached::always,        "the link's target does not exist: fix or remove the link"},
    ReasonInfo{Reason::symlink_loop,          "symlink_loop",          Cached::always,        "the link leads back to itself: fix or remove the link"},
    ReasonInfo{Reason::link_leaves_folder,    "link_leaves_folder",    Cached::always,        "the plugin's folder must contain its files: replace the link with a copy"},
    ReasonInfo{Reason::too_large,             "too_large",             Cached::always,        "a plugin has at most 256 files, 16 levels and 1 GiB: move other files elsewhere"},
    ReasonInfo{Reason::not_regular_file,      "not_regular_file",      Cached::always,        "only regular files can be plugins: remove it or rename it"},
    ReasonInfo{Reason::unreadable,            "unreadable",            Cached::never,         "give the user who runs toolhost read permission"},
    ReasonInfo{Reason::untrusted_owner,       "untrusted_owner",       Cached::always,        "the file must belong to root or to the user who runs toolhost"},
    ReasonInfo{Reason::writable_by_others,    "writable_by_others",    Cached::always,        "others could replace its code: run chmod o-w (or g-w) on it and its folder"},
    // Found in the file, without running its code.
    ReasonInfo{Reason::empty_file,            "empty_file",            Cached::always,        "the file has no content: build or copy it again"},
    ReasonInfo{Reason::not_a_library,         "not_a_library",         Cached::always,        "the content is not a shared library: check what was copied here"},
    ReasonInfo{Reason::other_platform,        "other_platform",        Cached::always,        "it was built for another operating system: build it on this one"},
    ReasonInfo{Reason::other_machine,         "other_machine",         Cached::always,        "it was built for another processor: build it for this one"},
    ReasonInfo{Reason::truncated,             "truncated",             Cached::always,        "the file ends too early: copy it again"},
    ReasonInfo{Reason::damaged,               "damaged",               Cached::always,        "the section table is invalid: build or copy it again"},
    ReasonInfo{Reason::symbol_missing,        "symbol_missing",        Cached::always,        "write TOOLHOST_PLUGIN(...) once in the library; without the SDK, export tool_spec and tool_invoke"},
    // Found while loading it in the probe.
    ReasonInfo{Reason::load_failed,           "load_failed",           Cached::never,         "the dynamic loader refuses it: see its message"},
    ReasonInfo{Reason::unresolved_symbol,     "unresolved_symbol",     Cached::never,         "link the library that defines it; toolhost_add_plugin() detects this at build time"},
    ReasonInfo{Reason::dependency_missing,    "dependency_missing",    Cached::never,         "install the missing library, or ship it beside the plugin as NAME/NAME.so"},
    ReasonInfo{Reason::dependency_outside,    "dependency_outside",    Cached::never,         "a worker cannot read there: build NAME/NAME.so with that library beside it, and link with -Wl,-rpath,'$ORIGIN'"},
    ReasonInfo{Reason::load_crashed,          "load_crashed",          Cached::always,        "a constructor crashes while the library is loaded: debug it with gdb"},
    ReasonInfo{Reason::load_exited,           "load_exited",           Cached::always,        "a constructor ends the process: remove the exit() that runs at load time"},
    ReasonInfo{Reason::load_timeout,          "load_timeout",          Cached::this_deadline, "a constructor does not return: do no work at load time, use tool_open()"},
    // Found in the result of tool_spec().
    ReasonInfo{Reason::spec_crashed,          "spec_crashed",          Cached::always,        "tool_spec() crashes: debug it with gdb"},
    ReasonInfo{Reason::spec_exited,           "spec_exited",           Cached::always,        "tool_spec() ends the process: remove the exit()"},
    ReasonInfo{Reason::spec_timeout,          "spec_timeout",          Cached::this_deadline, "tool_spec() does not return: it must only describe, use tool_open() for work"},
    ReasonInfo{Reason::spec_null,             "spec_null",             Cached::always,        "tool_spec() returns NULL: see its output, and return a tool_spec_info"},
    ReasonInfo{Reason::abi_mismatch,          "abi_mismatch",          Cached::always,        "rebuild it with this host's plugin.h"},
    ReasonInfo{Reason::spec_too_large,        "spec_too_large",        Cached::always,        "shorten the spec"},
    ReasonInfo{Reason::spec_not_utf8,         "spec_not_utf8",         Cached::always,        "write the spec as UTF-8"},
    ReasonInfo{Reason::spec_not_json,         "spec_not_json",         Cached::always,        "make the spec one JSON object"},
    ReasonInfo{Reason::spec_invalid,          "spec_invalid",          Cached::always,        "fix the field named in the message"},
    ReasonInfo{Reason::name_missing,          "name_missing",          Cached::always,        "give the tool a name"},
    ReasonInfo{Reason::name_invalid,          "name_invalid",          Cached::always,        "use 1 to 64 letters, digits, _ or -"},
    ReasonInfo{Reason::name_duplicate,        "name_duplicate",        Cached::always,        "give every tool of the library a unique name; - and _ count as the same"},
    ReasonInfo{Reason::input_schema_missing,  "input_schema_missing",  Cached::always,        "give the tool an inputSchema; {\"type\": \"object\"} takes anything"},
    ReasonInfo{Reason::input_schema_invalid,  "input_schema_invalid",  Cached::always,        "fix the schema at the place given in the message"},
    ReasonInfo{Reason::output_schema_invalid, "output_schema_invalid", Cached::always,        "fix the schema at the place given in the message"},
    ReasonInfo{Reason::offer_invalid,         "offer_invalid",         Cached::always,        "fix the resource, template or prompt named in the message"},
    ReasonInfo{Reason::check_timeout,         "check_timeout",         Cached::this_deadline, "its schemas or examples take too long to check: simplify them"},
    // Found when doctor opened it in a worker.
    ReasonInfo{Reason::open_failed,           "open_failed",           Cached::never,         "tool_open() fails, so every call does: fix what the message names"},
    // Found by the whole scan.
    ReasonInfo{Reason::changed_during_scan,   "changed_during_scan",   Cached::never,         "the file was being replaced: scan again"},
    ReasonInfo{Reason::probe_failed,          "probe_failed",          Cached::never,         "the probe itself failed, not the plugin: see the message"},
};
// clang-format on

}  // namespace

std::span<const ReasonInfo> reason_table() {
    return kReasons;
}

const ReasonInfo& info(Reason reason) {
    return kReasons[static_cast<std::size_t>(reason)];
}

std::optional<Reason> find_reason(std::string_view code) {
    const auto* found = std::ranges::find(kReasons, code, &ReasonInfo::code);
    return found == kReasons.end() ? std::nullopt : std::optional(found->reason);
}

}  // namespace toolhost::discovery
