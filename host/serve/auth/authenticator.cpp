#include "host/serve/auth/authenticator.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <vector>

#include "host/base/atomic_shared.hpp"
#include "host/serve/auth/issuer.hpp"

namespace toolhost::serve {
namespace {

constexpr std::string_view kScheme = "bearer";

// RFC 6750's token68; anything else in the header is not a token.
bool is_token68(std::string_view text) {
    while (text.ends_with('=')) text.remove_suffix(1);
    return !text.empty() && text.find_first_not_of(
                                "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "-._~+/") == text.npos;
}

bool is_bearer(std::string_view authorization) {
    if (authorization.size() < kScheme.size()) return false;
    const bool same = std::equal(kScheme.begin(), kScheme.end(), authorization.begin(),
                                 [](char a, char b) { return a == (b | 0x20); });
    return same && (authorization.size() == kScheme.size() || authorization[kScheme.size()] == ' ');
}

std::string_view token_in(std::string_view authorization) {
    authorization.remove_prefix(kScheme.size());
    const auto first = std::min(authorization.find_first_not_of(' '), authorization.size());
    authorization.remove_prefix(first);
    return authorization;
}

// How a denial reads over HTTP.
struct DenialForm {
    Denial::Kind kind;
    int status;
    std::string_view error;  // RFC 6750's word; empty: no challenge, for none could be met
};
constexpr DenialForm kDenialForms[] = {
    {Denial::Kind::invalid_token, 401, "invalid_token"},
    {Denial::Kind::insufficient_scope, 403, "insufficient_scope"},
    {Denial::Kind::forbidden, 403, ""},
    {Denial::Kind::unavailable, 503, ""},
};

const DenialForm& form_of(Denial::Kind kind) {
    return *std::find_if(std::begin(kDenialForms), std::end(kDenialForms),
                         [&](const auto& form) { return form.kind == kind; });
}

// For those whom another token would let in: no challenge, since asking again does not help.
Refusal wrong_entrance(Entrance entrance) {
    if (entrance == Entrance::agents)
        return {403, "",
                "this token is valid for /metrics only; create a client token with `toolhost token "
                "NAME`"};
    return {
        403, "",
        "this token is not valid for /metrics; create one with `toolhost token NAME --metrics`"};
}

// Within quotes; a message may repeat what a stranger sent.
std::string quotable(std::string_view text) {
    std::string out;
    for (const char c : text) out += c < ' ' || c > '~' ? '?' : c == '"' || c == '\\' ? '\'' : c;
    return out;
}

}  // namespace

struct Authenticator::State {
    Options options;
    AtomicShared<const TokenFile> tokens{};  // null: none are configured
    std::unique_ptr<Issuer> issuer{};        // null: none is configured
    Json metadata{};

    // With an error's name and what is behind it, or for who came without a token.
    [[nodiscard]] std::string challenge(std::string_view error, std::string_view message) const;
};

std::string Authenticator::State::challenge(std::string_view error,
                                            std::string_view message) const {
    std::string out = R"(Bearer realm="toolhost")";
    const auto add = [&](std::string_view name, std::string_view value) {
        out += ", " + std::string(name) + "=\"" + quotable(value) + '"';
    };
    if (!error.empty()) {
        add("error", error);
        add("error_description", message);
    }
    if (!issuer) return out;
    std::string scopes;
    for (const auto& scope : issuer->terms().scopes) scopes += (scopes.empty() ? "" : " ") + scope;
    if (!scopes.empty()) add("scope", scopes);
    if (!options.metadata_url.empty()) add("resource_metadata", options.metadata_url);
    return out;
}

Authenticator::Authenticator(std::unique_ptr<State> state) : state_(std::move(state)) {}

Authenticator::~Authenticator() = default;

Result<std::shared_ptr<Authenticator>> Authenticator::open(const Options& options) {
    auto state = std::make_unique<State>();
    state->options = options;
    if (!options.token_file.empty()) {
        auto tokens = TokenFile::load(options.token_file);
        if (!tokens) return tokens.error();
        if (tokens->entries().empty() && !options.oauth)
            spdlog::warn(
                "{} has no token, so every request is refused; create one with toolhost token NAME "
                "--file {}",
                options.token_file, options.token_file);
        state->tokens.store(std::make_shared<const TokenFile>(*std::move(tokens)));
    }
    if (!options.token.empty()) {
        auto tokens = TokenFile::parse(
            std::string(kGeneratedName) + " - sha256:" + token_hash(options.token), "");
        if (!tokens) return tokens.error();
        state->tokens.store(std::make_shared<const TokenFile>(*std::move(tokens)));
    }
    if (options.oauth) {
        auto issuer = Issuer::open(*options.oauth);
        if (!issuer) return issuer.error();
        state->issuer = *std::move(issuer);
        state->metadata = resource_metadata(*options.oauth);
        if (options.metadata_url.empty())
            state->options.metadata_url = resource_metadata_url(*options.oauth);
    }
    return std::shared_ptr<Authenticator>(new Authenticator(std::move(state)));
}

boost::system::result<Principal, Refusal> Authenticator::admit(
    std::optional<std::string_view> authorization, Entrance entrance) {
    if (!asks()) return Principal{};
    if (!authorization || !is_bearer(*authorization))
        return Refusal{401, state_->challenge("", ""),
                       "a token is required: send the header Authorization: Bearer TOKEN"};
    const auto token = token_in(*authorization);
    if (!is_token68(token)) {
        const std::string message = "the Authorization header has no token after 'Bearer'";
        return Refusal{400, state_->challenge("invalid_request", message), message};
    }
    if (const auto tokens = state_->tokens.load())
        if (const auto* entry = tokens->find(token)) {
            const bool opens_all = !state_->options.token.empty();
            if (!opens_all && entry->metrics != (entrance == Entrance::metrics))
                return wrong_entrance(entrance);
            return Principal{entry->name, entry->profile};
        }
    if (!state_->issuer) {
        const std::string message = "unknown token";
        return Refusal{401, state_->challenge("invalid_token", message), message};
    }
    auto principal = state_->issuer->admit(token);
    if (principal && entrance == Entrance::metrics) return wrong_entrance(entrance);
    if (principal) return *std::move(principal);
    const auto& denial = principal.error();
    const auto& form = form_of(denial.kind);
    return Refusal{form.status,
                   form.error.empty() ? "" : state_->challenge(form.error, denial.message),
                   denial.message};
}

bool Authenticator::asks() const {
    return !state_->options.token_file.empty() || !state_->options.token.empty() || state_->issuer;
}

bool Authenticator::has_several_principals() const {
    if (state_->issuer) return true;
    const auto tokens = state_->tokens.load();
    return tokens && std::ranges::count(tokens->entries(), false, &TokenEntry::metrics) > 1;
}

const Json& Authenticator::metadata() const {
    return state_->metadata;
}

Result<void> Authenticator::check_profiles(const ProfileCheck& usable) const {
    if (const auto tokens = state_->tokens.load())
        if (auto ready = tokens->check_profiles(state_->options.token_file, usable); !ready)
            return ready;
    if (!state_->issuer) return {};
    const auto& terms = state_->issuer->terms();
    std::vector<std::pair<std::string_view, std::string>> named{{"--oauth-profile", terms.profile}};
    if (!terms.profile_claim.empty())
        for (const auto& profile : terms.profiles) named.emplace_back("--oauth-profiles", profile);
    for (const auto& [option, profile] : named)
        if (auto ready = usable(profile); !ready) {
            auto error = ready.error();
            error.message = "the profile of " + std::string(option) +
                            " cannot be used: " + error.message +
                            "; fix it, or use another profile";
            return error;
        }
    return {};
}

std::vector<Principal> Authenticator::reload(const ProfileCheck& usable) {
    if (state_->issuer) state_->issuer->refresh_keys();
    const auto& file = state_->options.token_file;
    if (file.empty()) return {};
    auto tokens = TokenFile::load(file);
    if (!tokens) {
        spdlog::warn("cannot reload the tokens, keeping the old ones: {}", tokens.error().message);
        return {};
    }
    const auto all = tokens->drop_unusable(file, usable);
    std::vector<Principal> gone;
    for (const auto& entry : state_->tokens.load()->entries()) {
        const auto* now = tokens->find_name(entry.name);
        if (!now || now->profile != entry.profile || now->sha256 != entry.sha256)
            gone.push_back({entry.name, entry.profile});
    }
    state_->tokens.store(std::make_shared<const TokenFile>(*std::move(tokens)));
    // Logged now: the new file is in effect.
    if (!all) spdlog::warn("ignored tokens: {}", all.error().message);
    return gone;
}

}  // namespace toolhost::serve
