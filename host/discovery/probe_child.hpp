// The probe process, which inspects one candidate and may crash doing so.
#pragma once

#include <cstddef>
#include <string>

namespace toolhost::discovery {

// The hidden command of the host's binary.
inline constexpr const char* kProbeCommand = "__probe";

// Limit of a spec, because models read it.
inline constexpr std::size_t kMaxSpecBytes = 4u << 20;

// Writes JSON lines to the result descriptor: {"stage": ...} before each dangerous step, so that
// the host knows where it crashed, then {"refused": ...} or {"plugin": ...}. Does not return,
// because the library may have corrupted the process.
[[noreturn]] void probe_child(const std::string& path, bool own_folder, int deadline_ms);

}  // namespace toolhost::discovery
