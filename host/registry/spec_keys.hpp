// The keys that a spec may have. A typo in one that matters must not pass: a tool with
// "requireConsent" would run without consent.
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
    offers,  // the same with resources or prompts beside the tools, which `needs` and such hold for
};

// What is wrong with the keys of a spec, as a sentence; empty: nothing. A near miss of a known key
// is wrong, and so is a key that has no effect where it stands. Other unknown keys are kept.
[[nodiscard]] std::string check_keys(const Json& spec, Level level);

// The same for one key of `needs`, where every unknown key is wrong.
[[nodiscard]] std::string check_need(std::string_view key);

// Keys that no host's field is read from, those that start with x- left out.
[[nodiscard]] std::vector<std::string> unknown_keys_of(const Json& spec);

}  // namespace toolhost::registry
