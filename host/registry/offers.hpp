// What a library offers beside tools: resources, resource templates and prompts, in the same spec.
//
// Each kind is answered for by a hidden tool of a reserved name. Such a name has a '/', which no
// reference can have: hidden tools are not listed, and can be reached through an offer only.
#pragma once

#include <string_view>
#include <vector>

#include "host/registry/tool_spec.hpp"

namespace toolhost::registry {

class Catalogue;
struct Tool;

inline constexpr std::string_view kReadResource = "resources/read";
inline constexpr std::string_view kGetPrompt = "prompts/get";
inline constexpr std::string_view kComplete = "completion/complete";

// Whether the document has any of them.
[[nodiscard]] bool has_offers(const Json& document);

// Checks what the document offers and takes it out of it. What comes back are the specs of the
// hidden tools, each with the lists it answers for.
[[nodiscard]] boost::system::result<std::vector<Json>, SpecFault> take_offers(Json& document);

// The entries of a kind ("resources", "resourceTemplates", "prompts") that a hidden tool answers
// for; empty: none.
[[nodiscard]] const Json& offered(const Tool& hidden, std::string_view kind);

// What a library offers, for people: {"resources": [uris], "resourceTemplates": [...], "prompts":
// [names]}, of each kind that there is; null: nothing.
[[nodiscard]] Json offers_of(const Catalogue& catalogue, std::string_view library);

// Of two libraries that offer the same uri or prompt the first is asked. A sentence for each that
// is not. Reads the offers of every library.
[[nodiscard]] std::vector<std::string> clashing_offers(const Catalogue& catalogue);

}  // namespace toolhost::registry
