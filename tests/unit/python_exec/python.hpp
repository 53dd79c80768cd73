// Runs Python code in a temporary folder, one call after the other.
#pragma once

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "interpreter/run.hpp"
#include "tests/unit/shell/workspace.hpp"

namespace python_exec::test {

using namespace std::chrono_literals;
using nlohmann::json;

struct Python {
    shell_test::Workspace workspace, scratch;
    Bounds bounds{20s, 4000, 4, 100'000, 1'000'000, std::size_t{512} << 20};
    Watcher watcher;
    std::string interpreter = "/usr/bin/python3";
    std::string state;
    std::filesystem::path folder = workspace.path;

    CodeEnd run(const std::string& code, const std::string& input = "null", bool keep = false) {
        auto end = python_exec::run(
            {code, input, keep ? state : "", keep}, bounds,
            {interpreter, folder, scratch.path, {"PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8"}}, watcher);
        if (keep) state = end.state;
        return end;
    }
    json report(const std::string& code, const std::string& input = "null", bool keep = false) {
        const auto end = run(code, input, keep);
        CAPTURE(end.out);
        CAPTURE(end.err);
        CAPTURE(end.problem);
        CHECK(end.outcome == Outcome::finished);
        auto report = json::parse(end.report, nullptr, false);
        CHECK(report.is_object());
        return report;
    }
    std::string value(const std::string& code, const std::string& input = "null") {
        const auto report = this->report(code, input);
        CAPTURE(report.dump());
        if (!report.contains("value")) return "none";
        const auto& value = report["value"];
        return value.contains("json") ? value["json"].get<std::string>()
                                      : "repr " + value["repr"].get<std::string>();
    }
    std::string kept(const std::string& code) {
        const auto report = this->report(code, "null", true);
        return report.contains("value") ? report["value"].begin()->get<std::string>()
                                        : report.value("traceback", "none");
    }
    std::string traceback(const std::string& code) {
        return report(code).value("traceback", "no traceback");
    }
};

}  // namespace python_exec::test
