#include "tests/unit/doctest.hpp"
#include "tests/unit/policy/specs.hpp"

using namespace toolhost;
using namespace toolhost::policy;

namespace {

// base.yml <- middle.yml <- child.yml; loads the child.
struct Chain {
    Chain(const std::string& base, const std::string& middle, const std::string& child) {
        folder.write("base.yml", base);
        folder.write("middle.yml", "extends: base\n" + middle);
        folder.write("child.yml", "extends: middle\n" + child);
        auto loaded = load_profile("child", folder.path());
        if (!loaded) throw std::runtime_error(loaded.error().message);
        profile = *loaded;
    }
    [[nodiscard]] std::string origin(const std::string& pointer) const {
        auto text = profile->origin(pointer);
        return text.starts_with(folder.path()) ? text.substr(folder.path().size() + 1) : text;
    }

    test::TempFolder folder;
    ProfilePtr profile;
};

}  // namespace

TEST_CASE("the child overrides by key, and every value has its origin") {
    Chain chain(
        "description: the base\nconsent: ask\ndefaults: {timeoutMs: 1, maxConcurrent: 2}\n"
        "limits: {memoryMb: 5}\n",
        "defaults: {timeoutMs: 3}\npolicies: {git: {a: {x: 1, y: [1]}}}\n",
        "consent: deny\npolicies: {git: {a: {y: [2, 3]}, b: 4}}\n");
    CHECK(chain.profile->merged() ==
          Json::parse(R"({"name": "child", "extends": "middle", "consent": "deny",
                          "defaults": {"timeoutMs": 3, "maxConcurrent": 2, "coerceInput": false,
                                       "isolation": "process", "sandbox": "required",
                                       "maxInputBytes": 1048576, "maxOutputChars": 20000,
                                       "maxOutputBytes": 10485760},
                          "workspace": ".", "userGrants": true,
                          "workers": {"idleSeconds": 300, "maxCrashes": 5,
                                      "crashWindowSeconds": 60, "graceMs": 1000},
                          "limits": {"memoryMb": 5},
                          "policies": {"git": {"a": {"x": 1, "y": [2, 3]}, "b": 4}}})"));
    CHECK(chain.origin("/consent") == "child.yml:2:10");
    CHECK(chain.origin("/defaults/timeoutMs") == "middle.yml:2:23");
    CHECK(chain.origin("/timeoutMs") == "middle.yml:2:23");
    CHECK(chain.origin("/defaults/maxConcurrent") == "base.yml:3:41");
    CHECK(chain.origin("/limits/memoryMb") == "base.yml:4:20");
    CHECK(chain.origin("/policies/git/a/x") == "middle.yml:3:25");
    CHECK(chain.origin("/policies/git/a/y/0") == "child.yml:3:26");
    CHECK(chain.origin("/policies/git/a/y/1") == "child.yml:3:29");
    CHECK(chain.origin("/name") == "child.yml");
    CHECK(chain.origin("/extends") == "child.yml:1:10");
    CHECK(chain.origin("/workspace") == "");
    CHECK(chain.origin("/maxInputBytes") == "");
}

TEST_CASE("exactly the leaves have an origin") {
    Chain chain(
        "tools: {allow: [a, b, c], deny: [d]}\nlimits: {}\npolicies: {x: {}, y: {k: [1]}}\n",
        "tools: {allow: [e]}\nlimits: {memoryMb: 1}\npolicies: {x: {z: 1}, y: {k: []}}\n", "");
    std::vector<std::string> pointers;
    for (const auto& [pointer, origin] : chain.profile->document().origins())
        if (!origin.place().file.empty()) pointers.push_back(pointer);
    CHECK(pointers == std::vector<std::string>{"/extends", "/limits/memoryMb", "/name",
                                               "/policies/x/z", "/policies/y/k", "/tools/allow/0",
                                               "/tools/deny/0"});
}

TEST_CASE("lists are replaced, but denials and redactions are appended") {
    Chain chain("tools: {allow: [a, b], deny: [c, d]}\nredact: [x]\n",
                "tools: {deny: []}\nredact: [y, x]\n", "tools: {allow: [e], deny: [f, c]}\n");
    const auto& merged = chain.profile->merged();
    CHECK(merged["tools"]["allow"] == Json{"e"});
    CHECK(merged["tools"]["deny"] == Json{"c", "d", "f"});
    CHECK(merged["redact"] == Json{"x", "y"});
    CHECK(chain.profile->redact() == std::vector<std::string>{"x", "y"});
    CHECK(chain.origin("/tools/allow/0") == "child.yml:2:17");
    CHECK(chain.origin("/tools/deny/0") == "base.yml:1:31");
    CHECK(chain.origin("/tools/deny/2") == "child.yml:2:28");
    CHECK(chain.origin("/redact/1") == "middle.yml:3:10");
}

TEST_CASE("a tool's key may be named like an appended list") {
    Chain chain("policies: {t: {redact: [1], tools: {deny: [1]}}}\n", "",
                "policies: {t: {redact: [2], tools: {deny: [2]}}}\n");
    const auto tool = test::spec("t", {{"policySchema", Json::object()}});
    CHECK(*chain.profile->own_policy(tool) ==
          Json::parse(R"({"redact":[2],"tools":{"deny":[2]}})"));
}

TEST_CASE("keys with slashes and tildes keep their origin") {
    Chain chain("policies: {t: {'a/b': 1, 'c~d': 2}}\n", "", "policies: {t: {'a/b': 3}}\n");
    CHECK(chain.origin("/policies/t/a~1b") == "child.yml:2:23");
    CHECK(chain.origin("/policies/t/c~0d") == "base.yml:1:33");
}

TEST_CASE("missing values have built-in defaults") {
    auto plain = test::profile("name: p");
    CHECK(plain->consent() == Consent::ask);
    CHECK(plain->workspace() == ".");
    CHECK(plain->redact().empty());
    CHECK_FALSE(plain->resource_limits().memory_mb);
    auto full = test::profile(
        "consent: bypass\nworkspace: /srv\nlimits: {memoryMb: 1, cpuSeconds: 2, processes: 3, "
        "openFiles: 8, fileSizeMb: 0}");
    CHECK(full->consent() == Consent::bypass);
    CHECK(full->workspace() == "/srv");
    CHECK(full->resource_limits().memory_mb == 1u);
    CHECK(full->resource_limits().cpu_seconds == 2u);
    CHECK(full->resource_limits().processes == 3u);
    CHECK(full->resource_limits().open_files == 8u);
    CHECK(full->resource_limits().file_size_mb == 0u);
}
