// Who a request speaks for, by the Authorization header it carries: a token of the token file, or a
// signed one of the OAuth issuer. If neither is configured, every client is accepted.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/base/error.hpp"
#include "host/serve/auth/oauth.hpp"
#include "host/serve/auth/token_file.hpp"
#include "host/serve/principal.hpp"

namespace toolhost::serve {

// How the answer to a request looks that does not come in.
struct Refusal {
    int status = 401;
    std::string challenge{};  // the value of WWW-Authenticate; empty: none
    std::string message{};
};

// The purpose of a request. A client must not see the calls of others, and a scraper needs
// no tools: each has tokens of its own.
enum class Entrance { agents, metrics };

// The principal of a token that was generated at the start.
inline constexpr const char* kGeneratedName = "local";

class Authenticator {
public:
    struct Options {
        std::string token_file{};  // empty: none
        // Instead of a file: one token, for agents and /metrics alike, of the principal
        // kGeneratedName; empty: none.
        std::string token{};
        std::optional<OAuth> oauth{};
        // Where clients find metadata(); empty: where the audience's own URL has it.
        std::string metadata_url{};
    };
    // Reads what there is to read. Keys that are fetched are asked for and not waited for.
    [[nodiscard]] static Result<std::shared_ptr<Authenticator>> open(const Options& options);
    ~Authenticator();
    Authenticator(const Authenticator&) = delete;
    Authenticator& operator=(const Authenticator&) = delete;

    // `authorization`: the header's value; nothing: absent. From any thread. It waits only where a
    // token names a key of the issuer that is not known yet and the keys are being fetched: up to
    // KeyCache's timeout (3 s), and for a stranger's token at most every 30 s.
    [[nodiscard]] boost::system::result<Principal, Refusal> admit(
        std::optional<std::string_view> authorization, Entrance entrance = Entrance::agents);
    // Whether anything is asked for at all.
    [[nodiscard]] bool asks() const;
    // Whether more than one principal may come in for tools.
    [[nodiscard]] bool has_several_principals() const;
    // The document of RFC 9728; null where no issuer is configured.
    [[nodiscard]] const Json& metadata() const;
    // Checks every profile that a token can select; the error says which is unusable, and where.
    [[nodiscard]] Result<void> check_profiles(const ProfileCheck& usable) const;
    // Rereads the token file and the issuer's keys. A broken file keeps the old one; a line whose
    // profile is unusable is dropped, so that removed clients are out in any case. Both are logged.
    // Returns the principals whose tokens are gone.
    [[nodiscard]] std::vector<Principal> reload(const ProfileCheck& usable);

private:
    struct State;
    explicit Authenticator(std::unique_ptr<State> state);

    std::unique_ptr<State> state_;
};

}  // namespace toolhost::serve
