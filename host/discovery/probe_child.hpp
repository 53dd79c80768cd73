// The inside of the probe: a process that looks at one candidate and may die doing so.
#pragma once

#include <cstddef>
#include <string>

namespace toolhost::discovery {

// The hidden command of the host's own binary.
inline constexpr const char* kProbeCommand = "__probe";

// The limit of a spec, which is read by models in the end.
inline constexpr std::size_t kMaxSpecBytes = 4u << 20;

// Writes what it finds to the result descriptor, a JSON object a line: {"stage": ...} before each
// dangerous step, so that a death can be told apart, then {"refused": ...} or {"plugin": ...}.
// Does not return to the caller's clean-up: the library may have broken anything.
[[noreturn]] void probe_child(const std::string& path, bool own_folder, int deadline_ms);

}  // namespace toolhost::discovery
