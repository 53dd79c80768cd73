#include "host/registry/catalogue.hpp"

#include "tests/unit/doctest.hpp"

#include <algorithm>
#include <chrono>

using namespace toolhost;
using namespace toolhost::registry;

namespace {

struct Given {
    const char *name, *version = "1.0.0", *family = "f", *library = "/p/a.so";
    Json extra = Json::object();
};

Tool make(const Given& given) {
    Json json{{"name", given.name},
              {"version", given.version},
              {"family", given.family},
              {"description", "d"},
              {"inputSchema", Json::object()}};
    json.update(given.extra);
    auto specs = read_spec(json, "lib");
    REQUIRE(specs);
    return {(*specs)[0], std::make_shared<Library>(Library{given.library, "", 0, false}), {}, {}};
}

Catalogue make_all(std::initializer_list<Given> given) {
    std::vector<Tool> tools;
    for (const auto& one : given) tools.push_back(make(one));
    return Catalogue(std::move(tools));
}

std::string version_of(const Catalogue& catalogue, const char* reference) {
    auto tool = catalogue.resolve(reference);
    return tool ? (*tool)->spec.version.text() : std::string(info(tool.error().code).name);
}

}  // namespace

TEST_CASE("a reference without a version means the highest usable one") {
    auto catalogue = make_all({{"t", "1.0.0"},
                               {"t", "1.2.0"},
                               {"t", "2.0.0", "f", "/p/a.so", {{"deprecated", true}}},
                               {"t", "3.0.0-rc.1"}});
    CHECK(version_of(catalogue, "t") == "1.2.0");
    CHECK(version_of(catalogue, "t@^1") == "1.2.0");
    CHECK(version_of(catalogue, "t@1.0.0") == "1.0.0");
    CHECK(version_of(catalogue, "t@2") == "2.0.0");
    CHECK(version_of(catalogue, "t@>=3.0.0-rc.1") == "3.0.0-rc.1");
    CHECK(version_of(catalogue, "t@9") == "version_not_found");
    auto none = catalogue.resolve("t@9");
    CHECK(none.error().message.find("3.0.0-rc.1, 2.0.0, 1.2.0, 1.0.0") != std::string::npos);
}

TEST_CASE("deprecated or broken versions are found if there are no others") {
    auto catalogue = make_all({{"t", "1.0.0", "f", "/p/a.so", {{"deprecated", true}}}});
    CHECK(version_of(catalogue, "t") == "1.0.0");
    CHECK(version_of(make_all({{"t", "1.0.0-rc.1"}}), "t") == "1.0.0-rc.1");
}

TEST_CASE("families keep names apart") {
    auto catalogue =
        make_all({{"read", "1.0.0", "a"}, {"read", "2.0.0", "b"}, {"only", "1.0.0", "a"}});
    CHECK(version_of(catalogue, "native:a.read") == "1.0.0");
    CHECK(version_of(catalogue, "native:b.read") == "2.0.0");
    CHECK(version_of(catalogue, "read@^1") == "1.0.0");
    auto both = catalogue.resolve("read");
    REQUIRE_FALSE(both);
    CHECK(both.error().code == ErrorCode::ambiguous_tool);
    CHECK(both.error().message.find("native:a.read or native:b.read") != std::string::npos);
    auto wrong = catalogue.resolve("native:b.only");
    REQUIRE_FALSE(wrong);
    CHECK(wrong.error().message == "no tool 'only' in family 'b'; it is in a");
}

TEST_CASE("legacy module paths refer to the tool in any family") {
    auto catalogue = make_all({{"file_read", "1.0.0", "file_operations"}});
    for (const char* form : {"strands_tools.file_read", "strands_tools.file_read.file_read",
                             "strands_tools.file_operations.file_read"})
        CHECK(version_of(catalogue, form) == "1.0.0");
    CHECK(version_of(catalogue, "native:file_read.file_read") == "unknown_tool");
}

TEST_CASE("of two clashing tools the first is used and the other is shadowed") {
    auto catalogue = make_all({{"t", "1.0.0", "f", "/p/first.so"},
                               {"t", "1.0.0", "g", "/p/second.so"},
                               {"t", "1.0.0+build", "f", "/p/third.so"},
                               {"my-t", "1.0.0", "f", "/p/first.so"},
                               {"my_t", "2.0.0", "f", "/p/twin.so"}});
    CHECK(catalogue.tools().size() == 2);
    REQUIRE(catalogue.shadowed().size() == 3);
    CHECK(catalogue.shadowed()[0].by == "/p/first.so");
    CHECK(catalogue.shadowed()[0].reason == kDuplicate);
    CHECK(catalogue.shadowed()[1].reason == kDuplicate);
    CHECK(catalogue.shadowed()[2].reason == kTwin);
    CHECK(version_of(catalogue, "my_t") == "unknown_tool");
    CHECK(catalogue.resolve("my_t").error().message == "unknown tool 'my_t'; did you mean 'my-t'?");
}

TEST_CASE("requirements on unusable tools fail transitively") {
    auto requires_tool = [](const char* what, const char* range) {
        return Json{{"requires", {{what, range}}}};
    };
    auto catalogue = make_all({{"a", "1.0.0", "f", "/p", requires_tool("tool:b", "^1")},
                               {"b", "1.0.0", "f", "/p", requires_tool("tool:c", "^2")},
                               {"c", "1.0.0"},
                               {"d", "1.0.0", "f", "/p", requires_tool("tool:c", "*")},
                               {"x", "1.0.0", "f", "/p", requires_tool("tool:y", "*")},
                               {"y", "1.0.0", "f", "/p", requires_tool("tool:x", "*")}});
    auto usable = [&](const char* name) { return (*catalogue.resolve(name))->usable(); };
    CHECK_FALSE(usable("a"));
    CHECK_FALSE(usable("b"));
    CHECK(usable("c"));
    CHECK(usable("d"));
    CHECK(usable("x"));  // they require each other, and both exist
    CHECK(usable("y"));
    CHECK((*catalogue.resolve("b"))->missing_tools[0] == "tool 'c' ^2 is not usable");
}

TEST_CASE("a long chain of requirements takes linear time at every change") {
    constexpr int kLength = 20'000;
    const auto name_of = [](int i) { return "t" + std::to_string(100'000 + i); };
    std::vector<Tool> tools;
    const auto library = std::make_shared<Library>(Library{"/p/a.so", "", 0, false});
    for (int i = 0; i < kLength; ++i) {
        ToolSpec spec;
        spec.name = name_of(i);
        spec.family = "f";
        spec.requirements["tool:" + name_of(i + 1)] = "*";  // the last requirement is missing
        tools.push_back({std::move(spec), library, {}, {}});
    }
    const auto start = std::chrono::steady_clock::now();
    const Catalogue catalogue(std::move(tools));
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(5));
    CHECK(std::none_of(catalogue.tools().begin(), catalogue.tools().end(),
                       [](const Tool& tool) { return tool.usable(); }));
    CHECK(catalogue.tools().front().missing_tools.size() == 1);
}

TEST_CASE("the references of a tool are those that resolve to it") {
    auto catalogue = make_all({{"t", "1.0.0"}, {"t", "2.0.0"}});
    auto of = [&](const char* reference) {
        return catalogue.references(**catalogue.resolve(reference));
    };
    auto has = [](const std::vector<std::string>& forms, const char* form) {
        return std::find(forms.begin(), forms.end(), form) != forms.end();
    };
    CHECK(has(of("t@2.0.0"), "native:t"));
    CHECK(has(of("t@2.0.0"), "native:f.t@2.0.0"));
    CHECK_FALSE(has(of("t@1.0.0"), "native:t"));
    CHECK(has(of("t@1.0.0"), "native:t@1.0.0"));
    for (const auto& form : of("t@1.0.0")) CHECK(version_of(catalogue, form.c_str()) == "1.0.0");
}

TEST_CASE("a tool's identity is its family, name, version and content") {
    const auto identity = [](const Given& given, const char* content = "aa") {
        auto tool = make(given);
        auto library = *tool.library;
        library.identity = content;
        tool.library = std::make_shared<const Library>(std::move(library));
        return tool_identity(tool);
    };
    const auto known = identity({"t"});
    CHECK(identity({"t", "1.0.0", "f", "/elsewhere/a.so"}) == known);
    CHECK(identity({"u"}) != known);
    CHECK(identity({"t", "1.0.1"}) != known);
    CHECK(identity({"t", "1.0.0", "g"}) != known);
    CHECK(identity({"t"}, "bb") != known);
}

TEST_CASE("the order does not depend on how tools were found") {
    auto one = make_all(
        {{"b", "1.0.0", "g"}, {"a", "1.0.0", "g"}, {"c", "1.0.0", "f"}, {"a", "2.0.0", "g"}});
    std::vector<std::string> order;
    for (const auto& tool : one.tools()) order.push_back(tool.spec.name + tool.spec.version.text());
    CHECK(order == std::vector<std::string>{"c1.0.0", "a2.0.0", "a1.0.0", "b1.0.0"});
    CHECK(one.names() == std::vector<std::string>{"c", "a", "b"});
}
