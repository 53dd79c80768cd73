#include "host/policy/limits.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>

namespace toolhost::policy {
namespace {

// A key of a profile, and the member that has its value.
template <class Values>
struct Row {
    std::string_view key;
    void (*read)(const Json& value, Values& values);
    Json (*write)(const Values& values);  // null: not set
};

template <class Values, class Value>
Values owner_of(Value Values::*member);

// A number or a boolean, which is the same in both.
template <auto kMember>
constexpr auto plain(std::string_view key) {
    using Values = decltype(owner_of(kMember));
    return Row<Values>{key,
                       [](const Json& value, Values& values) {
                           using Value = std::remove_reference_t<decltype(values.*kMember)>;
                           values.*kMember = value.get<Value>();
                       },
                       [](const Values& values) { return Json(values.*kMember); }};
}

void read_rate(const Json& value, Limits& limits) {
    limits.rate_limit = RateLimit{value.at("calls").get<std::uint32_t>(),
                                  std::llround(value.at("seconds").get<double>() * 1000)};
}
Json write_rate(const Limits& limits) {
    if (!limits.rate_limit) return nullptr;
    return {{"calls", limits.rate_limit->calls},
            {"seconds", static_cast<double>(limits.rate_limit->window_ms) / 1000}};
}

void read_isolation(const Json& value, Limits& limits) {
    limits.isolation = value == name_of(runtime::Isolation::process)
                           ? runtime::Isolation::process
                           : runtime::Isolation::in_process;
}
Json write_isolation(const Limits& limits) {
    return name_of(limits.isolation);
}

void read_sandbox(const Json& value, Limits& limits) {
    limits.sandbox = sandbox::find_enforcement(value.get<std::string>()).value();
}
Json write_sandbox(const Limits& limits) {
    return sandbox::name_of(limits.sandbox);
}

// Sorted by key.
constexpr Row<Limits> kLimits[] = {
    plain<&Limits::coerce_input>("coerceInput"),
    {"isolation", read_isolation, write_isolation},
    plain<&Limits::max_concurrent>("maxConcurrent"),
    plain<&Limits::max_input_bytes>("maxInputBytes"),
    plain<&Limits::max_output_bytes>("maxOutputBytes"),
    plain<&Limits::max_output_chars>("maxOutputChars"),
    {"rateLimit", read_rate, write_rate},
    {"sandbox", read_sandbox, write_sandbox},
    plain<&Limits::timeout_ms>("timeoutMs"),
};

using worker::WorkerLimits;
constexpr Row<WorkerLimits> kWorkers[] = {
    plain<&WorkerLimits::idle_seconds>("idleSeconds"),
    plain<&WorkerLimits::max_crashes>("maxCrashes"),
    plain<&WorkerLimits::crash_window_seconds>("crashWindowSeconds"),
    plain<&WorkerLimits::grace_ms>("graceMs"),
};

constexpr auto kNames = [] {
    std::array<std::string_view, std::size(kLimits)> names;
    std::ranges::transform(kLimits, names.begin(), &Row<Limits>::key);
    return names;
}();
static_assert(std::ranges::is_sorted(kNames));

template <class Values, std::size_t kRows>
void read(const Row<Values> (&rows)[kRows], const Json& object, Values& values) {
    for (const auto& row : rows)
        if (auto it = object.find(row.key); it != object.end()) row.read(*it, values);
}

template <class Values, std::size_t kRows>
Json write(const Row<Values> (&rows)[kRows], const Values& values) {
    Json out = Json::object();
    for (const auto& row : rows)
        if (auto value = row.write(values); !value.is_null()) out[row.key] = std::move(value);
    return out;
}

}  // namespace

std::string_view name_of(runtime::Isolation isolation) {
    return isolation == runtime::Isolation::process ? "process" : "in_process";
}

std::span<const std::string_view> limit_names() {
    return kNames;
}

bool is_limit(std::string_view name) {
    return std::ranges::binary_search(kNames, name);
}

Json built_in_values() {
    return {{"defaults", write(kLimits, Limits())},
            {"workers", write(kWorkers, WorkerLimits())},
            {"workspace", "."},
            {"userGrants", true},
            {"consent", "ask"}};
}

void read_limits(const Json& object, Limits& limits) {
    read(kLimits, object, limits);
}

WorkerLimits read_workers(const Json& object) {
    WorkerLimits workers;
    read(kWorkers, object, workers);
    return workers;
}

Consent read_consent(std::string_view word) {
    return word == "bypass" ? Consent::bypass : word == "deny" ? Consent::deny : Consent::ask;
}

}  // namespace toolhost::policy
