// What a tool may reach beyond reading the workspace: granted by name, opened only where the tool's
// spec asks for it.
//
// A grant is one word of a `grants` list, in a profile or in the user's config file:
//   grants:
//     weather: [network]
//     "notes_*": [write=/home/me/notes]
//     reporter: [tools=http_request]        # may call that tool, which has grants of its own
//     "shipped:http_request": [network]     # only the library that ships, not one named alike
//     "shipped:git": [none]                 # nothing of what the profiles it extends grant there
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

// none, the first word of a list: what profiles it extends grant under that key does not count.
enum class GrantKind { network, exec, write, tools, none };

struct Granted;
struct GrantWord;

struct GrantInfo {
    GrantKind kind;
    std::string_view name;
    bool registry::Needs::*need = nullptr;  // what a spec must request for it; null: not one flag
    bool Granted::*opens = nullptr;         // what the word opens alone; null: nothing
    // NAME=ARGUMENT narrows it. Without an argument the rest is null.
    std::string_view argument{};                             // "PATH"
    std::string GrantWord::*value = nullptr;                 // where a word has it
    std::string (*fault)(std::string_view value) = nullptr;  // a sentence; empty: a valid argument
    void (*open)(Granted& out, const std::string& value) = nullptr;
    bool is_folder = false;  // the shell completes it
};

// Every kind, in the order of the enumeration.
[[nodiscard]] std::span<const GrantInfo> grant_table();
[[nodiscard]] const GrantInfo& info(GrantKind kind);
// All words that a user can grant, for messages and help: "network, exec, write, write=PATH, ...".
[[nodiscard]] std::string grant_words();

struct GrantWord {
    GrantKind kind = GrantKind::network;
    std::string path;  // of write=PATH, absolute or meant from the workspace; empty: all of that
    std::string tool = {};  // of tools=PATTERN, the key of the tools called; empty: all declared

    // The error is a whole sentence, with what is allowed.
    [[nodiscard]] static boost::system::result<GrantWord, std::string> parse(std::string_view text);
    [[nodiscard]] std::string text() const;
    bool operator==(const GrantWord&) const = default;
};

// The key of a `grants` list: a tool pattern, which `shipped:` binds to the libraries that ship.
struct GrantKey {
    ToolPattern pattern;
    std::string text;
    bool shipped_only = false;

    [[nodiscard]] static boost::system::result<GrantKey, std::string> parse(std::string_view text);
    // `shipped`: the tool's library is one of the shipped plugin folder.
    [[nodiscard]] bool names(const registry::ToolSpec& spec, bool shipped) const {
        return (shipped || !shipped_only) && pattern.matches(spec);
    }
};

struct Grant {
    GrantKey key;
    GrantWord word;
    Place place;  // of the word
};

// What one tool may do: asked for by its spec, and granted.
struct Granted {
    bool network = false, exec = false;
    bool read = false;                     // the workspace
    bool write = false;                    // all of the workspace
    std::vector<std::string> write_paths;  // as written: absolute, or meant from the workspace
    // Asked for and not granted: "network", "exec", "write". Without what is in `missing` the tool
    // is not run; what its spec calls optional is in `missing_optional`.
    std::vector<std::string> missing, missing_optional;
    bool all_tools = false;       // may call every tool that its spec declares
    std::vector<GrantKey> tools;  // or those of them that these name

    // Whether the grants let it call that tool; whether it declares it is another question.
    [[nodiscard]] bool may_call(const registry::ToolSpec& called, bool shipped) const;
};

// The grants of several lists (the profile's, the user's), for one tool.
[[nodiscard]] Granted granted(const registry::ToolSpec& spec, bool shipped,
                              const std::vector<const std::vector<Grant>*>& lists);

// The command that gives what is missing: "toolhost grant weather network".
[[nodiscard]] std::string grant_advice(std::string_view tool, std::string_view missing);

// What is wrong with the keys and words of `grants` in a document that fits its schema otherwise.
[[nodiscard]] std::vector<Fault> check_grants(const YamlDocument& document);
// A checked `grants` object, key by key. `place` says where the word at a JSON Pointer stands.
[[nodiscard]] std::vector<Grant> read_grants(
    const Json& document, const std::function<Place(const std::string& pointer)>& place);

}  // namespace toolhost::policy
