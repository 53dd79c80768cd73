#include "host/serve/auth/authenticator.hpp"

#include <thread>

#include "tests/unit/serve/auth_stage.hpp"

using namespace toolhost;
using namespace toolhost::serve;
using namespace toolhost::test;

TEST_CASE("without configuration every client is accepted") {
    const auto authenticator = opened({});
    CHECK_FALSE(authenticator->asks());
    CHECK(authenticator->metadata().is_null());
    CHECK(outcome(*authenticator, std::nullopt) == "/");
    CHECK(outcome(*authenticator, "Bearer whatever") == "/");
    CHECK(checked(*authenticator).empty());
    (void)authenticator->reload(any_profile);
}

TEST_CASE("a generated token is required, and valid for /metrics too") {
    const auto token = make_token();
    const auto authenticator = opened({.token = token});
    CHECK(authenticator->asks());
    CHECK(outcome(*authenticator, std::nullopt).starts_with("401 "));
    CHECK(outcome(*authenticator, "Bearer " + make_token()).starts_with("401 "));
    CHECK(outcome(*authenticator, "Bearer " + token) == "local/");
    CHECK(authenticator->admit("Bearer " + token, Entrance::metrics).has_value());
    CHECK_FALSE(authenticator->admit("Bearer " + make_token(), Entrance::metrics).has_value());
    // SIGHUP: there is no file to read again.
    CHECK(authenticator->reload(any_profile).empty());
    CHECK(outcome(*authenticator, "Bearer " + token) == "local/");
}

TEST_CASE("a token admits its client under the configured profile") {
    const TempFolder folder;
    const auto ann = make_token(), bob = make_token(), eve = make_token();
    CHECK(ann != bob);
    CHECK(ann.size() == std::string("toolhost_").size() + 43);
    const auto authenticator = opened(
        {.token_file = write_tokens(folder, "# agents\n\n" + line_of("ann", "-", ann) + " \t\n" +
                                                line_of("bob", "readonly", bob) +
                                                "eve\t./eve.yml   sha256:" + token_hash(eve))});
    CHECK(authenticator->asks());
    CHECK(authenticator->metadata().is_null());
    CHECK(outcome(*authenticator, "Bearer " + ann) == "ann/");
    CHECK(outcome(*authenticator, "bEARER   " + bob) == "bob/readonly");
    CHECK(outcome(*authenticator, "Bearer " + eve) == "eve/" + folder.path() + "/./eve.yml");
    CHECK(checked(*authenticator) ==
          std::vector<std::string>{"", "readonly", folder.path() + "/./eve.yml"});
    // A hash in the file is not a token.
    CHECK(outcome(*authenticator, "Bearer " + token_hash(ann)) == "401 unknown token");
    CHECK(outcome(*authenticator, "Bearer " + ann + "x") == "401 unknown token");
}

TEST_CASE("a request without a token gets the standard's challenge") {
    const TempFolder folder;
    const auto authenticator =
        opened({.token_file = write_tokens(folder, line_of("ann", "-", make_token()))});
    for (const std::optional<std::string>& none :
         {std::optional<std::string>(), std::optional<std::string>(""),
          std::optional<std::string>("Basic YTpi"), std::optional<std::string>("Bearerx y")}) {
        const auto refusal = authenticator->admit(none).error();
        CHECK(refusal.status == 401);
        CHECK(refusal.challenge == R"(Bearer realm="toolhost")");
        CHECK(says(refusal.message, "Authorization: Bearer TOKEN"));
    }
    for (const char* bad : {"Bearer", "Bearer ", "Bearer a b", "Bearer ===", "Bearer a=b",
                            "Bearer \"a\"", "Bearer a\tb", "Bearer caf\xc3\xa9"}) {
        CAPTURE(bad);
        const auto refusal = authenticator->admit(bad).error();
        CHECK(refusal.status == 400);
        CHECK(says(refusal.challenge, R"(error="invalid_request")"));
    }
    const auto refusal = authenticator->admit("Bearer nobody").error();
    CHECK(refusal.status == 401);
    CHECK(says(refusal.challenge, R"(Bearer realm="toolhost", error="invalid_token", )"));
}

TEST_CASE("a reloaded token file replaces the old one, unless it is invalid") {
    const TempFolder folder;
    const auto ann = make_token(), bob = make_token();
    const auto authenticator =
        opened({.token_file = write_tokens(folder, line_of("ann", "-", ann))});
    write_tokens(folder, line_of("bob", "-", bob));
    CHECK(outcome(*authenticator, "Bearer " + ann) == "ann/");
    (void)authenticator->reload(any_profile);
    CHECK(outcome(*authenticator, "Bearer " + bob) == "bob/");
    CHECK(says(outcome(*authenticator, "Bearer " + ann), "401"));
    write_tokens(folder, "nonsense\n");
    (void)authenticator->reload(any_profile);
    CHECK(outcome(*authenticator, "Bearer " + bob) == "bob/");
    write_tokens(folder, "");
    (void)authenticator->reload(any_profile);
    CHECK(says(outcome(*authenticator, "Bearer " + bob), "401"));
    CHECK(authenticator->asks());
}

TEST_CASE("an invalid profile is reported with its line") {
    const TempFolder folder;
    const auto file =
        write_tokens(folder, "# agents\n" + line_of("ann", "-", "a") + line_of("bob", "gone", "b") +
                                 line_of("eve", "gone", "c"));
    const auto authenticator = opened({.token_file = file});
    CHECK(authenticator->check_profiles(any_profile));
    const auto unusable = authenticator->check_profiles(all_but("gone"));
    REQUIRE_FALSE(unusable);
    CHECK(unusable.error().code == ErrorCode::invalid_input);
    const auto& message = unusable.error().message;
    CHECK(message.starts_with(file + ":3:5: the profile of 'bob' cannot be used: unknown profile "
                                     "'gone'\n  Fix that profile, or use another one"));
    CHECK(says(message, '\n' + file + ":4:5: the profile of 'eve' cannot be used"));
}

TEST_CASE("a reloaded file with an invalid profile is used without that line") {
    const TempFolder folder;
    const auto ann = make_token(), bob = make_token(), eve = make_token();
    const auto authenticator = opened(
        {.token_file = write_tokens(folder, line_of("ann", "-", ann) + line_of("eve", "-", eve))});
    write_tokens(folder, line_of("ann", "-", ann) + line_of("bob", "gone", bob));
    CHECK(authenticator->reload(all_but("gone")) == std::vector<Principal>{{"eve", ""}});
    CHECK(outcome(*authenticator, "Bearer " + ann) == "ann/");
    CHECK(says(outcome(*authenticator, "Bearer " + bob), "401"));
    CHECK(says(outcome(*authenticator, "Bearer " + eve), "401"));
    CHECK(authenticator->reload(any_profile).empty());
    CHECK(outcome(*authenticator, "Bearer " + bob) == "bob/gone");
    write_tokens(folder, line_of("ann", "other", ann) + line_of("bob", "gone", make_token()));
    CHECK(authenticator->reload(any_profile) ==
          std::vector<Principal>{{"ann", ""}, {"bob", "gone"}});
}

TEST_CASE("a token is for agents or for /metrics, not for both") {
    OAuthStage stage;
    const auto ann = make_token(), scraper = make_token();
    stage.options.token_file =
        write_tokens(stage.folder, line_of("ann", "-", ann) + line_of("p", "@metrics", scraper));
    const auto authenticator = opened(stage.options);
    CHECK(authenticator->admit("Bearer " + scraper, Entrance::metrics)->name == "p");
    CHECK(outcome(*authenticator, "Bearer " + ann) == "ann/");
    CHECK(says(outcome(*authenticator, "Bearer " + scraper),
               "403 this token is valid for /metrics only"));
    for (const auto& agent : {"Bearer " + ann, stage.bearer()}) {
        const auto refusal = authenticator->admit(agent, Entrance::metrics).error();
        CHECK(refusal.status == 403);
        CHECK(refusal.challenge.empty());
        CHECK(says(refusal.message, "`toolhost token NAME --metrics`"));
    }
    CHECK(authenticator->admit(std::nullopt, Entrance::metrics).error().status == 401);
    CHECK(authenticator->admit("Bearer nobody", Entrance::metrics).error().status == 401);
    CHECK(checked(*authenticator) == std::vector<std::string>{"", ""});  // ann's and OAuth's
    CHECK(opened({})->admit(std::nullopt, Entrance::metrics));
}

TEST_CASE("tokens of the file and of the issuer are accepted together") {
    OAuthStage stage;
    const auto ann = make_token();
    stage.options.token_file = write_tokens(stage.folder, line_of("ann", "dev", ann));
    const auto authenticator = opened(stage.options);
    CHECK(outcome(*authenticator, "Bearer " + ann) == "ann/dev");
    CHECK(outcome(*authenticator, stage.bearer()) == "oauth:ann/");  // another principal
}

TEST_CASE("many requests are authenticated while the files are reloaded") {
    OAuthStage stage;
    const auto ann = make_token();
    stage.options.token_file = write_tokens(stage.folder, line_of("ann", "-", ann));
    const auto authenticator = opened(stage.options);
    const auto signed_token = stage.bearer();
    std::vector<std::thread> threads;
    std::atomic<int> admitted{0};
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([&] {
            for (int n = 0; n < 50; ++n)
                admitted += authenticator->admit("Bearer " + ann).has_value() +
                            authenticator->admit(signed_token).has_value();
        });
    for (int n = 0; n < 20; ++n) (void)authenticator->reload(any_profile);
    for (auto& thread : threads) thread.join();
    CHECK(admitted == 400);
}
