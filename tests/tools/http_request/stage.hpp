// http_request through the real program, with a profile of the test.
#pragma once

#include "tests/integration/harness.hpp"
#include "tests/tools/http_request/server.hpp"

namespace toolhost::test {

struct HttpProfile {
    // The tool's own policy as YAML. The tests' servers are at 127.0.0.1.
    std::string policy = "private_addresses: [127.0.0.1]";
    std::string isolation = "process";
    std::string more{};  // additional lines of the profile
};

class HttpStage {
public:
    HttpStage();

    [[nodiscard]] fs::path workspace() const { return stage_.root() / "workspace"; }
    [[nodiscard]] const Stage& stage() const { return stage_; }
    [[nodiscard]] fs::path write_profile(const HttpProfile& terms) const;

    // Runs all of them in order in one host; returns the results in order.
    [[nodiscard]] std::vector<Json> calls(const std::vector<Json>& inputs,
                                          const HttpProfile& terms = {},
                                          const Options& options = {}) const;
    [[nodiscard]] Json call(const Json& input, const HttpProfile& terms = {},
                            const Options& options = {}) const;
    // The lines of --stream: emitted events, then the result.
    [[nodiscard]] std::vector<Json> stream(const Json& input, const HttpProfile& terms = {}) const;

private:
    Stage stage_;
};

inline constexpr const char* kIsolations[] = {"process", "in_process"};

[[nodiscard]] Json get(const std::string& url, Json more = Json::object());
// The result's error code, or the reason of a denial; empty for a success.
[[nodiscard]] std::string ending(const Json& result);
[[nodiscard]] std::string message(const Json& result);
// The JSON block; and all text blocks, one line each.
[[nodiscard]] Json output(const Json& result);
[[nodiscard]] std::string texts(const Json& result);
// The first block of that kind; null if missing.
[[nodiscard]] Json block(const Json& result, const std::string& kind);

}  // namespace toolhost::test
