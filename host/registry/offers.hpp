// Offers of a library beside tools: resources, resource templates and prompts, in the same spec.
//
// Each kind is implemented by a hidden tool with a reserved name. The name contains a '/', which no
// reference can contain: hidden tools are not listed, and are called only through an offer.
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

// Whether the document has offers.
[[nodiscard]] bool has_offers(const Json& document);

// Checks the offers and removes them from the document. Returns the specs of the hidden tools, each
// with the lists that it serves.
[[nodiscard]] boost::system::result<std::vector<Json>, SpecFault> take_offers(Json& document);

// The entries of a kind ("resources", "resourceTemplates", "prompts") that a hidden tool serves.
[[nodiscard]] const Json& offered(const Tool& hidden, std::string_view kind);

// The offers of a library, for display: {"resources": [uris], "resourceTemplates": [...],
// "prompts": [names]} without empty kinds, or null.
[[nodiscard]] Json offers_of(const Catalogue& catalogue, std::string_view library);

// If two libraries offer the same URI or prompt, the first one is used. Returns a sentence for each
// that is not. Parses the offers of every library.
[[nodiscard]] std::vector<std::string> clashing_offers(const Catalogue& catalogue);

}  // namespace toolhost::registry
