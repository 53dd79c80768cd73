// branches, tags, create_branch, tag.
#include <doctest/doctest.h>

#include "tests/unit/git/fixture.hpp"

namespace git::test {
namespace {

TEST_CASE("branches and tags are listed") {
    const Workspace world;
    CHECK((world.sh("git init -q -b main"), world.ask({.action = "branches"}).text) ==
          "no branches yet\n");
    CHECK(world.ask({.action = "tags"}).text == "no tags\n");
    world.begin();
    world.sh(
        "git branch topic/x; git tag light; git tag -a -m 'With words' heavy; "
        "git clone -q --bare . ../up.git; git remote add origin ../up.git; git fetch -q");
    const auto local = world.ask({.action = "branches"});
    CHECK(local.details["branches"]["branches"].size() == 2);
    CHECK(local.details["branches"]["branches"][0]["current"] == true);
    CHECK(has(local.text, "* main "));
    CHECK(has(local.text, "  topic/x "));
    const auto all = world.ask({.action = "branches", .all = true});
    CHECK(all.details["branches"]["branches"].size() == 4);
    CHECK(has(all.text, "  remotes/origin/main "));
    const auto tags = world.ask({.action = "tags"}).details["tags"]["tags"];
    REQUIRE(tags.size() == 2);
    CHECK(tags[0]["name"] == "heavy");
    CHECK(tags[0]["message"] == "With words\n");
    CHECK(tags[1]["annotated"] == false);
    CHECK(world.ask({.action = "tags", .max_count = 1}).details["truncated"] == true);
}

TEST_CASE("create_branch: start points and valid names") {
    const Workspace world;
    world.begin();
    world.sh("git commit -q --allow-empty -m Second");
    const auto made = world.ask({.action = "create_branch", .ref = "HEAD~1", .branch = "bot/x"});
    CHECK(made.details["create_branch"]["name"] == "bot/x");
    CHECK(world.sh("git rev-parse bot/x") == world.sh("git rev-parse HEAD~1"));
    CHECK(has(world.refusal({.action = "create_branch", .branch = "bot/x"}),
              "failed: branch 'bot/x' already exists"));
    for (const char* bad : {"", "a..b", "-x", "a b", "HEAD", "x.lock", "a~1", "/x", "x/"}) {
        CAPTURE(std::string(bad));
        CHECK(has(world.refusal({.action = "create_branch", .branch = bad}), "invalid_ref: "));
    }
    auto policy = open_policy();
    policy.managed_branch_prefix = "bot/";
    CHECK(has(world.refusal({.action = "create_branch", .branch = "main2"}, policy),
              "branch_prefix_required: create_branch"));
    CHECK(has(world.refusal({.action = "create_branch", .branch = "bot/"}, policy), "invalid_ref"));
    CHECK(has(world.refusal({.action = "create_branch", .branch = "bot/y"}, policy),
              "answered: created branch bot/y"));
}

TEST_CASE("tag: lightweight and annotated, never moved") {
    const Workspace world;
    world.begin();
    CHECK(world.ask({.action = "tag", .name = "v1"}).details["tag"]["annotated"] == false);
    CHECK(world.ask({.action = "tag", .message = "Words", .name = "v2"})
              .details["tag"]["annotated"] == true);
    CHECK(world.sh("git cat-file -t v1") == "commit\n");
    CHECK(has(world.sh("git cat-file -p v2"), "tagger Tool <tool@example.com>"));
    CHECK(has(world.refusal({.action = "tag", .name = "v1"}), "failed: tag 'v1' already exists"));
    CHECK(has(world.refusal({.action = "tag", .name = "a b"}), "invalid_ref"));
}

}  // namespace
}  // namespace git::test
