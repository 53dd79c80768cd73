// Untrusted YAML text to a JSON value with the position of each of its parts.
//
// YAML 1.2's core schema: quoted text is a string, plain text may be null, a boolean or a number.
// What a policy needs none of is refused with its place: tags, keys that are no text, keys given
// twice, merge keys, several documents in one file.
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
    // By JSON Pointer: where a value stands, and where the key of an object's member stands.
    std::map<std::string, Place> places, keys;

    // The nearest known place: of the value, or of what it is in.
    [[nodiscard]] Place place(std::string pointer) const;
    // The key's, where there is one.
    [[nodiscard]] Place key_place(const std::string& pointer) const;
};

// What a document may cost. Every part keeps its pointer, so all of these bound the memory;
// an alias counts as all that it stands for. The depth is the steps of a pointer.
inline constexpr std::size_t kMaxYamlBytes = std::size_t{1} << 20;
inline constexpr std::size_t kMaxYamlNodes = 10000;
inline constexpr std::size_t kMaxYamlDepth = 32;
inline constexpr std::size_t kMaxYamlKeyBytes = 256;

// `file` is only the name for messages. Empty text is null.
[[nodiscard]] boost::system::result<YamlDocument, Fault> parse_yaml(std::string_view text,
                                                                    const std::string& file);

// "/" and the key, escaped as JSON Pointer wants it.
[[nodiscard]] std::string pointer_step(std::string_view key);

}  // namespace toolhost::policy
