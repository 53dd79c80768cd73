// An authenticator with clients, and their results.
#pragma once

#include <sys/stat.h>

#include <memory>
#include <optional>
#include <string>

#include "host/serve/auth/authenticator.hpp"
#include "host/serve/auth/token_file.hpp"
#include "tests/signing.hpp"
#include "tests/unit/doctest.hpp"
#include "tests/unit/temp_folder.hpp"

namespace toolhost::test {

inline bool says(const std::string& text, const std::string& part) {
    return text.find(part) != text.npos;
}

inline std::string line_of(const std::string& name, const std::string& profile,
                           const std::string& token) {
    return name + ' ' + profile + " sha256:" + serve::token_hash(token) + '\n';
}

// A token file that only its owner can access.
inline std::string write_tokens(const TempFolder& folder, const std::string& text) {
    folder.write("tokens", text);
    REQUIRE(::chmod((folder / "tokens").c_str(), 0600) == 0);
    return folder / "tokens";
}

inline std::shared_ptr<serve::Authenticator> opened(const serve::Authenticator::Options& options) {
    auto authenticator = serve::Authenticator::open(options);
    REQUIRE(authenticator);
    return *authenticator;
}

inline Result<void> any_profile(const std::string&) {
    return {};
}

inline serve::ProfileCheck all_but(const std::string& unknown) {
    return [unknown](const std::string& profile) -> Result<void> {
        if (profile != unknown) return {};
        return Error{ErrorCode::invalid_input, "unknown profile '" + profile + "'", {}};
    };
}

// The profiles that are checked, in order.
inline std::vector<std::string> checked(const serve::Authenticator& authenticator) {
    std::vector<std::string> profiles;
    CHECK(authenticator.check_profiles([&](const std::string& profile) -> Result<void> {
        profiles.push_back(profile);
        return {};
    }));
    return profiles;
}

// The admitted principal; or the status and message of the refusal.
inline std::string outcome(serve::Authenticator& authenticator,
                           const std::optional<std::string>& authorization) {
    const auto principal = authenticator.admit(authorization);
    if (principal) return principal->name + '/' + principal->profile;
    return std::to_string(principal.error().status) + ' ' + principal.error().message;
}

inline const SigningKey& signer() {
    static const auto key = SigningKey::p256();
    return key;
}

// An issuer with keys in a file, and an authenticator that accepts its tokens.
struct OAuthStage {
    TempFolder folder;
    serve::Authenticator::Options options;

    OAuthStage() {
        folder.write("keys.json", key_set({signer().jwk("one")}));
        options.metadata_url = "https://here/.well-known/oauth-protected-resource/mcp";
        options.oauth = serve::OAuth{};
        options.oauth->issuer = "https://issuer.example";
        options.oauth->audience = "https://here/mcp";
        options.oauth->jwks = folder / "keys.json";
    }
    // A valid token, changed by `more` (null removes a claim).
    [[nodiscard]] std::string bearer(const Json& more = Json::object(),
                                     const std::string& kid = "one") const {
        Json claims{{"iss", "https://issuer.example"},
                    {"aud", "https://here/mcp"},
                    {"exp", seconds_from_now(300)},
                    {"sub", "ann"}};
        claims.merge_patch(more);
        return "Bearer " + make_jwt(signer(), {{"alg", "ES256"}, {"kid", kid}}, claims);
    }
    [[nodiscard]] std::string fault() const {
        const auto authenticator = serve::Authenticator::open(options);
        return authenticator ? "" : authenticator.error().message;
    }
};

}  // namespace toolhost::test
