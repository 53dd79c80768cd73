#include "tests/tools/http_request/stage.hpp"

#include <doctest/doctest.h>

namespace toolhost::test {

// Links to the shipped library, because the default profile's grant applies only to it.
HttpStage::HttpStage() {
    fs::create_directory(workspace());
    fs::create_symlink(fs::path(TOOLHOST_SHIPPED) / "http_request.so",
                       stage_.plugins() / "http_request.so");
}

fs::path HttpStage::write_profile(const HttpProfile& terms) const {
    const auto file = stage_.root() / "profile.yml";
    const bool process = terms.isolation == "process";
    write_file(file, "name: test\nextends: default\nworkspace: " + workspace().string() +
                         "\ndefaults: { isolation: " + terms.isolation +
                         ", sandbox: " + (process ? "required" : "off") +
                         " }\npolicies: { http_request: { " + terms.policy + " } }\n" + terms.more);
    return file;
}

std::vector<Json> HttpStage::calls(const std::vector<Json>& inputs, const HttpProfile& terms,
                                   const Options& options) const {
    Options given = options;
    for (const auto& input : inputs)
        given.input += Json{{"tool", "http_request"}, {"input", input}}.dump() + '\n';
    const auto run = stage_.run(
        {"call", "--batch", "-", "--sequential", "--profile", write_profile(terms).string()},
        given);
    std::vector<Json> results;
    CAPTURE(run);
    for (const auto& line : lines_of(run.out)) results.push_back(Json::parse(line));
    REQUIRE(results.size() == inputs.size());
    return results;
}

Json HttpStage::call(const Json& input, const HttpProfile& terms, const Options& options) const {
    return calls({input}, terms, options).front();
}

std::vector<Json> HttpStage::stream(const Json& input, const HttpProfile& terms) const {
    const auto run = stage_.run(
        {"call", "http_request", "--stream", "-", "--profile", write_profile(terms).string()},
        {.input = input.dump()});
    CAPTURE(run);
    std::vector<Json> lines;
    for (const auto& line : lines_of(run.out)) lines.push_back(Json::parse(line));
    REQUIRE_FALSE(lines.empty());
    return lines;
}

Json get(const std::string& url, Json more) {
    more["method"] = "GET";
    more["url"] = url;
    return more;
}

std::string ending(const Json& result) {
    if (!result.contains("error")) return "";
    const Json& error = result.at("error");
    const std::string code = error.value("code", "");
    return code == "policy_denied" ? error.at("details").value("reason", "") : code;
}

std::string message(const Json& result) {
    return result.contains("error") ? result.at("error").value("message", "") : "";
}

Json output(const Json& result) {
    CAPTURE(result.dump());
    const Json found = block(result, "json");
    REQUIRE(found.is_object());
    return found;
}

std::string texts(const Json& result) {
    std::string all;
    for (const auto& one : result.value("content", Json::array()))
        if (one.contains("text")) all += one.at("text").get<std::string>() + '\n';
    return all;
}

Json block(const Json& result, const std::string& kind) {
    for (const auto& one : result.value("content", Json::array()))
        if (one.contains(kind)) return one.at(kind);
    return nullptr;
}

}  // namespace toolhost::test
