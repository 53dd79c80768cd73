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

// Why a tool was not created. `reason` is already_exists, policy_invalid, or why its spec is
// refused: a code of discovery/reason.hpp.
struct CreateFault {
    std::string reason;
    std::string message;
};
using CreateResult = boost::system::result<void, CreateFault>;

inline constexpr std::string_view kCreatedFamily = "embedder";  // of a spec without one

// A tool from its spec, which describes exactly one. Its identity is the spec's digest.
[[nodiscard]] boost::system::result<registry::Tool, CreateFault> read_created_tool(
    std::string_view spec, std::shared_ptr<loading::LocalCode> code);

// Whether a tool has that name, or its hyphen and underscore variant, in any family.
[[nodiscard]] std::optional<CreateFault> find_clash(const registry::Draft& tools,
                                                    const registry::ToolSpec& spec);

}  // namespace toolhost::core
