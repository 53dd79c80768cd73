#include "toolhost/parse_json.hpp"

#include <random>

#include "host/base/json_text.hpp"
#include "tests/unit/doctest.hpp"

using namespace toolhost;
using nlohmann::json;

namespace {

// Pieces of text that often form valid JSON, and often almost valid JSON.
std::string random_text(std::mt19937& random, int depth) {
    constexpr const char* kAtoms[] = {"0",
                                      "-0",
                                      "1",
                                      "-17",
                                      "18446744073709551615",
                                      "18446744073709551616",
                                      "1.5",
                                      "-2e3",
                                      "1E+2",
                                      "1e-400",
                                      "1e400",
                                      "01",
                                      "1.",
                                      ".5",
                                      "-",
                                      "true",
                                      "false",
                                      "null",
                                      "nul",
                                      R"("")",
                                      R"("a")",
                                      R"("\n\"\\")",
                                      R"("\u00e9\u20AC")",
                                      R"("\ud83d\ude00")",
                                      R"("\x")",
                                      "\"\t\"",
                                      "\"\xC3\xA9\"",
                                      "-9223372036854775808",
                                      "-9223372036854775809",
                                      "9007199254740993",
                                      "0.1",
                                      "123456789.125",
                                      "\"\xC3\"",
                                      "\"\xED\xA0\x80\"",
                                      "\"unterminated"};
    auto pick = [&](std::size_t most) { return random() % most; };
    if (depth == 0 || pick(3) == 0) return kAtoms[pick(std::size(kAtoms))];
    std::string text;
    const bool object = pick(2) == 0;
    text += object ? "{" : "[";
    for (std::size_t i = 0, count = pick(4); i < count; ++i) {
        if (i > 0) text += pick(20) == 0 ? "" : ",";
        if (pick(4) == 0) text += " \n";
        if (object) text += std::string("\"") + "ab"[pick(2)] + "\" :";
        text += random_text(random, depth - 1);
    }
    return text + (pick(30) == 0 ? "" : object ? "}" : "]");
}

}  // namespace

TEST_CASE("the fast parser agrees with nlohmann's, or gives up") {
    std::mt19937 random(7);
    int quick = 0, refused = 0;
    for (int i = 0; i < 20'000; ++i) {
        const auto text = random_text(random, 4);
        CAPTURE(text);
        const auto thorough = json::parse(text, nullptr, false);
        const auto read = detail::parse_quickly(text);
        if (!read) {
            refused += thorough.is_discarded() ? 1 : 0;
            continue;
        }
        ++quick;
        REQUIRE_FALSE(thorough.is_discarded());
        REQUIRE(*read == thorough);
        REQUIRE(read->type() == thorough.type());
        REQUIRE(dump(*read) == thorough.dump());
    }
    CHECK(quick > 2000);
    CHECK(refused > 2000);
}

TEST_CASE("the quick reader tells how a value stands in its text") {
    using detail::TextForm;
    struct Row {
        const char* text;
        TextForm form;
    };
    for (const auto& row : {
             Row{R"({"a":1,"ab":[true,null,-5],"b":{"":"é\n\"\\"}})", TextForm::canonical},
             Row{"[]", TextForm::canonical},
             Row{"{}", TextForm::canonical},
             Row{"0", TextForm::canonical},
             Row{"-0", TextForm::compact},
             Row{"[1.5]", TextForm::compact},
             Row{"[1e2]", TextForm::compact},
             Row{R"({"b":1,"a":2})", TextForm::compact},
             Row{R"(["\/"])", TextForm::compact},
             Row{R"(["\u0041"])", TextForm::compact},
             Row{R"({"a":1,"a":2})", TextForm::loose},
             Row{R"({"b":1,"a":1,"a":2})", TextForm::loose},
             Row{R"({"x":{"a":1,"\u0061":2}})", TextForm::loose},
             Row{"[1, 2]", TextForm::loose},
             Row{R"({"a":1 })", TextForm::loose},
             Row{"[\n]", TextForm::loose},
         }) {
        const char* const text = row.text;
        const auto form = row.form;
        CAPTURE(text);
        json value;
        std::string_view stands;
        auto found = TextForm::loose;
        REQUIRE(detail::QuickReader(text, 9).value(value, stands, found));
        CHECK(stands == text);
        CHECK(found == form);
        if (found == TextForm::canonical) CHECK(dump(value) == text);
    }
    std::mt19937 random(8);
    int canonical = 0;
    for (int i = 0; i < 20'000; ++i) {
        const auto text = random_text(random, 3);
        CAPTURE(text);
        json value;
        std::string_view stands;
        auto form = TextForm::loose;
        if (!detail::QuickReader(text, 9).value(value, stands, form)) continue;
        if (form == TextForm::loose) continue;
        CHECK(stands.find_first_of(" \n\t\r") == stands.npos);
        CHECK(json::parse(stands) == value);
        if (form != TextForm::canonical) continue;
        ++canonical;
        CHECK(dump(value) == stands);
    }
    CHECK(canonical > 1000);
}

TEST_CASE("text that the quick reader gives up on is still read") {
    for (const char* text :
         {R"("\ud83d\ude00")", "18446744073709551616", "1e-400", "\xEF\xBB\xBF 1"}) {
        CAPTURE(text);
        CHECK_FALSE(detail::parse_quickly(text));
        CHECK(parse_json(text));
    }
    CHECK(detail::parse_quickly("[[1]]", 2));
    CHECK_FALSE(detail::parse_quickly("[[1]]", 1));
}

TEST_CASE("text is written as nlohmann writes it") {
    const json value{
        {"text", "a\"b\\c\n\x01\x7F é"},
        {"numbers", {0, -1, 1.0, 2.5, 1e300, -0.0, 0.0, -5.0, 1e15, 999999999999999.0, 1e-7}},
        {"none", nullptr},
        {"yes", true},
        {"empty", {json::object(), json::array(), ""}}};
    CHECK(dump(value) == value.dump());
    CHECK(dump(value, 2) == value.dump(2));
    std::string behind = "x";
    append_json(behind, value);
    CHECK(behind == "x" + value.dump());
}
