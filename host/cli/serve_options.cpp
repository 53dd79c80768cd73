#include "host/cli/serve_options.hpp"

#include "host/cli/repeatable.hpp"

namespace toolhost::cli {
namespace {

void add_address_options(CLI::App& app, ServeOptions& options) {
    app.add_flag("--stdio", options.stdio,
                 "Serve MCP on stdin and stdout (the default without --http)");
    repeatable(app.add_option("--http", options.http.addresses,
                              "Serve MCP over HTTP at http://ADDRESS:PORT/mcp; port 0 picks a free "
                              "port (repeatable)"))
        ->type_name("ADDRESS:PORT");
    repeatable(app.add_option("--allow-host", options.http.hosts,
                              "Accept this host name in addition to localhost (repeatable)"))
        ->type_name("NAME");
    repeatable(app.add_option("--allow-origin", options.http.origins,
                              "Accept requests from pages of this origin, such as "
                              "https://agents.example.org (repeatable)"))
        ->type_name("ORIGIN");
    auto* certificate = app.add_option("--tls-cert", options.http.tls_certificate,
                                       "Serve TLS with this certificate chain (PEM)")
                            ->type_name("FILE");
    auto* key =
        app.add_option("--tls-key", options.http.tls_key, "The private key of --tls-cert (PEM)")
            ->type_name("FILE");
    certificate->needs(key);
    key->needs(certificate);
    app.add_flag("--behind-proxy", options.http.behind_proxy,
                 "State that a proxy in front of this server terminates TLS");
}

void add_auth_options(CLI::App& app, ServeOptions& options) {
    auto* file = app.add_option("--token-file", options.token_file,
                                "Require a token of this file (see toolhost token); without this "
                                "option, a token is generated and printed")
                     ->type_name("FILE");
    auto* no_auth = app.add_flag("--no-auth", options.no_auth,
                                 "Require no token: every program on this machine can call tools "
                                 "and consent to calls")
                        ->excludes(file);
    auto* issuer = app.add_option("--oauth-issuer", options.oauth.issuer,
                                  "Accept tokens signed by this OAuth issuer")
                       ->type_name("URL")
                       ->excludes(no_auth);
    auto add = [&](const char* name, auto& value, const char* help, const char* type) {
        return app.add_option(name, value, help)->type_name(type)->needs(issuer);
    };
    add("--oauth-audience", options.oauth.audience, "The audience that OAuth tokens must contain",
        "URI");
    add("--oauth-jwks", options.oauth.jwks,
        "Verify OAuth tokens with these keys instead of the issuer's published ones", "FILE|URL");
    repeatable(add("--oauth-scope", options.oauth.scopes,
                   "Require this scope in OAuth tokens (repeatable)", "SCOPE"));
    add("--oauth-profile", options.oauth.profile, "Apply this profile to OAuth clients", "PROFILE");
    add("--oauth-profile-claim", options.oauth.profile_claim,
        "Apply the profile named by this claim", "CLAIM");
    add("--oauth-profiles", options.oauth.profiles,
        "Allow --oauth-profile-claim to name these profiles only", "PROFILE...");
}

void add_limit_options(CLI::App& app, ServeOptions& options) {
    auto add = [&](const char* name, auto& value, const char* help, const char* type, auto least,
                   auto most) {
        app.add_option(name, value, help)
            ->type_name(type)
            ->check(CLI::Range(least, most))
            ->capture_default_str();
    };
    add("--grace", options.grace_seconds, "Time for running calls to finish at shutdown", "SECONDS",
        0.0, 3600.0);
    add("--max-calls", options.calls, "Run at most N calls at once", "N", std::size_t{1},
        std::size_t{100'000});
    add("--max-request", options.http.limits.body_bytes, "Maximum size of a message", "BYTES",
        std::size_t{1024}, std::size_t{1} << 30);
    add("--max-connections", options.http.limits.connections, "Accept at most N connections", "N",
        std::size_t{1}, std::size_t{1'000'000});
    add("--max-sessions", options.http.sessions, "Keep at most N sessions", "N", std::size_t{1},
        std::size_t{10'000'000});
    add("--max-share", options.share_percent,
        "Maximum share of each limit for one principal, if there are several", "PERCENT",
        std::size_t{1}, std::size_t{100});
}

}  // namespace

void add_serve_options(CLI::App& app, ServeOptions& options) {
    add_address_options(app, options);
    add_auth_options(app, options);
    add_limit_options(app, options);
    app.add_option("--events", options.events, "Append the events of all calls to FILE")
        ->type_name("FILE");
    app.add_option(
           "--schemas", options.schemas,
           "The inputSchemas of tools/list: full, or plain for providers that support few keywords")
        ->type_name("full|plain")
        ->check(CLI::IsMember({"full", "plain"}))
        ->capture_default_str();
    // They have no effect over stdio, so they require --http.
    for (const char* name :
         {"--allow-host", "--allow-origin", "--tls-cert", "--behind-proxy", "--token-file",
          "--no-auth", "--oauth-issuer", "--max-connections", "--max-sessions", "--max-share"})
        app.get_option(name)->needs(app.get_option("--http"));
}

Result<void> prepare_access(ServeOptions& options) {
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
