#include "host/policy/yaml_document.hpp"

#include "tests/unit/doctest.hpp"

using namespace toolhost;
using namespace toolhost::policy;

namespace {

Json value(const std::string& text) {
    auto document = parse_yaml(text, "f.yml");
    return document ? document->value : Json("refused: " + document.error().sentence);
}

}  // namespace

TEST_CASE("plain scalars follow YAML 1.2's core schema") {
    struct Row {
        const char* text;
        Json value;
    };
    for (const auto& [text, expected] : {Row{"null", nullptr},
                                         Row{"~", nullptr},
                                         Row{"Null", nullptr},
                                         Row{"", nullptr},
                                         Row{"nUll", "nUll"},
                                         Row{"true", true},
                                         Row{"FALSE", false},
                                         Row{"yes", "yes"},
                                         Row{"off", "off"},
                                         Row{"5", 5},
                                         Row{"-5", -5},
                                         Row{"+5", 5},
                                         Row{"007", 7},
                                         Row{"0o17", 15},
                                         Row{"0xfF", 255},
                                         Row{"0x", "0x"},
                                         Row{"0o8", "0o8"},
                                         Row{"1_000", "1_000"},
                                         Row{"18446744073709551615", 18446744073709551615u},
                                         Row{"1.5", 1.5},
                                         Row{".5", .5},
                                         Row{"5.", 5.0},
                                         Row{"-1e3", -1000.0},
                                         Row{"+2E-1", .2},
                                         Row{".", "."},
                                         Row{"-", Json::array({nullptr})},
                                         Row{"1e", "1e"},
                                         Row{"e5", "e5"},
                                         Row{"1.2.3", "1.2.3"},
                                         Row{"2024-01-01", "2024-01-01"},
                                         Row{"'5'", "5"},
                                         Row{"\"true\"", "true"},
                                         Row{"''", ""},
                                         Row{"|\n  5\n", "5\n"},
                                         Row{"! 5", "5"}}) {
        const auto& shown_text = text;
        CAPTURE(shown_text);
        CHECK(value(text) == expected);
        CHECK(value(text).type_name() == std::string(expected.type_name()));
    }
}

TEST_CASE("numbers that JSON cannot represent are refused") {
    for (const char* text : {"18446744073709551616", "-9223372036854775809", "0x10000000000000000",
                             "1e999", ".inf", "-.INF", ".nan"}) {
        CAPTURE(text);
        auto document = parse_yaml(std::string("a: ") + text, "f.yml");
        REQUIRE_FALSE(document);
        CHECK(document.error().place.text() == "f.yml:1:4");
        CHECK(document.error().sentence.find(text) != std::string::npos);
    }
}

TEST_CASE("every value and every key has its position") {
    auto document =
        parse_yaml("# first\na: 1\nb:\n  - x\n  - {c/d: ~, 'e': [2]}\nf:\ng: 3\n", "f.yml");
    REQUIRE(document);
    CHECK(document->value ==
          Json::parse(R"({"a":1,"b":["x",{"c/d":null,"e":[2]}],"f":null,"g":3})"));
    auto place = [&](const char* pointer) { return document->place(pointer).text(); };
    CHECK(place("") == "f.yml:2:1");
    CHECK(place("/a") == "f.yml:2:4");
    CHECK(place("/b") == "f.yml:4:3");
    CHECK(place("/b/0") == "f.yml:4:5");
    CHECK(place("/b/1/c~1d") == "f.yml:5:11");
    CHECK(place("/b/1/e/0") == "f.yml:5:20");
    CHECK(place("/f") == "f.yml:6:1");  // omitted: that of the key
    CHECK(place("/g/no/such") == "f.yml:7:4");
    CHECK(document->key_place("/b").text() == "f.yml:3:1");
    CHECK(document->key_place("/b/1/e").text() == "f.yml:5:14");
    CHECK(document->key_place("/b/0").text() == "f.yml:4:5");
}

TEST_CASE("columns count characters, and all line ends count") {
    auto document = parse_yaml("\xEF\xBB\xBFü: [é, \"日本\", x]\r\nk: v\r\n", "f.yml");
    REQUIRE(document);
    CHECK(document->place("/ü/1").text() == "f.yml:1:8");
    CHECK(document->place("/ü/2").text() == "f.yml:1:14");
    CHECK(document->place("/k").text() == "f.yml:2:4");
    CHECK(document->value["k"] == "v");
}

TEST_CASE("an alias is a copy with the positions of its anchor") {
    auto document = parse_yaml("a: &x {k: [1, 2]}\nb: *x\nc: [*x, &y 5, *y]\n", "f.yml");
    REQUIRE(document);
    CHECK(document->value["b"] == document->value["a"]);
    CHECK(document->value["c"] == Json::parse(R"([{"k":[1,2]},5,5])"));
    CHECK(document->place("/b").text() == "f.yml:2:4");
    CHECK(document->place("/b/k/1").text() == "f.yml:1:15");
    CHECK(document->key_place("/c/0/k").text() == "f.yml:1:8");
    // An anchor's name may be reused; an alias refers to the previous one.
    CHECK(value("a: &x 1\nb: &x 2\nc: *x") == Json::parse(R"({"a":1,"b":2,"c":2})"));
}

TEST_CASE("empty text is null, and one document may be marked") {
    CHECK(value("").is_null());
    CHECK(value("# only this\n").is_null());
    CHECK(value("---\n").is_null());
    CHECK(value("%YAML 1.2\n---\na: 1\n...\n") == Json{{"a", 1}});
}
