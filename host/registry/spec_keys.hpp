// The keys that a spec may have. A misspelled key must be refused: a tool with "requireConsent"
// would run without consent.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "host/base/error.hpp"

namespace toolhost::registry {

struct SpecKey {
    std::string_view name;
    bool of_tool = false;    // in the spec of a tool
    bool of_family = false;  // beside "tools"
    bool of_offers = false;  // beside "tools", for what the library offers besides
};
// Every key that has a meaning.
[[nodiscard]] std::span<const SpecKey> spec_keys();

enum class Level {
    tool,    // one tool
    family,  // {"family": ..., "tools": [...]}
    offers,  // the same with resources or prompts, to which `needs` and others apply
};

// Returns the first problem with the keys of a spec as a sentence, or an empty string. A misspelled
// key and a key without effect at its place are problems; other unknown keys are kept.
[[nodiscard]] std::string check_keys(const Json& spec, Level level);

// The same for one key of `needs`, where every unknown key is refused.
[[nodiscard]] std::string check_need(std::string_view key);

// Keys that the host does not read, without those that start with x-.
[[nodiscard]] std::vector<std::string> unknown_keys_of(const Json& spec);

}  // namespace toolhost::registry
