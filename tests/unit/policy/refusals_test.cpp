// Profiles that are refused: the file, the line, the column, and what is allowed instead.
#include "tests/unit/doctest.hpp"
#include "tests/unit/policy/specs.hpp"

using namespace toolhost;
using test::refusal;

namespace {

const std::string kKnobs =
    "coerceInput, isolation, maxConcurrent, maxInputBytes, maxOutputBytes, maxOutputChars, "
    "rateLimit, sandbox, "
    "timeoutMs";

struct Row {
    std::string yaml, message;
};

}  // namespace

TEST_CASE("an unknown key is refused with its position and the allowed keys") {
    for (const auto& [yaml, message] :
         {Row{"defaults:\n  timeoutMS: 5\n",
              "p.yml:2:3: unknown key 'timeoutMS' in /defaults; did you mean 'timeoutMs'? "
              "allowed: " +
                  kKnobs},
          Row{"x: 1",
              "p.yml:1:1: unknown key 'x'; allowed: consent, defaults, description, "
              "environment, extends, grants, inheritGrants, limits, name, policies, redact, tools, "
              "unprotect, userGrants, "
              "workers, workspace"},
          Row{"tools: {allowed: [a]}",
              "p.yml:1:9: unknown key 'allowed' in /tools; did you mean 'allow'? allowed: allow, "
              "deny"},
          Row{"limits: {memoryMB: 5}",
              "p.yml:1:10: unknown key 'memoryMB' in /limits; did you mean 'memoryMb'? allowed: "
              "cpuSeconds, fileSizeMb, memoryMb, openFiles, processes"},
          Row{"policies:\n  git:\n    rateLimit: {calls: 1, seconds: 1, minutes: 2}",
              "p.yml:3:39: unknown key 'minutes' in /policies/git/rateLimit; allowed: calls, "
              "seconds"}}) {
        const auto& shown_yaml = yaml;
        CAPTURE(shown_yaml);
        CHECK(refusal(yaml) == message);
    }
}

TEST_CASE("an invalid value is refused with its position") {
    for (const auto& [yaml, message] :
         {Row{"- a", "p.yml:1:1: the document must be an object, but is "},
          Row{"", "p.yml:1:1: the document must be an object, but is null"},
          Row{"name: a b", "p.yml:1:7: /name: "},
          Row{"name: [a]", "p.yml:1:7: /name: must be a string"},
          Row{"extends: ''", "p.yml:1:10: /extends: "},
          Row{"tools: {deny: git}", "p.yml:1:15: /tools/deny: must be an array"},
          Row{"tools: {deny: [5]}", "p.yml:1:16: /tools/deny/0: must be a string"},
          Row{"tools: {allow: }", "p.yml:1:16: /tools/allow: must be an array"},
          Row{"defaults: {timeoutMs: 0}", "p.yml:1:23: /defaults/timeoutMs: must be at least 1"},
          Row{"defaults: {timeoutMs: '5'}", "p.yml:1:23: /defaults/timeoutMs: must be an integer"},
          Row{"defaults: {timeoutMs: 1.5}", "p.yml:1:23: /defaults/timeoutMs: must be an integer"},
          Row{"defaults: {isolation: thread}", "p.yml:1:23: /defaults/isolation: "},
          Row{"defaults: {sandbox: true}", "p.yml:1:21: /defaults/sandbox: "},
          Row{"defaults: {coerceInput: yes}",
              "p.yml:1:25: /defaults/coerceInput: must be a boolean"},
          Row{"defaults: {rateLimit: {calls: 5}}", "p.yml:1:23: /defaults/rateLimit: missing r"},
          Row{"defaults: {maxConcurrent: -1}", "p.yml:1:27: /defaults/maxConcurrent: must be at"},
          Row{"policies: {git: }", "p.yml:1:17: /policies/git: must be an object"},
          Row{"policies: {git: {timeoutMs: no}}",
              "p.yml:1:29: /policies/git/timeoutMs: must be an"},
          Row{"limits: {openFiles: 1}", "p.yml:1:21: /limits/openFiles: must be at least 8"},
          Row{"workspace: 5", "p.yml:1:12: /workspace: must be a string"},
          Row{"consent: never", "p.yml:1:10: /consent: "},
          Row{"redact: token", "p.yml:1:9: /redact: must be an array"}}) {
        const auto& shown_yaml = yaml;
        CAPTURE(shown_yaml);
        CHECK(refusal(yaml).substr(0, message.size()) == message);
    }
}

TEST_CASE("a malformed pattern is refused with its position") {
    for (const auto& [yaml, message] :
         {Row{"tools:\n  deny: [git, 'file_[']",
              "p.yml:2:15: 'file_[' is not a tool pattern: it has an unmatched [; use NAME, "},
          Row{"tools: {allow: ['a:b']}", "p.yml:1:17: 'a:b' is not a tool pattern: names consist "},
          Row{"policies:\n  git@x: {}",
              "p.yml:2:3: 'git@x' is not a tool pattern: 'x' is not a ver"},
          Row{"redact: [a, '[']", "p.yml:1:13: '[' is neither a field's name nor a JSON Pointer: "},
          Row{"redact: ['[Z-a]']", "p.yml:1:10: '[Z-a]' is neither a field's name nor a JSON Poin"},
          Row{"redact: [/a~2]", "p.yml:1:10: '/a~2' is neither a field's name nor a JSON Point"}}) {
        const auto& shown_yaml = yaml;
        CAPTURE(shown_yaml);
        CHECK(refusal(yaml).substr(0, message.size()) == message);
    }
}

TEST_CASE("quoted text is short and on one line") {
    const auto message = refusal("tools: {deny: [\"a\\nb\\e\", " + std::string(9000, 'x') + "]}");
    CHECK(message.find("p.yml:1:16: 'a?b?' is not") == 0);
    CHECK(message.find("\np.yml:1:26: 'xxxx") != std::string::npos);
    CHECK(message.find("xxxx...' is not") != std::string::npos);
    CHECK(message.size() < 1000);
}

TEST_CASE("up to ten errors are reported, in the order of the file") {
    const auto message = refusal("limits: {a: 1}\ntools: {b: 1}\nconsent: c\n");
    CHECK(message.find("p.yml:1:10: ") == 0);
    CHECK(message.find("\np.yml:2:9: ") < message.find("\np.yml:3:10: "));
    std::string many = "limits:\n";
    for (int i = 0; i < 30; ++i) many += "  k" + std::to_string(i) + ": 1\n";
    const auto lines = refusal(many);
    CHECK(std::count(lines.begin(), lines.end(), '\n') == 9);
}

TEST_CASE("the details contain the position of the first error") {
    test::TempFolder folder;
    folder.write("p.yml", "limits:\n  memory: 5\n");
    auto loaded = policy::load_profile(folder / "p.yml", "");
    REQUIRE_FALSE(loaded);
    CHECK(loaded.error().code == ErrorCode::invalid_input);
    CHECK(loaded.error().details == Json{{"file", folder / "p.yml"},
                                         {"line", 2},
                                         {"column", 3},
                                         {"pointer", "/limits/memory"}});
}
