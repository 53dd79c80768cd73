#include "host/sandbox/confinement.hpp"

namespace toolhost::sandbox {
namespace {

constexpr const char* kOff = "off";
constexpr const char* kBestEffort = "best_effort";
constexpr const char* kRequired = "required";

Json limits_json(const ResourceLimits& limits) {
    Json out = Json::object();
    auto write = [&](const char* key, const std::optional<std::uint64_t>& limit) {
        if (limit) out[key] = *limit;
    };
    write("memoryMb", limits.memory_mb);
    write("cpuSeconds", limits.cpu_seconds);
    write("processes", limits.processes);
    write("openFiles", limits.open_files);
    write("fileSizeMb", limits.file_size_mb);
    return out;
}

Result<Enforcement> read_sandbox(const std::string& word) {
    if (word == kRequired) return Enforcement::required;
    if (word == kBestEffort) return Enforcement::best_effort;
    if (word == kOff) return Enforcement::off;
    return Error{ErrorCode::internal, "a confinement's sandbox is '" + word + "'", {}};
}

}  // namespace

ResourceLimits read_resource_limits(const Json& object) {
    ResourceLimits limits;
    const auto read = [&](const char* key, std::optional<std::uint64_t>& limit) {
        if (const auto it = object.find(key); it != object.end()) limit = it->get<std::uint64_t>();
    };
    read("memoryMb", limits.memory_mb);
    read("cpuSeconds", limits.cpu_seconds);
    read("processes", limits.processes);
    read("openFiles", limits.open_files);
    read("fileSizeMb", limits.file_size_mb);
    return limits;
}

Json to_json(const Confinement& confinement) {
    return {{"sandbox", confinement.sandbox == Enforcement::required      ? kRequired
                        : confinement.sandbox == Enforcement::best_effort ? kBestEffort
                                                                          : kOff},
            {"limits", limits_json(confinement.limits)},
            {"network", confinement.network},
            {"exec", confinement.exec}};
}

Result<Confinement> read_confinement(const Json& json) {
    try {
        auto sandbox = read_sandbox(json.at("sandbox").get<std::string>());
        if (!sandbox) return sandbox.error();
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
