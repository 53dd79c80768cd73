// Grants: what a tool may access beyond reading the workspace. A grant takes effect only if the
// tool's spec requests it.
//
// A grant is one word of a `grants` list, in a profile or in the user's config file:
//   grants:
//     weather: [network]
//     "notes_*": [write=/home/me/notes]
//     reporter: [tools=http_request]        # may call that tool, which has grants of its own
//     "shipped:http_request": [network]     # only the shipped library, not another with its name
//     "shipped:git": [none]                 # drops the grants of extended profiles
#pragma once

#include <boost/system/result.hpp>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "host/policy/tool_pattern.hpp"
#include "host/policy/yaml_document.hpp"

namespace toolhost::policy {

// `none`, the first word of a list, drops what extended profiles grant under the same key.
enum class GrantKind { network, exec, write, tools, none };

struct Granted;
struct GrantWord;

struct GrantInfo {
    GrantKind kind;
    std::string_view name;
    bool registry::Needs::*need = nullptr;  // the need that the spec must have; null if not a flag
    bool Granted::*opens = nullptr;         // set by the word without an argument; null for none
    // The rest describes NAME=ARGUMENT, a narrower grant, and is null without it.
    std::string_view argument{};                             // "PATH"
    std::string GrantWord::*value = nullptr;                 // the member that holds the argument
    std::string (*fault)(std::string_view value) = nullptr;  // returns a sentence, or "" if valid
    void (*open)(Granted& out, const std::string& value) = nullptr;
    bool is_folder = false;  // for shell completion
};

// All kinds, in the order of the enumeration.
[[nodiscard]] std::span<const GrantInfo> grant_table();
[[nodiscard]] const GrantInfo& info(GrantKind kind);
// All words that a user can grant, for messages and help: "network, exec, write, write=PATH, ...".
[[nodiscard]] std::string grant_words();

struct GrantWord {
    GrantKind kind = GrantKind::network;
    std::string path;  // of write=PATH: absolute or relative to the workspace; empty for all of it
    std::string tool = {};  // of tools=PATTERN: tools that may be called; empty for all declared

    // The error is a complete sentence that names the allowed words.
    [[nodiscard]] static boost::system::result<GrantWord, std::string> parse(std::string_view text);
    [[nodiscard]] std::string text() const;
    bool operator==(const GrantWord&) const = default;
};

// The key of a `grants` list: a tool pattern, limited to shipped libraries by `shipped:`.
struct GrantKey {
    ToolPattern pattern;
    std::string text;
    bool shipped_only = false;

    [[nodiscard]] static boost::system::result<GrantKey, std::string> parse(std::string_view text);
    // `shipped`: the tool's library is in the shipped plugin folder.
    [[nodiscard]] bool names(const registry::ToolSpec& spec, bool shipped) const {
        return (shipped || !shipped_only) && pattern.matches(spec);
    }
};

struct Grant {
    GrantKey key;
    GrantWord word;
    Place place;  // of the word
};

// What one tool may access: requested by its spec, and granted.
struct Granted {
    bool network = false, exec = false;
    bool read = false;                     // the workspace
    bool write = false;                    // all of the workspace
    std::vector<std::string> write_paths;  // as written: absolute, or relative to the workspace
    // Requested but not granted: "network", "exec", "write". The tool is not run if `missing` is
    // not empty; needs that its spec lists as optional are in `missing_optional`.
    std::vector<std::string> missing, missing_optional;
    bool all_tools = false;       // may call every tool that its spec declares
    std::vector<GrantKey> tools;  // otherwise those of them that match

    // Whether the grants allow the call; whether the spec declares it is not checked here.
    [[nodiscard]] bool may_call(const registry::ToolSpec& called, bool shipped) const;
};

// Combines the grants of several lists (the profile's, the user's) for one tool.
[[nodiscard]] Granted granted(const registry::ToolSpec& spec, bool shipped,
                              const std::vector<const std::vector<Grant>*>& lists);

// The command that adds the missing grant: "toolhost grant weather network".
[[nodiscard]] std::string grant_advice(std::string_view tool, std::string_view missing);

// The errors in keys and words of `grants` in a document that is valid against its schema.
[[nodiscard]] std::vector<Fault> check_grants(const YamlDocument& document);
// Reads a checked `grants` object. `place` returns the position of the word at a JSON Pointer.
[[nodiscard]] std::vector<Grant> read_grants(
    const Json& document, const std::function<Place(const std::string& pointer)>& place);

}  // namespace toolhost::policy
