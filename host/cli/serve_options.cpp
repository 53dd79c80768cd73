#include "host/cli/serve_options.hpp"

namespace toolhost::cli {
namespace {

void add_address_options(CLI::App& app, ServeOptions& options) {
    app.add_flag("--stdio", options.stdio,
                 "Speak MCP on standard input and output (what it does without --http)");
    app.add_option("--http", options.http.addresses,
                   "Serve MCP over HTTP at http://ADDRESS:PORT/mcp; port 0: any free one")
        ->type_name("ADDRESS:PORT");
    app.add_option("--allow-host", options.http.hosts,
                   "A name this server is reached by, beside localhost")
        ->type_name("NAME");
    app.add_option("--allow-origin", options.http.origins,
                   "An origin whose pages may ask, such as https://agents.example.org")
        ->type_name("ORIGIN");
    auto* certificate = app.add_option("--tls-cert", options.http.tls_certificate,
                                       "Speak TLS with this certificate (chain, PEM)")
                            ->type_name("FILE");
    auto* key = app.add_option("--tls-key", options.http.tls_key, "and its private key (PEM)")
                    ->type_name("FILE");
    certificate->needs(key);
    key->needs(certificate);
    app.add_flag("--behind-proxy", options.http.behind_proxy,
                 "A proxy in front of this server speaks TLS for it");
}

void add_door_options(CLI::App& app, ServeOptions& options) {
    auto* file = app.add_option("--token-file", options.token_file,
                                "Ask for a token of this file (see toolhost token); without it, "
                                "a token is generated and printed")
                     ->type_name("FILE");
    auto* no_auth = app.add_flag("--no-auth", options.no_auth,
                                 "Ask for no token: every program of this machine may call tools "
                                 "and consent to calls")
                        ->excludes(file);
    auto* issuer = app.add_option("--oauth-issuer", options.oauth.issuer,
                                  "Take tokens that this OAuth issuer has signed")
                       ->type_name("URL")
                       ->excludes(no_auth);
    auto add = [&](const char* name, auto& value, const char* help, const char* type) {
        app.add_option(name, value, help)->type_name(type)->needs(issuer);
    };
    add("--oauth-audience", options.oauth.audience, "for this server, which its tokens must name",
        "URI");
    add("--oauth-jwks", options.oauth.jwks, "with these keys instead of those it publishes",
        "FILE|URL");
    add("--oauth-scope", options.oauth.scopes, "with this scope (repeatable)", "SCOPE");
    add("--oauth-profile", options.oauth.profile, "under this profile", "PROFILE");
    add("--oauth-profile-claim", options.oauth.profile_claim,
        "or under the one that this claim names", "CLAIM");
    add("--oauth-profiles", options.oauth.profiles, "if it is one of these", "PROFILE...");
}

void add_limit_options(CLI::App& app, ServeOptions& options) {
    auto add = [&](const char* name, auto& value, const char* help, const char* type, auto least,
                   auto most) {
        app.add_option(name, value, help)
            ->type_name(type)
            ->check(CLI::Range(least, most))
            ->capture_default_str();
    };
    add("--grace", options.grace_seconds,
        "How long running calls may take to finish when the server ends", "SECONDS", 0.0, 3600.0);
    add("--max-calls", options.calls, "How many calls may run at once", "N", std::size_t{1},
        std::size_t{100'000});
    add("--max-request", options.http.limits.body_bytes, "How long a message may be", "BYTES",
        std::size_t{1024}, std::size_t{1} << 30);
    add("--max-connections", options.http.limits.connections, "How many connections there may be",
        "N", std::size_t{1}, std::size_t{1'000'000});
    add("--max-sessions", options.http.sessions, "How many sessions there may be", "N",
        std::size_t{1}, std::size_t{10'000'000});
    add("--max-share", options.share_percent,
        "How much of each limit one principal may take, where there are several", "PERCENT",
        std::size_t{1}, std::size_t{100});
}

}  // namespace

void add_serve_options(CLI::App& app, ServeOptions& options) {
    add_address_options(app, options);
    add_door_options(app, options);
    add_limit_options(app, options);
    app.add_option("--events", options.events, "Append the events of all calls to FILE")
        ->type_name("FILE");
    app.add_option(
           "--schemas", options.schemas,
           "The inputSchemas of tools/list: full, or plain for clients that pass them on to "
           "a provider that takes few keywords")
        ->type_name("full|plain")
        ->check(CLI::IsMember({"full", "plain"}))
        ->capture_default_str();
    // Over stdio they would do nothing, and whoever gave them would think that they do.
    for (const char* name :
         {"--allow-host", "--allow-origin", "--tls-cert", "--behind-proxy", "--token-file",
          "--no-auth", "--oauth-issuer", "--max-connections", "--max-sessions", "--max-share"})
        app.get_option(name)->needs(app.get_option("--http"));
}

Result<void> open_doors(ServeOptions& options) {
    if (options.http.addresses.empty() || options.no_auth) return {};
    serve::Authenticator::Options wanted;
    wanted.token_file = options.token_file;
    if (options.token_file.empty() && options.oauth.issuer.empty())
        wanted.token = options.token = serve::make_token();
    if (!options.oauth.issuer.empty()) wanted.oauth = options.oauth;
    auto authenticator = serve::Authenticator::open(wanted);
    if (!authenticator) return authenticator.error();
    options.http.authenticator = *std::move(authenticator);
    return {};
}

}  // namespace toolhost::cli
