// The config file is its owner's: an edit changes what it says and leaves every other byte.
#include "host/policy/config_edit.hpp"

#include "tests/unit/doctest.hpp"

using namespace toolhost;
using namespace toolhost::policy;

namespace {

std::string added(const std::string& text, const std::string& key,
                  const std::vector<std::string>& words) {
    auto edited = with_grants(text, "c.yml", key, words);
    return edited ? *edited : "refused: " + edited.error().message;
}

std::string dropped(const std::string& text, const std::string& key,
                    const std::vector<std::string>& words) {
    auto edited = without_grants(text, "c.yml", key, words);
    return edited ? *edited : "refused: " + edited.error().message;
}

struct Row {
    std::string before, key;
    std::vector<std::string> words;
    std::string after;
};

}  // namespace

TEST_CASE("a grant is added where it belongs") {
    for (const auto& [before, key, words, after] : {
             Row{"", "weather", {"network"}, "grants:\n  weather: [network]\n"},
             Row{"# mine\n", "w", {"exec", "write"}, "# mine\ngrants:\n  w: [exec, write]\n"},
             Row{"profile: ci", "w", {"exec"}, "profile: ci\ngrants:\n  w: [exec]\n"},
             Row{"profile: ci\r\n", "w", {"exec"}, "profile: ci\r\ngrants:\r\n  w: [exec]\r\n"},
             Row{"  profile: ci\n", "w", {"exec"}, "  profile: ci\n  grants:\n    w: [exec]\n"},
             Row{"{profile: ci}\n", "w", {"exec"}, "{grants: {w: [exec]}, profile: ci}\n"},
             Row{"\xEF\xBB\xBFprofile: ci\n",
                 "w",
                 {"exec"},
                 "\xEF\xBB\xBFprofile: ci\ngrants:\n  w: [exec]\n"},
             // beside others
             Row{"grants: # all of them\n    # for a\n    a: [exec]   # yes\nallow: [x] # end\n",
                 "b",
                 {"write"},
                 "grants: # all of them\n    b: [write]\n    # for a\n    a: [exec]   # yes\n"
                 "allow: [x] # end\n"},
             Row{"grants: {}\n", "b", {"write"}, "grants: {b: [write]}\n"},
             Row{"grants: { a: [exec] } # c\n",
                 "b",
                 {"write"},
                 "grants: {b: [write],  a: [exec] } # c\n"},
             // into a list
             Row{"grants:\n  a: [exec] # why\n",
                 "a",
                 {"network", "exec"},
                 "grants:\n  a: [exec, network] # why\n"},
             Row{"grants:\n  a: []\n", "a", {"network"}, "grants:\n  a: [network]\n"},
             Row{"grants:\n  'a':\n    # first\n    - exec   # why\n\n# end\n",
                 "a",
                 {"network"},
                 "grants:\n  'a':\n    # first\n    - exec   # why\n    - network\n\n# end\n"},
             Row{"grants:\n  a:\n  - exec",
                 "a",
                 {"network", "write"},
                 "grants:\n  a:\n  - exec\n  - network\n  - write\n"},
             // quoted where it must be
             Row{"",
                 "native:web_*",
                 {"write=/a b, c"},
                 "grants:\n  \"native:web_*\": [\"write=/a b, c\"]\n"},
             Row{"",
                 "null",
                 {"write=/a#b: \"c\""},
                 "grants:\n  \"null\": [\"write=/a#b: \\\"c\\\"\"]\n"},
             // nothing to do
             Row{"grants: {a: [exec]}", "a", {"exec"}, "grants: {a: [exec]}"},
         }) {
        const auto& shown_before = before;
        CAPTURE(shown_before);
        CHECK(added(before, key, words) == after);
        CHECK(added(after, key, words) == after);
    }
}

TEST_CASE("a grant is taken away, and what is left stays as it was") {
    for (const auto& [before, key, words, after] : {
             Row{"grants:\n  a: [exec, network] # c\n",
                 "a",
                 {"exec"},
                 "grants:\n  a: [network] # c\n"},
             Row{"grants:\n  a: [exec, network] # c\n",
                 "a",
                 {"network"},
                 "grants:\n  a: [exec] # c\n"},
             Row{"grants:\n  a: [ \"exec\" , 'write=/it''s', network ]\n",
                 "a",
                 {"write=/it's"},
                 "grants:\n  a: [ \"exec\" , network ]\n"},
             Row{"grants:\n  a: [exec, write, network]\n",
                 "a",
                 {"exec", "network"},
                 "grants:\n  a: [write]\n"},
             Row{"grants:\n  a: [exec]\n  # of b\n  b: [exec]\n",
                 "a",
                 {"exec"},
                 "grants:\n  # of b\n  b: [exec]\n"},
             Row{"profile: ci # p\ngrants:\n  a: [exec]\n# end\n",
                 "a",
                 {"exec"},
                 "profile: ci # p\n# end\n"},
             Row{"grants:\n  a: [exec]\n", "a", {"exec"}, ""},
             Row{"grants:\n  # of a\n  a: [exec]\n", "a", {"exec"}, "grants:\n  # of a\n  a: []\n"},
             Row{"grants: {a: [exec], b: [write]}\n",
                 "a",
                 {"exec"},
                 "grants: {a: [], b: [write]}\n"},
             Row{"grants:\n  a:\n    - exec\n    # keep\n    - network # gone\n    - write\n",
                 "a",
                 {"network"},
                 "grants:\n  a:\n    - exec\n    # keep\n    - write\n"},
             Row{"grants:\n  a:\n    - exec\n    - write\n  b: [exec]\n",
                 "a",
                 {"write", "exec"},
                 "grants:\n  b: [exec]\n"},
             Row{"grants:\n  a: [\n    exec,\n    write\n  ]\nallow: [x]\n",
                 "a",
                 {"exec", "write"},
                 "allow: [x]\n"},
             Row{"grants: {a: [exec]}\n", "b", {"exec"}, "grants: {a: [exec]}\n"},
         }) {
        const auto& shown_before = before;
        CAPTURE(shown_before);
        CHECK(dropped(before, key, words) == after);
    }
}

TEST_CASE("what cannot be edited safely is refused, with what to write") {
    CHECK(added("grants:\n  a: &x [exec]\n  b: *x\n", "b", {"write"}) ==
          "refused: c.yml:3:3: cannot edit this file without changing other parts of it; add by "
          "hand, under grants: b: [write]");
    CHECK(added("grants:\n  a: &x [exec]\n  b: *x\n", "a", {"write"}).starts_with("refused: "));
    CHECK(added("profile: ci\n...\n", "a", {"exec"}).starts_with("refused: c.yml"));
    CHECK(added("profil: ci\n", "a", {"exec"}).starts_with("refused: c.yml:1:1: unknown key"));
    CHECK(added("a: [\n", "a", {"exec"}).starts_with("refused: c.yml:2:1: not YAML"));
    CHECK(dropped("grants:\n  a:\n    # why\n    - exec\n", "a", {"exec"}) ==
          "refused: c.yml:2:3: cannot edit this file without changing other parts of it; remove "
          "exec from the list by hand");
}
