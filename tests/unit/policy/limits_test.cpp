#include "host/policy/limits.hpp"

#include "tests/unit/doctest.hpp"
#include "tests/unit/policy/specs.hpp"

using namespace toolhost;
using namespace toolhost::policy;
using test::spec;

TEST_CASE("every limit is read") {
    auto limits = test::profile(
                      "defaults:\n  timeoutMs: 1\n  maxInputBytes: 2\n  maxOutputChars: 3\n  "
                      "maxOutputBytes: 7\n"
                      "  rateLimit: {calls: 4, seconds: 0.5}\n  maxConcurrent: 6\n"
                      "  coerceInput: true\n  isolation: process\n  sandbox: best_effort\n")
                      ->limits(spec("t"));
    CHECK(limits.timeout_ms == 1);
    CHECK(limits.max_input_bytes == 2);
    CHECK(limits.max_output_bytes == 7);
    CHECK(limits.max_output_chars == 3);
    REQUIRE(limits.rate_limit);
    CHECK(limits.rate_limit->calls == 4);
    CHECK(limits.rate_limit->window_ms == 500);
    CHECK(limits.max_concurrent == 6);
    CHECK(limits.coerce_input);
    CHECK(limits.isolation == runtime::Isolation::process);
    CHECK(limits.sandbox == sandbox::Enforcement::best_effort);
    for (auto name : limit_names()) CHECK(is_limit(name));
    CHECK_FALSE(is_limit("allowed_actions"));
}

TEST_CASE("missing values default to the built-in ones") {
    auto limits = test::profile("name: p")->limits(spec("t"));
    CHECK(limits.timeout_ms == 30000);
    CHECK(limits.max_input_bytes == 1048576);
    CHECK(limits.max_output_chars == 20000);
    CHECK_FALSE(limits.rate_limit);
    CHECK(limits.max_concurrent == 0);
    CHECK_FALSE(limits.coerce_input);
    CHECK(limits.isolation == runtime::Isolation::process);
    CHECK(limits.sandbox == sandbox::Enforcement::required);
}

TEST_CASE("a tool can shorten the default timeout, a policy overrides both") {
    auto profile =
        test::profile("defaults: {timeoutMs: 1000}\npolicies: {slow: {timeoutMs: 9000}}");
    CHECK(profile->limits(spec("t", {{"timeoutMs", 500}})).timeout_ms == 500);
    CHECK(profile->limits(spec("t", {{"timeoutMs", 5000}})).timeout_ms == 1000);
    CHECK(profile->limits(spec("slow", {{"timeoutMs", 500}})).timeout_ms == 9000);
    CHECK(profile->origin(spec("t", {{"timeoutMs", 500}}), "timeoutMs") == "the tool's spec");
    CHECK(profile->origin(spec("t"), "timeoutMs").ends_with("/p.yml:1:23"));
    CHECK(profile->origin(spec("slow"), "timeoutMs").ends_with("/p.yml:2:30"));
    CHECK(profile->origin(spec("slow"), "sandbox") == "");
}

TEST_CASE("globs apply in the order of the file, names last") {
    auto profile = test::profile(
        "policies:\n"
        "  zeta: {timeoutMs: 1}\n"
        "  'z*': {timeoutMs: 2, maxConcurrent: 2}\n"
        "  '*a': {maxConcurrent: 3, coerceInput: true}\n");
    auto limits = profile->limits(spec("zeta"));
    CHECK(limits.timeout_ms == 1);
    CHECK(limits.max_concurrent == 3);
    CHECK(limits.coerce_input);
    CHECK(profile->limits(spec("zulu")).timeout_ms == 2);
    CHECK(profile->limits(spec("alpha")).max_concurrent == 3);
    CHECK(profile->origin(spec("zeta"), "maxConcurrent").ends_with("/p.yml:4:25"));
}

TEST_CASE("a child's glob comes after the parent's, and both before any name") {
    test::TempFolder folder;
    folder.write("parent.yml",
                 "policies: {'a*': {timeoutMs: 1}, '*b': {timeoutMs: 2}, "
                 "ab: {maxConcurrent: 1}}");
    folder.write("child.yml",
                 "extends: parent\npolicies: {'a*': {timeoutMs: 3, maxConcurrent: 9}}");
    auto profile = *load_profile("child", folder.path());
    CHECK(profile->limits(spec("ab")).timeout_ms == 3);
    CHECK(profile->limits(spec("ab")).max_concurrent == 1);
    CHECK(profile->limits(spec("bb")).timeout_ms == 2);
}
