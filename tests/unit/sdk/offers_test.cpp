// Resources and prompts beside tools, requested through the ABI as by a host.
#include <doctest/doctest.h>

#include <map>
#include <string>
#include <toolhost/plugin.hpp>

#include "fake_host.hpp"

using nlohmann::json;
using toolhost::Completing;
using toolhost::Context;
using toolhost::Library;
using toolhost::Messages;
using toolhost::Resource;
using toolhost::ResourceUri;

namespace {

struct Review {
    std::string file;
    std::optional<std::string> style;
};

struct Answer {
    tool_status status;
    tool_call call;
};

Answer ask(const Library& library, const char* tool, const json& input) {
    fake::Request request;
    request.tool = tool;
    request.input = input.dump();
    const tool_request abi = request.abi();
    const tool_host host = fake::host();
    Answer asked{};
    asked.status = toolhost::detail::invoke_guarded(library, &abi, &host, &asked.call);
    return asked;
}

json content(const Library& library, const char* tool, const json& input) {
    const auto asked = ask(library, tool, input);
    REQUIRE(asked.status == TOOL_OK);
    return asked.call.content();
}

json spec_of(const Library& library) {
    return json::parse(toolhost::detail::view(library.spec()->json));
}

Library make_notes() {
    return Library(
        toolhost::family("notes"), toolhost::offers().needs({.network = true}).timeout_ms(500),
        toolhost::tool("t", "A tool.", [] { return 1; }),
        toolhost::resource("notes://today", "today")
            .title("Today")
            .mime_type("text/plain")
            .read([] { return "sunny"; }),
        toolhost::resource("notes://picture", "picture").read([](const std::string& uri) {
            return Resource::blob(uri, "\xff", "image/png");
        }),
        toolhost::resource_template("notes://{day}/{+rest}", "notes")
            .description("of a day")
            .read([](Context& context, const ResourceUri& asked) {
                if (asked["day"] == "never") throw toolhost::ToolError("not_found", "no such day");
                return std::vector{
                    Resource::text(asked.uri, asked["day"] + '|' + asked["rest"] + asked["other"]),
                    Resource::text("notes://use", std::string(context.use_id()))};
            })
            .complete("day", {"monday", "mild", "tuesday"}),
        toolhost::prompt("review", "Reviews a file.")
            .argument("file", "which one", true)
            .argument("style")
            .complete(
                "file",
                [](const Completing& so_far) {
                    return std::vector{so_far.value + ".c", so_far.arguments.at("style") + ".h"};
                })
            .get([](const Review& in) { return "Review " + in.file; }),
        toolhost::prompt("talk", "Talks.").get([](Context&, const json& in) {
            return Messages()
                .user("Look: " + in.dump())
                .user(toolhost::MessageContent::image("image/png", "\xff"))
                .assistant(Resource::text("a:b", "text"));
        }));
}

}  // namespace

TEST_CASE("a library's spec contains its offers and their settings") {
    const Library notes = make_notes();
    const json spec = spec_of(notes);
    CHECK(spec["family"] == "notes");
    CHECK(spec["tools"].size() == 1);
    CHECK(spec["needs"]["network"] == true);
    CHECK(spec["timeoutMs"] == 500);
    CHECK(spec["resources"] == json{{{"uri", "notes://today"},
                                     {"name", "today"},
                                     {"title", "Today"},
                                     {"mimeType", "text/plain"}},
                                    {{"uri", "notes://picture"}, {"name", "picture"}}});
    CHECK(spec["resourceTemplates"] == json{{{"uriTemplate", "notes://{day}/{+rest}"},
                                             {"name", "notes"},
                                             {"description", "of a day"}}});
    CHECK(spec["prompts"][0] ==
          json{{"name", "review"},
               {"description", "Reviews a file."},
               {"arguments",
                {{{"name", "file"}, {"description", "which one"}, {"required", true}},
                 {{"name", "style"}}}}});
    CHECK_FALSE(spec["prompts"][1].contains("arguments"));
}

TEST_CASE("a resource is read by its uri") {
    const Library notes = make_notes();
    CHECK(content(notes, TOOL_RESOURCES_READ, {{"uri", "notes://today"}}) ==
          json{{{"resource",
                 {{"uri", "notes://today"}, {"text", "sunny"}, {"mimeType", "text/plain"}}}}});
    CHECK(content(notes, TOOL_RESOURCES_READ, {{"uri", "notes://picture"}}) ==
          json{{{"resource",
                 {{"uri", "notes://picture"}, {"blob", "/w=="}, {"mimeType", "image/png"}}}}});
    const json both = content(notes, TOOL_RESOURCES_READ, {{"uri", "notes://monday/a/b"}});
    CHECK(both[0]["resource"]["text"] == "monday|a/b");
    CHECK(both[1]["resource"] == json{{"uri", "notes://use"}, {"text", "use-1"}});
    for (const char* uri : {"notes://never/x", "notes://tomorrow", "notes:///x", "else://x/y"}) {
        CAPTURE(uri);
        const auto asked = ask(notes, TOOL_RESOURCES_READ, {{"uri", uri}});
        CHECK(asked.status == TOOL_FAILED);
        CHECK(asked.call.failures.at(0).first == "not_found");
    }
}

TEST_CASE("a prompt is filled in") {
    const Library notes = make_notes();
    const json reviewed = content(
        notes, TOOL_PROMPTS_GET, {{"name", "review"}, {"arguments", {{"file", "a.c"}}}})[0]["json"];
    CHECK(reviewed["description"] == "Reviews a file.");
    CHECK(reviewed["messages"] ==
          json{{{"role", "user"}, {"content", {{"type", "text"}, {"text", "Review a.c"}}}}});
    const json talked = content(notes, TOOL_PROMPTS_GET, {{"name", "talk"}})[0]["json"]["messages"];
    CHECK(talked[0]["content"]["text"] == "Look: {}");
    CHECK(talked[1]["content"] ==
          json{{"type", "image"}, {"data", "/w=="}, {"mimeType", "image/png"}});
    CHECK(talked[2] ==
          json{{"role", "assistant"},
               {"content",
                {{"type", "resource"}, {"resource", {{"uri", "a:b"}, {"text", "text"}}}}}});
    CHECK(ask(notes, TOOL_PROMPTS_GET, {{"name", "review"}}).status == TOOL_BAD_INPUT);
    CHECK(ask(notes, TOOL_PROMPTS_GET, {{"name", "?"}}).call.failures.at(0).first == "not_found");
}

TEST_CASE("arguments and variables are completed") {
    const Library notes = make_notes();
    const auto values = [&](const json& ref, const char* argument, const char* value,
                            const json& context = json::object()) {
        return content(notes, TOOL_COMPLETION_COMPLETE,
                       {{"ref", ref},
                        {"argument", {{"name", argument}, {"value", value}}},
                        {"context", context}})[0]["json"]["values"];
    };
    const json notes_ref{{"type", "ref/resource"}, {"uri", "notes://{day}/{+rest}"}};
    const json review_ref{{"type", "ref/prompt"}, {"name", "review"}};
    CHECK(values(notes_ref, "day", "m") == json{"monday", "mild"});
    CHECK(values(notes_ref, "rest", "m") == json::array());
    CHECK(values(review_ref, "file", "a", {{"arguments", {{"style", "b"}}}}) == json{"a.c", "b.h"});
    CHECK(values({{"type", "ref/prompt"}, {"name", "?"}}, "file", "a") == json::array());
}

TEST_CASE("a library may have only offers, and hidden names exist only with offers") {
    const Library alone(toolhost::resource("a:b", "b").read([] { return std::string("text"); }));
    CHECK(spec_of(alone)["tools"] == json::array());
    CHECK(content(alone, TOOL_RESOURCES_READ, {{"uri", "a:b"}})[0]["resource"]["text"] == "text");
    const Library tool(toolhost::tool("t", "A tool.", [] { return 1; }));
    CHECK_FALSE(spec_of(tool).contains("tools"));
    CHECK(ask(tool, TOOL_RESOURCES_READ, {{"uri", "a:b"}}).status == TOOL_UNSUPPORTED);
    const auto twice = [] {
        const Library library(toolhost::prompt("p", "d"), toolhost::prompt("p", "d"));
    };
    CHECK_THROWS(twice());
}
