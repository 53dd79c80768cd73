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
    std::string timeout;  // "5000", "500ms", "30s", "2m"; empty: from the profile
    unsigned jobs = 0;    // 0: one per core
    bool sequential = false, stream = false, stats = false, yes = false;
};

void add_call_options(CLI::App& app, CallOptions& options);

// Converts "5000", "500ms", "30s" or "2m" to milliseconds; nothing if invalid.
[[nodiscard]] std::optional<std::int64_t> parse_timeout(std::string_view text);

// Applies --set to the tool of the call; warns about a --timeout longer than the profile's.
[[nodiscard]] boost::system::result<void, InputFault> apply_settings(const CallOptions& options,
                                                                     core::Host& host);

// Builds the request from the words, typed by the tool's schema. For an unknown tool they are
// ignored, and the call itself reports the error in the requested form.
[[nodiscard]] boost::system::result<call::ToolUse, InputFault> make_use(
    const CallOptions& options, const registry::Catalogue& catalogue);

}  // namespace toolhost::cli
