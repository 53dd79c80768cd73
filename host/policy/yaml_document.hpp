// Parses untrusted YAML text to a JSON value with the position of each of its parts.
//
// YAML 1.2's core schema: quoted text is a string, plain text may be null, a boolean or a number.
// Features that a policy does not need are refused with their position: tags, keys that are not
// text, duplicate keys, merge keys, several documents in one file.
#pragma once

#include <boost/system/result.hpp>
#include <map>
#include <string>
#include <string_view>

#include "host/policy/place.hpp"

namespace toolhost::policy {

struct YamlDocument {
    Json value;
    std::string file;
    // Positions of values and of the keys of members, by JSON Pointer.
    std::map<std::string, Place> places, keys;

    // The nearest known position: of the value, or of what contains it.
    [[nodiscard]] Place place(std::string pointer) const;
    // The position of the key, or else of the value.
    [[nodiscard]] Place key_place(const std::string& pointer) const;
};

// Limits of a document. Every part keeps its pointer, so these limit memory; an alias counts as
// everything that it represents. The depth is the number of steps of a pointer.
inline constexpr std::size_t kMaxYamlBytes = std::size_t{1} << 20;
inline constexpr std::size_t kMaxYamlNodes = 10000;
inline constexpr std::size_t kMaxYamlDepth = 32;
inline constexpr std::size_t kMaxYamlKeyBytes = 256;

// `file` is used in messages only. Empty text is null.
[[nodiscard]] boost::system::result<YamlDocument, Fault> parse_yaml(std::string_view text,
                                                                    const std::string& file);

// "/" and the key, escaped for a JSON Pointer.
[[nodiscard]] std::string pointer_step(std::string_view key);

}  // namespace toolhost::policy
