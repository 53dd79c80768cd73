// What parse_yaml refuses, and the positions of the errors.
#include "host/policy/yaml_document.hpp"
#include "tests/unit/doctest.hpp"

using namespace toolhost;
using namespace toolhost::policy;

namespace {

struct Row {
    std::string what;
    std::string text;
    std::string place;
    std::string sentence;  // a part of it
};

}  // namespace

TEST_CASE("YAML features that profiles refuse") {
    const std::string nul("a\0b", 3);
    for (const auto& [what, text, place, sentence] : {
             Row{"duplicate", "a: 1\nb: 2\na: 3\n", "f:3:1", "'a' is given twice; first on line 1"},
             Row{"duplicate in flow", "x: {a: 1, a: 2}", "f:1:11", "given twice"},
             Row{"duplicate by quotes", "a: 1\n\"a\": 2", "f:2:1", "given twice"},
             Row{"integer key", "a:\n  5: x\n", "f:2:3", "quote it: '5'"},
             Row{"boolean key", "true: x", "f:1:1", "a key must be text"},
             Row{"null key", "~: x", "f:1:1", "a key must be text"},
             Row{"no key", ": x", "f:1:1", "a key must be text"},
             Row{"list key", "? [a]\n: x", "f:1:3", "not a list or an object"},
             Row{"object key", "{{a: b}: c}", "f:1:2", "not a list or an object"},
             Row{"alias key", "a: &x k\n*x : 1", "f:2:1", "not an alias"},
             Row{"alias of a key", "&x a: 1\nb: *x", "f:2:4", "alias of a key"},
             Row{"merge key", "a: &x {b: 1}\nc:\n  <<: *x", "f:3:3", "merge keys"},
             Row{"tag", "a: !ruby/object x", "f:1:4", "tags such as '!ruby/object'"},
             Row{"known tag", "a: !!str 5", "f:1:4", "tags such as 'tag:yaml.org,2002:str'"},
             Row{"tagged list", "a: !x [1]", "f:1:4", "tags such as '!x'"},
             Row{"tagged object", "a: !<y> {}", "f:1:4", "tags such as 'y'"},
             Row{"tagged nothing", "a: !x\n", "f:1:4", "tags such as '!x'"},
             Row{"second document", "a: 1\n---\nb: 2\n", "f:2:1", "a second document"},
             Row{"after the end", "a: 1\n...\nb: 2\n", "f:3:1", "a second document"},
             Row{"unknown alias", "a: *unknown", "f:1:4", "anchor is not defined"},
             Row{"alias of itself", "a: &x [*x]", "f:1:8", "contains itself"},
             Row{"alias of an ancestor", "a: &x {b: {c: [1, *x]}}", "f:1:19", "contains itself"},
             Row{"alias of all", "&x {a: *x}", "f:1:8", "contains itself"},
             Row{"not closed", "a: [1, 2\nb: 3\n", "f:2:2", "not YAML: "},
             Row{"not closed at the end", "a: {b: 1\n", "f:2:1", "not YAML: "},
             Row{"tab", "a:\n\tb: 1\n", "f:2:3", "not YAML: "},
             Row{"two values", "a: b: c\n", "f:1:5", "not YAML: "},
             Row{"quote not closed", "a: 'b\nc: 1\n", "f:3:1", "a quote is never closed"},
             Row{"double quote not closed", "a: \"b\nc: 1", "f:2:5", "a quote is never closed"},
             Row{"quote at the end", "a: '", "f:1:5", "a quote is never closed"},
             Row{"escape", "a: \"\\q\"", "f:1:7", "not YAML: "},
             Row{"surrogate", "a: \"\\uD800\"", "f:1:11", "not YAML: "},
             Row{"bad directive", "%YAML 9.9\n---\na: 1\n", "f:1:1", "not YAML: "},
             Row{"UTF-8", "a: 1\nb: é\xff", "f:2:5", "not valid UTF-8"},
             Row{"UTF-16", std::string("\xff\xfe\x61\0", 4), "f:1:1", "not valid UTF-8"},
             Row{"NUL", "k: " + nul, "f:1:5", "control character"},
             Row{"escape character", "k: é\x1b[0m", "f:1:5", "control character"},
             Row{"DEL", "k: \x7f", "f:1:4", "control character"},
             Row{"NUL by escape", "k: \"a\\0b\"", "f:1:4", "a NUL character"},
             Row{"long key", "a: {" + std::string(257, 'k') + ": 1}", "f:1:5", "longer than 256"},
         }) {
        const auto& shown_what = what;
        CAPTURE(shown_what);
        auto document = parse_yaml(text, "f");
        REQUIRE_FALSE(document);
        CHECK(document.error().place.text() == place);
        CHECK(document.error().sentence.find(sentence) != std::string::npos);
        INFO(document.error().sentence);
    }
}
