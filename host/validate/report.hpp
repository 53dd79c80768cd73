// The result of a validation: one result per check, as values, JSON or JUnit XML.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "host/base/error.hpp"

namespace toolhost::validate {

enum class Verdict { pass, skip, warn, fail };
[[nodiscard]] std::string_view name_of(Verdict verdict);

struct Problem {
    Verdict verdict = Verdict::fail;
    std::string tool;  // empty: concerns the library
    std::string message;
};

struct CheckResult {
    std::string id, what;
    std::vector<Problem> problems;
    std::size_t judged = 0;  // number of tools, fields or calls that were checked
    std::chrono::milliseconds took{};

    // That of the worst problem; without problems `skip` if nothing could be judged.
    [[nodiscard]] Verdict verdict() const;

    void fail(std::string tool, std::string message);
    void warn(std::string tool, std::string message);
    void skip(std::string tool, std::string reason);
};

struct Report {
    std::string plugin;  // path of the library
    std::vector<CheckResult> checks;

    [[nodiscard]] std::size_t count(Verdict verdict) const;
};

// {"plugin", "checks": [{"id", "what", "verdict", "judged", "ms", "problems"}], "failed", ...}
[[nodiscard]] Json to_json(const Report& report);
// One <testsuite> per plugin, one <testcase> per check; warnings go to <system-out>.
[[nodiscard]] std::string to_junit(const std::vector<Report>& reports);

}  // namespace toolhost::validate
