// Tools that the embedding program creates at run time (Host::create_tool).
#pragma once

#include <boost/system/result.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "host/base/mutex.hpp"
#include "host/discovery/scan.hpp"
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

// The created tools that a registry has. They come before all others in its catalogue.
class CreatedTools {
public:
    explicit CreatedTools(registry::Registry& registry) : registry_(registry) {}

    // Refused if a tool has that name, or its hyphen and underscore variant, in any family.
    [[nodiscard]] CreateResult add(registry::Tool tool);
    // Takes a tool out of the registry and returns it; empty: no such tool was created. Its last
    // owner runs code of the embedder, and must therefore hold no lock of the host.
    [[nodiscard]] registry::Draft remove(std::string_view name);
    // The first tools of a new draft, with their requirements checked anew. Within
    // registry::Registry::change() only, as changes of this are.
    [[nodiscard]] registry::Draft begin_draft(const discovery::ScanOptions& scan);

private:
    registry::Registry& registry_;
    Mutex mutex_;
    registry::Draft tools_ GUARDED_BY(mutex_);
};

}  // namespace toolhost::core
