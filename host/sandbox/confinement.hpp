// What one worker may do: the tool's needs combined with the profile's grants, as plain values.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/base/error.hpp"

namespace toolhost::sandbox {

enum class Enforcement { off, best_effort, required };
// As profiles have it: "best_effort".
[[nodiscard]] std::string_view name_of(Enforcement enforcement);
[[nodiscard]] std::optional<Enforcement> find_enforcement(std::string_view name);

struct ResourceLimits {
    std::optional<std::uint64_t> memory_mb, cpu_seconds, processes, open_files, file_size_mb;
};
// Reads an object with the names of the fields in camelCase, as in a profile.
[[nodiscard]] ResourceLimits read_resource_limits(const Json& object);

struct Confinement {
    Enforcement sandbox = Enforcement::off;
    ResourceLimits limits;
    bool network = false, exec = false;
    std::vector<std::string> read;   // absolute folders or files that may be read
    std::vector<std::string> write;  // absolute folders that may be read and written
    // Files inside of `write` that must not change, absolute: toolhost's own files (folders end in
    // '/') and files that other programs trust (policy/protected_paths.hpp).
    std::vector<std::string> host_files, trusted_files;
    // Those of `host_files` that are created empty if missing, so that no tool can create them.
    std::vector<std::string> created_files;
    // Names of trusted files relative to any folder below `write`: ".git/hooks".
    std::vector<std::string> trusted_names;
    std::vector<std::string> environment;  // "NAME=value"; nothing else is passed on
};

// All fields except the lists, which are not JSON: a path can contain any bytes.
[[nodiscard]] Json to_json(const Confinement& confinement);
// Anything that to_json() cannot produce is an error.
[[nodiscard]] Result<Confinement> read_confinement(const Json& json);
inline constexpr std::array kConfinementLists = {
    &Confinement::read,          &Confinement::write,         &Confinement::host_files,
    &Confinement::trusted_files, &Confinement::created_files, &Confinement::trusted_names,
    &Confinement::environment};

}  // namespace toolhost::sandbox
