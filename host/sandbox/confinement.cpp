#include "host/sandbox/confinement.hpp"

#include <algorithm>

namespace toolhost::sandbox {
namespace {

constexpr std::string_view kEnforcements[] = {"off", "best_effort", "required"};

struct LimitRow {
    const char* key;
    std::optional<std::uint64_t> ResourceLimits::*limit;
};
constexpr LimitRow kLimits[] = {
    {"memoryMb", &ResourceLimits::memory_mb},      {"cpuSeconds", &ResourceLimits::cpu_seconds},
    {"processes", &ResourceLimits::processes},     {"openFiles", &ResourceLimits::open_files},
    {"fileSizeMb", &ResourceLimits::file_size_mb},
};

Json limits_json(const ResourceLimits& limits) {
    Json out = Json::object();
    for (const auto& row : kLimits)
        if (const auto& limit = limits.*row.limit) out[row.key] = *limit;
    return out;
}

}  // namespace

std::string_view name_of(Enforcement enforcement) {
    return kEnforcements[static_cast<std::size_t>(enforcement)];
}

std::optional<Enforcement> find_enforcement(std::string_view name) {
    const auto found = std::ranges::find(kEnforcements, name);
    if (found == std::end(kEnforcements)) return std::nullopt;
    return static_cast<Enforcement>(found - std::begin(kEnforcements));
}

ResourceLimits read_resource_limits(const Json& object) {
    ResourceLimits limits;
    for (const auto& row : kLimits)
        if (const auto it = object.find(row.key); it != object.end())
            limits.*row.limit = it->get<std::uint64_t>();
    return limits;
}

Json to_json(const Confinement& confinement) {
    return {{"sandbox", name_of(confinement.sandbox)},
            {"limits", limits_json(confinement.limits)},
            {"network", confinement.network},
            {"exec", confinement.exec}};
}

Result<Confinement> read_confinement(const Json& json) {
    try {
        const auto word = json.at("sandbox").get<std::string>();
        const auto sandbox = find_enforcement(word);
        if (!sandbox)
            return Error{ErrorCode::internal, "a confinement's sandbox is '" + word + "'", {}};
        Confinement out;
        out.sandbox = *sandbox;
        out.limits = read_resource_limits(json.at("limits"));
        out.network = json.at("network").get<bool>();
        out.exec = json.at("exec").get<bool>();
        return out;
    } catch (const nlohmann::json::exception& e) {
        return Error{ErrorCode::internal, std::string("invalid confinement: ") + e.what(), {}};
    }
}

}  // namespace toolhost::sandbox
