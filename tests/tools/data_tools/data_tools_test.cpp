// calculator, current_time and parse_json through the real program, in both isolations.
#include <doctest/doctest.h>

#include "tests/tools/cancel.hpp"
#include "tests/tools/reasons.hpp"
#include "tests/tools/tool_stage.hpp"

namespace toolhost::test {
namespace {

std::vector<Json> results(const ToolStage& stage, const Mode& mode, const std::string& tool,
                          const std::vector<Json>& inputs) {
    return stage.call(tool, stage.profile(tool, mode), inputs);
}

TEST_CASE("every mode of the calculator, in both isolations") {
    const ToolStage stage;
    for (const auto& mode : {kClosed, kOpen}) {
        CAPTURE(std::string(mode.isolation));
        const auto out = results(
            stage, mode, "calculator",
            {{{"expression", "1/3 + 1/6"}},
             {{"expression", "x^2 = 2"}, {"mode", "solve"}},
             {{"expression", "x + y = 3, x - y = k"}, {"mode", "solve"}, {"variables", {{"k", 1}}}},
             {{"expression", "x = x + 1"}, {"mode", "solve"}},
             {{"expression", "sin(t)*a"}, {"mode", "derive"}, {"wrt", "t"}, {"order", 2}},
             {{"expression", "x^2"}, {"mode", "integrate"}},
             {{"expression", "exp(-x^2)"}, {"mode", "integrate"}, {"point", "-inf, inf"}},
             {{"expression", "1/x"}, {"mode", "limit"}, {"point", "0+"}},
             {{"expression", "cos(x)"}, {"mode", "series"}, {"order", 6}},
             {{"expression", "inverse([[1, 2], [3, 4]])"}, {"mode", "matrix"}},
             {{"expression", "eigenvalues([[2, 0], [0, 3]])"}, {"mode", "matrix"}},
             {{"expression", "cos(x) = x"}, {"mode", "solve"}, {"precision", 30}}});
        CHECK(said(out[0]) == "Result: 1/2 (about 0.5)");
        CHECK(json_of(out[1]).at("solutions").size() == 2);
        CHECK(json_of(out[1]).at("mode") == "solve");
        CHECK(said(out[2]) == "Result: x = 2, y = 1");
        CHECK(json_of(out[2]).at("solutions") == Json::parse(R"([{"x": "2", "y": "1"}])"));
        CHECK(said(out[3]) == "Result: no solution");
        CHECK(json_of(out[3]).at("kind") == "no_solution");
        CHECK(json_of(out[3]).at("solutions") == Json::array());
        CHECK(said(out[4]) == "Result: -a*sin(t)");
        CHECK(json_of(out[4]).at("wrt") == "t");
        CHECK(said(out[5]) == "Result: x^3/3");
        CHECK(said(out[6]) == "Result: sqrt(pi) (about 1.772453851)");
        CHECK(said(out[7]) == "Result: +infinity");
        CHECK(said(out[8]) == "Result: 1-1/2*x^2+1/24*x^4+O(x^6)");
        CHECK(json_of(out[9]).at("matrix") == Json::parse(R"([["-2", "1"], ["3/2", "-1/2"]])"));
        CHECK(json_of(out[10]).at("values").size() == 2);
        check_begins(said(out[11]),
                     "Result: x = 0.739085133215160641655312087674\nNote: found num");
    }
}

TEST_CASE("refusals of the calculator name the field, in both isolations") {
    const ToolStage stage;
    for (const auto& mode : {kClosed, kOpen}) {
        CAPTURE(std::string(mode.isolation));
        const auto out =
            results(stage, mode, "calculator",
                    {{{"expression", "x"}, {"mode", "solve"}, {"point", "1"}},
                     {{"expression", "x"}, {"mode", "series"}, {"order", 1000000}},
                     {{"expression", "x"}, {"mode", "plot"}},
                     {{"expression", "system(x)"}, {"mode", "derive"}},
                     {{"expression", "x^5000"}, {"mode", "integrate"}},
                     {{"expression", "1/x"}, {"mode", "integrate"}, {"point", "-1, 1"}},
                     {{"expression", "read(x) = 1"}, {"mode", "solve"}},
                     {{"expression", "1 + 1"}}});
        for (const std::size_t k : {0u, 1u, 2u, 3u, 4u, 6u})
            check_begins(said(out[k]), "invalid_input:");
        CHECK(contains(said(out[0]), "mode solve does not use `point`"));
        CHECK(contains(out[0].dump(), "/point"));
        CHECK(contains(said(out[1]), "100"));
        CHECK(contains(said(out[3]), "'system'"));
        CHECK(contains(said(out[4]), "power of 5000"));
        check_begins(said(out[5]), "tool_failed:");
        CHECK(contains(said(out[5]), "diverges"));
        CHECK(said(out[7]) == "Result: 2");
    }
}

TEST_CASE("a long calculation shows progress, and Ctrl-C ends it") {
    const ToolStage stage;
    const auto profile = stage.profile("calculator", kClosed, "", kLongGracePeriod);
    check_cancel(stage.stage(),
                 {"call", "calculator", "expression=exp(sin(tan(exp(sin(tan(x))))))", "mode=series",
                  "order=100", "--stream", "--profile", profile.string()},
                 "seconds, after which it gives up", {.name_plugins = false});
}

TEST_CASE("the time in every format, and only for time zones") {
    const ToolStage stage;
    for (const auto& mode : {kClosed, kOpen}) {
        CAPTURE(std::string(mode.isolation));
        const auto out = results(stage, mode, "current_time",
                                 {Json::object(),
                                  {{"timezone", "Asia/Kolkata"}, {"format", "human"}},
                                  {{"format", "unix"}},
                                  {{"timezone", "Europe/Berln"}},
                                  {{"timezone", "../../../etc/passwd"}},
                                  {{"timezone", "/etc/localtime"}},
                                  {{"format", "rfc"}}});
        CHECK(contains(said(out[0]), "T"));
        CHECK(json_of(out[0]).at("timezone") == "UTC");
        CHECK(contains(said(out[1]), "(UTC+05:30)"));
        CHECK(std::to_string(json_of(out[2]).at("unix_time").get<std::int64_t>()) == said(out[2]));
        for (std::size_t k = 3; k < out.size(); ++k) check_begins(said(out[k]), "invalid_input:");
        CHECK(contains(said(out[3]), "Europe/Berlin"));
    }
}

TEST_CASE("JSON: a whole document, a part, and errors with positions") {
    const ToolStage stage;
    const std::string text = R"({"items": [{"n": "x", "p": 5}, {"n": "y", "p": 20}]})";
    for (const auto& mode : {kClosed, kOpen}) {
        CAPTURE(std::string(mode.isolation));
        const auto out = results(stage, mode, "parse_json",
                                 {{{"text", text}},
                                  {{"text", text}, {"query", "/items/1/p"}},
                                  {{"text", text}, {"query", "items[?p > `10`].n"}},
                                  {{"text", "{\n  \"a\": 1,\n}"}},
                                  {{"text", text}, {"query", "items[?"}},
                                  {{"text", text}, {"query", "/items/7"}}});
        const auto value = [&](std::size_t k) {
            return out[k].value("/content/0/json/value"_json_pointer, Json());
        };
        CHECK(value(0) == Json::parse(text));
        CHECK(value(1) == 20);
        CHECK(value(2) == Json::array({"y"}));
        check_begins(said(out[3]), "tool_failed:");
        CHECK(contains(said(out[3]), "line 3, column 1"));
        check_begins(said(out[4]), "invalid_input:");
        check_begins(said(out[5]), "invalid_input:");
    }
}

TEST_CASE("no tool of the family declares denial reasons") {
    for (const char* tool : {"calculator", "current_time", "parse_json"}) check_reasons(tool, {});
}

}  // namespace
}  // namespace toolhost::test
