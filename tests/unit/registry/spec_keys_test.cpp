#include "host/registry/spec_keys.hpp"

#include <algorithm>

#include "tests/unit/doc_page.hpp"
#include "tests/unit/doctest.hpp"

using namespace toolhost;
using namespace toolhost::registry;

TEST_CASE("docs/abi.md names every key of a tool, and lists no other") {
    const auto section = test::section_of("abi.md", "## The spec");
    for (const auto& key : spec_keys()) {
        if (!key.of_tool) continue;
        CAPTURE(key.name);
        CHECK(section.find('`' + std::string(key.name) + '`') != std::string::npos);
    }
    for (const auto& name : test::listed_names("abi.md", "## The spec")) {
        CAPTURE(name);
        const auto found = std::ranges::find(spec_keys(), name, &SpecKey::name);
        CHECK((found != spec_keys().end() && found->of_tool));
    }
}

TEST_CASE("a key counts only where it has an effect") {
    for (const auto& key : spec_keys()) {
        const Json spec{{std::string(key.name), 1}};
        CAPTURE(key.name);
        CHECK(check_keys(spec, Level::tool).empty());
        CHECK(check_keys(spec, Level::family).empty() == key.of_family);
        CHECK(check_keys(spec, Level::offers).empty() == (key.of_family || key.of_offers));
        CHECK(unknown_keys_of(spec).empty());
    }
    CHECK(unknown_keys_of({{"unheardOf", 1}, {"x-own", 1}}) ==
          std::vector<std::string>{"unheardOf"});
}
