// The options and arguments of `call`, and the request made from them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "host/call/tool_use.hpp"
#include "host/cli/app.hpp"
#include "host/cli/input.hpp"
#include "host/cli/open_host.hpp"

namespace toolhost::cli {

struct CallOptions {
    std::string reference;
    std::vector<std::string> words;
    std::string state = "{}";
    std::vector<std::string> answers;
    std::vector<std::string> settings;  // --set
    std::string events;
    std::string batch;
    std::string timeout;  // "5000", "500ms", "30s", "2m"; empty: the profile's
    unsigned jobs = 0;    // 0: as many as there are cores
    bool sequential = false, stream = false, stats = false, yes = false;
};

void add_call_options(CLI::App& app, CallOptions& options);

// Milliseconds of "5000", "500ms", "30s" or "2m"; nothing: invalid.
[[nodiscard]] std::optional<std::int64_t> parse_timeout(std::string_view text);

// Takes --set for the tool of the call; warns of a --timeout that the profile does not allow.
[[nodiscard]] boost::system::result<void, InputFault> apply_settings(const CallOptions& options,
                                                                     core::Host& host);

// The words of the request, made a request; they are typed by the tool's own schema. A tool that
// does not resolve has none, and the call itself says so in the form that was asked for.
[[nodiscard]] boost::system::result<call::ToolUse, InputFault> make_use(
    const CallOptions& options, const registry::Catalogue& catalogue);

}  // namespace toolhost::cli
