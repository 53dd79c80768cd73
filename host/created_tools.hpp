// Tools that the embedding program creates at run time (Host::create_tool).
#pragma once

#include <boost/system/result.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "host/loading/local_code.hpp"
#include "host/registry/registry.hpp"

namespace toolhost::core {

// Why a tool was not created. `reason` is already_exists, policy_invalid, or a code of
// discovery/reason.hpp for an invalid spec.
struct CreateFault {
    std::string reason;
    std::string message;
};
using CreateResult = boost::system::result<void, CreateFault>;

inline constexpr std::string_view kCreatedFamily = "embedder";  // default family

// Creates a tool from a spec, which must describe exactly one. Its identity is the spec's digest.
[[nodiscard]] boost::system::result<registry::Tool, CreateFault> read_created_tool(
    std::string_view spec, std::shared_ptr<loading::LocalCode> code);

// Finds a tool with that name, or its hyphen and underscore variant, in any family.
[[nodiscard]] std::optional<CreateFault> find_clash(const registry::Draft& tools,
                                                    const registry::ToolSpec& spec);

}  // namespace toolhost::core
