#include "host/registry/offers.hpp"

#include "host/registry/catalogue.hpp"
#include "tests/unit/doctest.hpp"

using namespace toolhost;
using namespace toolhost::registry;

namespace {

const Json kTool{{"name", "t"}, {"description", "d"}, {"inputSchema", {{"type", "object"}}}};
const Json kNote{{"uri", "notes://today"}, {"name", "today"}};
const Json kNotes{{"uriTemplate", "notes://{day}"}, {"name", "notes"}};
const Json kReview{{"name", "review"},
                   {"arguments", {{{"name", "file"}, {"required", true}}, {{"name", "style"}}}}};

std::vector<Tool> library(const char* path, const Json& spec) {
    auto specs = read_spec(spec, "lib");
    REQUIRE(specs);
    auto made = std::make_shared<Library>();
    made->path = path;
    std::vector<Tool> tools;
    for (auto& one : *specs) tools.push_back({std::move(one), made, {}, {}});
    return tools;
}

}  // namespace

TEST_CASE("hidden tools serve the offers of a library") {
    auto specs = read_spec({{"family", "fam"},
                            {"tools", {kTool}},
                            {"resources", {kNote}},
                            {"resourceTemplates", {kNotes}},
                            {"prompts", {kReview}},
                            {"version", "2.0.0"},
                            {"timeoutMs", 500},
                            {"needs", {{"network", true}}},
                            {"requires", {{"env:A", "*"}}}},
                           "lib");
    REQUIRE(specs);
    REQUIRE(specs->size() == 4);
    CHECK_FALSE((*specs)[0].hidden());
    CHECK((*specs)[0].label() == "t");
    CHECK((*specs)[0].version.text() == "1.0.0");
    CHECK_FALSE((*specs)[0].json().contains("resources"));
    const auto& reader = (*specs)[1];
    CHECK(reader.name == kReadResource);
    CHECK(reader.hidden());
    CHECK(reader.label() == "fam.resources/read");
    CHECK(reader.json()["resources"] == Json::array({kNote}));
    CHECK(reader.json()["resourceTemplates"] == Json::array({kNotes}));
    CHECK(reader.version.text() == "2.0.0");
    CHECK(reader.timeout_ms == 500);
    CHECK(reader.needs.network);
    CHECK(reader.requirements.at("env:A") == "*");
    CHECK((*specs)[2].name == kGetPrompt);
    CHECK((*specs)[2].json()["prompts"] == Json::array({kReview}));
    CHECK((*specs)[3].name == kComplete);
}

TEST_CASE("offers may accompany one tool, or be alone") {
    Json one = kTool;
    one["resources"] = Json::array({kNote});
    auto beside = read_spec(one, "lib");
    REQUIRE(beside);
    REQUIRE(beside->size() == 2);
    CHECK_FALSE((*beside)[0].json().contains("resources"));
    CHECK((*beside)[1].label() == "lib.resources/read");

    auto alone = read_spec({{"family", "fam"}, {"prompts", {kReview}}}, "lib");
    REQUIRE(alone);
    REQUIRE(alone->size() == 2);
    CHECK((*alone)[0].family == "fam");
    CHECK(read_spec({{"tools", Json::array()}, {"resources", {kNote}}}, "lib")->size() == 1);
    CHECK_FALSE(read_spec({{"tools", Json::array()}, {"resources", Json::array()}}, "lib"));
    CHECK(read_spec({{"resources", Json::array()}}, "lib").error().reason == "name_missing");
}

TEST_CASE("an invalid offer is refused with its position") {
    struct Row {
        Json spec;
        const char* where;
    };
    const auto templates = [](const char* text) {
        return Json{{"resourceTemplates", {{{"uriTemplate", text}, {"name", "n"}}}}};
    };
    const auto arguments = [](Json list) {
        return Json{{"prompts", {{{"name", "p"}, {"arguments", std::move(list)}}}}};
    };
    const auto only = [](Json entry) { return Json{{"resources", {std::move(entry)}}}; };
    const Row rows[] = {
        {{{"resources", 1}}, "/resources must be an array"},
        {{{"prompts", {1}}}, "/prompts/0 must be an object"},
        {only({{"name", "n"}}), "/resources/0: missing required field \"uri\""},
        {only({{"uri", "a:b"}}), "/resources/0: missing required field \"name\""},
        {only({{"uri", ""}, {"name", "n"}}), "/resources/0/uri must be a non-empty string"},
        {only({{"uri", "a:b"}, {"name", 1}}), "/resources/0/name must be a non-empty string"},
        {only({{"uri", "no-scheme"}, {"name", "n"}}), "/resources/0/uri must be a uri"},
        {only({{"uri", "a: b"}, {"name", "n"}}), "/resources/0/uri must be a uri"},
        {only({{"uri", "toolhost://x"}, {"name", "n"}}), "/resources/0/uri uses a scheme reserved"},
        {only({{"uri", "a:b"}, {"name", "n"}, {"mimeType", 1}}), "/resources/0/mimeType"},
        {{{"resources", {kNote, kNote}}}, "/resources/1/uri is a duplicate"},
        {templates("a:b"), "/resourceTemplates/0/uriTemplate must have a {variable}"},
        {templates("a:{"), "must have a {variable}"},
        {templates("a:{}"), "must have a {variable}"},
        {templates("a:{x}}"), "must have a {variable}"},
        {templates("a:{x{y}}"), "must have a {variable}"},
        {arguments(1), "/prompts/0/arguments must be an array"},
        {arguments({1}), "/prompts/0/arguments/0 must be an object"},
        {arguments({{{"description", "d"}}}),
         "/prompts/0/arguments/0: missing required field \"name\""},
        {arguments({{{"name", "a"}, {"required", 1}}}), "/prompts/0/arguments/0/required"},
        {arguments({{{"name", "a"}}, {{"name", "a"}}}),
         "/prompts/0/arguments/1/name is a duplicate"},
    };
    for (const auto& row : rows) {
        CAPTURE(row.spec.dump());
        auto specs = read_spec(row.spec, "lib");
        REQUIRE_FALSE(specs);
        CHECK(specs.error().reason == "offer_invalid");
        CAPTURE(specs.error().message);
        CHECK(specs.error().message.find(row.where) != std::string::npos);
    }
    // Properties of all offers are checked like a tool's.
    auto needs = read_spec({{"resources", {kNote}}, {"needs", 1}}, "lib");
    REQUIRE_FALSE(needs);
    CHECK(needs.error().reason == "spec_invalid");
    CHECK(needs.error().message.starts_with("/needs"));
}

TEST_CASE("hidden tools are not listed and cannot be referenced") {
    const Catalogue catalogue(
        library("/b.so", {{"family", "fam"}, {"tools", {kTool}}, {"resources", {kNote}}}));
    CHECK(catalogue.tools().size() == 1);
    CHECK(catalogue.hidden().size() == 1);
    CHECK(catalogue.all().size() == 2);
    CHECK(catalogue.names() == std::vector<std::string>{"t"});
    for (const char* reference : {"resources/read", "native:fam.resources/read",
                                  "native:resources/read@1.0.0", "strands_tools.resources/read"})
        CHECK(catalogue.resolve(reference).error().code == ErrorCode::unknown_tool);
    CHECK(catalogue.find_hidden("/b.so", kReadResource) == &catalogue.hidden()[0]);
    CHECK(catalogue.find_hidden("/b.so", kGetPrompt) == nullptr);
    CHECK(catalogue.find_hidden("/c.so", kReadResource) == nullptr);
}

TEST_CASE("if two libraries offer the same, the second is reported as shadowed") {
    const Json offers{
        {"resources", {kNote}}, {"resourceTemplates", {kNotes}}, {"prompts", {kReview}}};
    auto found = library("/b.so", offers);
    for (auto& tool : library("/a.so", offers)) found.push_back(std::move(tool));
    const Catalogue catalogue(std::move(found));
    CHECK(catalogue.hidden().size() == 6);
    CHECK(offers_of(catalogue, "/b.so") == Json{{"resources", {"notes://today"}},
                                                {"resourceTemplates", {"notes://{day}"}},
                                                {"prompts", {"review"}}});
    CHECK(offers_of(catalogue, "/c.so").is_null());
    CHECK(catalogue.shadowed().empty());
    CHECK(
        clashing_offers(catalogue) ==
        std::vector<std::string>{"resources 'notes://today' of /a.so is shadowed by /b.so",
                                 "resourceTemplates 'notes://{day}' of /a.so is shadowed by /b.so",
                                 "prompts 'review' of /a.so is shadowed by /b.so"});
}
