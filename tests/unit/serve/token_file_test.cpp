#include "host/serve/auth/token_file.hpp"

#include "tests/unit/serve/auth_stage.hpp"

using namespace toolhost;
using namespace toolhost::serve;
using namespace toolhost::test;

namespace {

std::string parse_fault(const std::string& text) {
    const auto tokens = TokenFile::parse(text, "tokens");
    return tokens ? "" : tokens.error().message;
}

}  // namespace

TEST_CASE("every error of a token file is reported with its line") {
    const auto hash = "sha256:" + token_hash("a");
    CHECK(parse_fault("").empty());
    CHECK(parse_fault("# only this").empty());
    CHECK(parse_fault("ann\n") == "tokens:1:1: expected NAME PROFILE sha256:HEX, found 1 word");
    CHECK(says(parse_fault("\nann - " + hash + " more\n"), "tokens:2:1: expected NAME PROFILE"));
    CHECK(says(parse_fault("-ann - " + hash), "tokens:1:1: '-ann' is not a valid token name"));
    CHECK(says(parse_fault("oauth:x - " + hash), "'oauth:x' is not a valid token name"));
    CHECK(says(parse_fault(std::string(65, 'a') + " - " + hash), "is not a valid token name"));
    CHECK(says(parse_fault("ann #x " + hash), "tokens:1:5: '#x' is not a valid profile"));
    for (const auto& bad : {std::string("sha256:"), hash + '0', hash.substr(0, hash.size() - 1),
                            "md5:" + hash, hash.substr(7), "sha256:" + std::string(64, 'A'),
                            "sha256:" + std::string(64, 'g'), hash + "\r"}) {
        CAPTURE(bad);
        CHECK(says(parse_fault("ann - " + bad + '\n'), "tokens:1:7: expected sha256: and 64"));
    }
    CHECK(says(parse_fault("ann - " + hash + "\n\nann x sha256:" + token_hash("b")),
               "tokens:3:1: 'ann' is on line 1 already"));
    CHECK(says(parse_fault("ann - " + hash + "\nbob - " + hash),
               "tokens:2:7: this token belongs to 'ann' on line 1 already"));
    // All errors at once.
    CHECK(says(parse_fault("a\nb\n"),
               "tokens:1:1: expected NAME PROFILE sha256:HEX, found 1 word\n"
               "tokens:2:1: "));
}

TEST_CASE("a token file that others can access is not trusted") {
    const TempFolder folder;
    const auto file = write_tokens(folder, line_of("ann", "-", "a"));
    CHECK(TokenFile::load(file));
    for (const mode_t mode : {0644u, 0640u, 0620u, 0602u, 0604u, 0601u}) {
        CAPTURE(mode);
        REQUIRE(::chmod(file.c_str(), mode) == 0);
        const auto tokens = TokenFile::load(file);
        REQUIRE_FALSE(tokens);
        CHECK(says(tokens.error().message,
                   file + ": the token file must be readable and writable by its owner only"));
        CHECK(says(tokens.error().message, "run chmod 600 " + file));
        CHECK(tokens.error().code == ErrorCode::invalid_input);
    }
    REQUIRE(::chmod(file.c_str(), 0400) == 0);
    CHECK(TokenFile::load(file));
    CHECK(says(TokenFile::load(folder.path()).error().message, "must be a regular file"));
    const auto none = Authenticator::open({.token_file = folder / "none"});
    REQUIRE_FALSE(none);
    CHECK(none.error().code == ErrorCode::file_error);
    CHECK(says(none.error().message,
               "No such file or directory; create it with toolhost token NAME --file"));
    write_tokens(folder, std::string((1 << 20) + 1, '\n'));
    CHECK(says(TokenFile::load(file).error().message, "larger than 1 MiB"));
}

TEST_CASE("a line is added, replaced or removed, and all other bytes are kept") {
    const TokenEntry ann{"ann", "", token_hash("a"), 0}, bob{"bob", "x", token_hash("b"), 0};
    const auto first = with_token_line("", 0, &ann);
    CHECK(first.starts_with("# "));
    CHECK(first.ends_with(line_of("ann", "-", "a")));
    CHECK(TokenFile::parse(first, "f")->entries().size() == 1);
    const std::string text = "# top\nold - " + ("sha256:" + token_hash("o")) + "\n# end";
    CHECK(with_token_line(text, 0, &bob) == text + '\n' + line_of("bob", "x", "b"));
    CHECK(with_token_line(text, 2, &bob) == "# top\n" + line_of("bob", "x", "b") + "# end");
    CHECK(with_token_line(text, 2, nullptr) == "# top\n# end");
    CHECK(with_token_line("a\nb", 2, nullptr) == "a\n");
    TokenEntry scraper{"p", "", token_hash("p")};
    scraper.metrics = true;
    CHECK(with_token_line("#\n", 0, &scraper) == "#\n" + line_of("p", "@metrics", "p"));
    const auto read = TokenFile::parse(line_of("p", "@metrics", "p"), "f");
    CHECK(read->entries().at(0).metrics);
    CHECK(read->entries().at(0).profile.empty());
    CHECK_FALSE(token_profile_fault("@metrics").empty());
    CHECK(with_token_line("a\nb", 1, nullptr) == "b");
}
