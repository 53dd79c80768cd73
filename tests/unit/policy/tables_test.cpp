// The tables of this room against the pages that describe them.
#include <algorithm>

#include "host/policy/embedded.hpp"
#include "host/policy/grants.hpp"
#include "host/policy/profile.hpp"
#include "tests/unit/doc_page.hpp"
#include "tests/unit/doctest.hpp"

using namespace toolhost;
using namespace toolhost::policy;
using test::listed_names;

namespace {

Json schema_of(const char* name) {
    return Json::parse(schema_text(name));
}

// "limits.memoryMb" for what has keys of its own, "name" for what has none.
std::set<std::string> documented_keys(const Json& schema) {
    std::set<std::string> out;
    for (const auto& [key, value] : schema.at("properties").items()) {
        if (!value.contains("properties")) {
            out.insert(key);
            continue;
        }
        for (const auto& [inner, ignored] : value.at("properties").items())
            out.insert(key + '.' + inner);
    }
    return out;
}

}  // namespace

TEST_CASE("docs/policies.md lists exactly the keys of a profile and the general limits") {
    auto known = documented_keys(schema_of("profile.schema.json"));
    known.insert(limit_names().begin(), limit_names().end());
    CHECK(test::difference(listed_names("policies.md", "## Keys of a profile"), known) == "");
}

TEST_CASE("docs/policies.md lists exactly the keys of the config file") {
    CHECK(test::difference(listed_names("policies.md", "## The config file"),
                           documented_keys(schema_of("config.schema.json"))) == "");
}

TEST_CASE("docs/policies.md lists exactly the words of a grant") {
    std::set<std::string> known;
    for (const auto& row : grant_table()) {
        known.emplace(row.name);
        if (!row.argument.empty())
            known.insert(std::string(row.name) + '=' + std::string(row.argument));
    }
    CHECK(test::difference(listed_names("policies.md", "## Grants"), known) == "");
}

TEST_CASE("the schema of a profile has exactly the limits that are read") {
    std::set<std::string> known(limit_names().begin(), limit_names().end()), in_schema;
    const auto schema = schema_of("profile.schema.json");
    for (const auto& [key, ignored] : schema.at("/$defs/limits/properties"_json_pointer).items())
        in_schema.insert(key);
    CHECK(in_schema == known);
}

TEST_CASE("built-in values are keys of a profile") {
    const auto keys = profile_keys();
    const auto values = built_in_values();
    for (auto it = values.begin(); it != values.end(); ++it) {
        CAPTURE(it.key());
        CHECK(std::ranges::find(keys, it.key()) != keys.end());
    }
}
