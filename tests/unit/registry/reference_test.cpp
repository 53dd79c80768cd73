#include "host/registry/reference.hpp"

#include "host/base/suggest.hpp"
#include "tests/unit/doctest.hpp"

using namespace toolhost;
using namespace toolhost::registry;

TEST_CASE("every reference form parses") {
    struct Row {
        const char *text, *family, *name, *range;
        bool either;
    };
    for (auto [text, family, name, range, either] : {
             Row{"file_read", "", "file_read", "", false},
             Row{"native:file_read", "", "file_read", "", false},
             Row{"native:file_operations.file_read", "file_operations", "file_read", "", false},
             Row{"file_operations.file_read", "file_operations", "file_read", "", false},
             Row{"native:file_read@1.2.0", "", "file_read", "1.2.0", false},
             Row{"native:file_read@^1", "", "file_read", "^1", false},
             Row{"strands_tools.file_read", "", "file_read", "", false},
             Row{"strands_tools.file_read.file_read", "file_read", "file_read", "", true},
             Row{"strands_tools.file_operations.file_read@>=1 <2", "file_operations", "file_read",
                 ">=1 <2", false},
         }) {
        const auto& shown_text = text;
        CAPTURE(shown_text);
        auto reference = Reference::parse(text);
        REQUIRE(reference);
        CHECK(reference->family == family);
        CHECK(reference->name == name);
        CHECK((reference->versions ? reference->versions->text() : "") == range);
        CHECK(reference->family_may_be_name == either);
    }
}

TEST_CASE("an invalid reference is refused with the accepted forms") {
    for (std::string text :
         {"", "native:", "a b", "a/b", "../a", "a.b.c", ".a", "a.", "native:a@", "a@x",
          "strands_tools.", "strands_tools.a.b.c", "native:native:a", "\x1b[31m", "a\n"}) {
        CAPTURE(text);
        auto reference = Reference::parse(text);
        REQUIRE_FALSE(reference);
        CHECK(reference.error().message.find('\x1b') == std::string::npos);
        CHECK(reference.error().message.find("; use ") != std::string::npos);
    }
    auto huge = Reference::parse(std::string(1'000'000, 'a'));
    REQUIRE_FALSE(huge);
    CHECK(huge.error().message.size() < 300);
}

TEST_CASE("names") {
    CHECK(is_valid_name("A-z_09"));
    CHECK(is_valid_name(std::string(64, 'x')));
    CHECK_FALSE(is_valid_name(std::string(65, 'x')));
    CHECK_FALSE(is_valid_name("é"));
    CHECK(canonical_name("a-b_c") == "a_b_c");
}

TEST_CASE("reference forms of a tool") {
    CHECK(reference_forms("f", "n") ==
          std::vector<std::string>{"n", "native:n", "native:f.n", "strands_tools.n",
                                   "strands_tools.n.n", "strands_tools.f.n"});
    CHECK(reference_forms("n", "n").size() == 5);
}

TEST_CASE("near misses") {
    const std::vector<std::string> names = {"calculator", "current_time", "parse_json", "add"};
    CHECK(near_misses("calculater", names) == std::vector<std::string>{"calculator"});
    CHECK(near_misses("calcualtor", names) == std::vector<std::string>{"calculator"});
    CHECK(near_misses("current-time", names) == std::vector<std::string>{"current_time"});
    CHECK(near_misses("CALCULATOR", names) == std::vector<std::string>{"calculator"});
    CHECK(near_misses("calc", names) == std::vector<std::string>{"calculator"});
    CHECK(near_misses("zzz", names).empty());
    CHECK(near_misses("", names).empty());
    CHECK(near_misses(std::string(100000, 'c'), names).empty());
    CHECK(did_you_mean("calculater", names) == "; did you mean 'calculator'?");
    CHECK(did_you_mean("ad", {"add", "and"}) == "; did you mean 'add' or 'and'?");
    CHECK(did_you_mean("zzz", names).empty());
}
