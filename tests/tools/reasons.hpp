// Compares the denial reasons in a tool's spec with those that a test has seen: finds reasons
// without a test, and reasons that the spec, and so the tool's page, lacks.
#pragma once

#include <doctest/doctest.h>

#include <set>
#include <string>

#include "tests/integration/harness.hpp"

namespace toolhost::test {

inline void check_reasons(const std::string& tool, const std::set<std::string>& seen) {
    const Stage stage;
    const auto run = stage.run({"show", tool, "--json", "--only-plugins", TOOLHOST_SHIPPED},
                               {.name_plugins = false});
    CAPTURE(tool);
    std::set<std::string> named;
    const Json shown = run.json();
    const Json reasons = shown.value("/spec/denialReasons"_json_pointer, Json::object());
    for (const auto& entry : reasons.items()) named.insert(entry.key());
    CHECK(seen == named);
}

}  // namespace toolhost::test
