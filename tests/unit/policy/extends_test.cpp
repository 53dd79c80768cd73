// Where profiles are found, and how they extend each other.
#include "tests/unit/doctest.hpp"
#include "tests/unit/policy/specs.hpp"

using namespace toolhost;
using namespace toolhost::policy;

namespace {

struct Folder : test::TempFolder {
    [[nodiscard]] Result<ProfilePtr> load(const std::string& name) const {
        return load_profile(name, path());
    }
    // The message without this folder's path.
    [[nodiscard]] std::string refusal(const std::string& name) const {
        auto loaded = load(name);
        if (loaded) return "";
        auto message = loaded.error().message;
        for (auto at = message.find(path()); at != std::string::npos; at = message.find(path()))
            message.replace(at, path().size(), "F");
        return message;
    }
};

}  // namespace

TEST_CASE("a name is searched in the folder, then among the shipped profiles") {
    Folder folder;
    folder.write("mine.yml", "consent: bypass\n");
    folder.write("other.yaml", "consent: deny\n");
    CHECK((*folder.load("mine"))->consent() == Consent::bypass);
    CHECK((*folder.load("mine"))->file() == folder / "mine.yml");
    CHECK((*folder.load("other"))->consent() == Consent::deny);
    CHECK((*folder.load("ci"))->file() == "shipped:ci.yml");
    folder.write("ci.yml", "consent: ask\n");
    CHECK((*folder.load("ci"))->file() == folder / "ci.yml");
    CHECK((*load_profile("ci", ""))->file() == "shipped:ci.yml");
    CHECK((*load_profile("ci", "/no/such/folder"))->file() == "shipped:ci.yml");
}

TEST_CASE("a name with a slash or a YAML suffix is a file") {
    Folder folder;
    folder.write("a.conf", "consent: deny\n");
    folder.write("b.yml", "name: another-name\nextends: ./a.conf\n");
    folder.write("absolute.yml", "extends: " + (folder / "a.conf") + "\n");
    CHECK((*load_profile(folder / "absolute.yml", ""))->consent() == Consent::deny);
    CHECK((*load_profile(folder / "a.conf", ""))->name() == "a");
    CHECK((*load_profile(folder / "b.yml", ""))->name() == "another-name");
    CHECK((*load_profile(folder / "b.yml", ""))->consent() == Consent::deny);
    CHECK(folder.refusal(folder / "c.yml") == "F/c.yml: cannot be read: No such file or directory");
    CHECK(folder.refusal(folder.path() + "/") == "F/: cannot be read: Is a directory");
}

TEST_CASE("an unknown name is refused with suggestions and the searched folders") {
    Folder folder;
    folder.write("reviewer.yml", "name: reviewer\n");
    CHECK(folder.refusal("reviwer") ==
          "unknown profile 'reviwer'; did you mean 'reviewer'? (known: ci, default, locked-down, "
          "read-only, reviewer; searched in F and the shipped profiles)");
    CHECK(load_profile("xyz", "").error().message ==
          "unknown profile 'xyz' (known: ci, default, locked-down, read-only; searched in the "
          "shipped profiles)");
    CHECK(load_profile("xyz", "").error().code == ErrorCode::invalid_input);
    CHECK_FALSE(load_profile("", folder.path()));
    CHECK_FALSE(load_profile("..", folder.path()));
}

TEST_CASE("a file that is found by its name must have that name") {
    Folder folder;
    folder.write("mine.yml", "description: x\nname: yours\n");
    CHECK(folder.refusal("mine") ==
          "F/mine.yml:2:7: the file name requires the profile name 'mine', but /name is 'yours'");
}

TEST_CASE("a missing parent is refused with the position of its name") {
    Folder folder;
    folder.write("a.yml", "name: a\nextends: defualt\n");
    CHECK(folder.refusal("a").starts_with(
        "F/a.yml:2:10: extends: unknown profile 'defualt'; did you mean 'default'?"));
    CHECK(folder.load("a").error().details ==
          Json{{"file", folder / "a.yml"}, {"line", 2}, {"column", 10}, {"pointer", "/extends"}});
    folder.write("b.yml", "extends: sub/none.yml\n");
    CHECK(folder.refusal("b") ==
          "F/b.yml:1:10: extends: F/sub/none.yml: cannot be read: No such file "
          "or directory");
}

TEST_CASE("an error in a parent has its position there") {
    Folder folder;
    folder.write("a.yml", "extends: b\n");
    folder.write("b.yml", "limits: {x: 1}\n");
    CHECK(folder.refusal("a").starts_with("F/b.yml:1:10: unknown key 'x'"));
}

TEST_CASE("a cycle is refused where it closes") {
    Folder folder;
    folder.write("a.yml", "name: a\nextends: b\n");
    folder.write("b.yml", "extends: c.yml\n");
    folder.write("c.yml", "description: x\nextends:   a\n");
    CHECK(folder.refusal("a") == "F/c.yml:2:12: extends: 'a' is a cycle: a -> b -> c -> a");
    folder.write("d.yml", "extends: ./d.yml\n");
    CHECK(folder.refusal("d") == "F/d.yml:1:10: extends: './d.yml' is a cycle: d -> d");
    boost::filesystem::create_symlink(folder / "e.yml", folder / "link.yml");
    folder.write("e.yml", "extends: link.yml\n");
    CHECK(folder.refusal("e").find("is a cycle") != std::string::npos);
}

TEST_CASE("a profile that extends its own name means the shipped one") {
    Folder folder;
    folder.write("default.yml", "extends: default\ndefaults: {timeoutMs: 7}\n");
    auto mine = folder.load("default");
    REQUIRE(mine);
    CHECK((*mine)->limits(test::spec("t")).timeout_ms == 7);
    CHECK((*mine)->origin("/maxInputBytes").starts_with("shipped:default.yml:"));
    // The user's other profiles extend the user's own.
    folder.write("mine.yml", "extends: default\n");
    CHECK((*folder.load("mine"))->limits(test::spec("t")).timeout_ms == 7);
    // Shipped profiles extend shipped ones.
    CHECK((*folder.load("locked-down"))->limits(test::spec("t")).timeout_ms == 5000);
    folder.write("solo.yml", "extends: solo\n");
    CHECK(folder.refusal("solo").starts_with("F/solo.yml:1:10: extends: unknown profile 'solo'"));
}

TEST_CASE("the known profiles are the user's and the shipped ones") {
    Folder folder;
    folder.write("mine.yml", "extends: ci\ndescription: my own\n");
    folder.write("ci.yaml", "description: changed\n");
    folder.write("broken.yml", "limits: 5\n");
    folder.write("notes.txt", "no profile");
    auto known = known_profiles(folder.path());
    std::vector<std::string> names;
    for (const auto& one : known) names.push_back(one.name);
    CHECK(names ==
          std::vector<std::string>{"broken", "ci", "default", "locked-down", "mine", "read-only"});
    CHECK(known[0].problem.find("broken.yml:1:9: ") != std::string::npos);
    CHECK(known[1].description == "changed");
    CHECK(known[1].file == folder / "ci.yaml");
    CHECK_FALSE(known[1].shipped);
    CHECK(known[2].shipped);
    CHECK(known[2].file == "shipped:default.yml");
    CHECK(known[4].description == "my own");
    CHECK(known_profiles("").size() == 4);
}
