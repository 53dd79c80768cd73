// The input, policy and output of http_request.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <toolhost/plugin.hpp>
#include <vector>

namespace http_tool {

using toolhost::Field;
using toolhost::Keyword;
using toolhost::Literal;
using toolhost::Max;
using toolhost::MaxItems;
using toolhost::MaxLength;
using toolhost::MaxProperties;
using toolhost::Min;
using toolhost::MinLength;
using toolhost::Pattern;

struct UserPassword {
    Field<std::string, "The user's name.", MaxLength<1000>> username;
    Field<std::string, "The user's password.", MaxLength<1000>> password;
};

struct DigestAuth {
    Field<std::string, "The user's name.", MaxLength<1000>> username;
    Field<std::string, "The user's password.", MaxLength<1000>> password;
    Field<std::optional<std::string>, "Ignored: the server sends its realm."> realm;
};

struct JwtConfig {
    Field<std::string, "The shared secret.", MinLength<1>, MaxLength<10000>> secret;
    Field<Literal<"HS256", "HS384", "HS512">, "The signature algorithm."> algorithm = "HS256";
    Field<int, "Seconds until the token expires.", Min<1>, Max<31536000>> expiry = 3600;
};

struct AwsAuth {
    Field<std::string, "The service, such as s3.", Pattern<"^[a-z0-9-]{1,64}$">> service;
    Field<std::string, "The region, such as eu-central-1.", Pattern<"^[a-z0-9-]{1,64}$">> region;
    Field<std::string, "The access key's id.", MinLength<1>, MaxLength<1000>> access_key;
    Field<std::string, "The secret access key.", MinLength<1>, MaxLength<1000>> secret_key;
    Field<std::optional<std::string>, "For temporary credentials.", MaxLength<10000>> session_token;
};

struct SessionConfig {
    Field<int, "The number of retries after 502, 503, 504 or a dropped connection; at most 5.",
          Min<0>>
        max_retries = 3;
    Field<std::optional<bool>, "No effect: connections end with the call."> keep_alive;
    Field<std::optional<int>, "No effect: a call has one connection at a time."> pool_size;
    Field<std::optional<bool>, "No effect: cookies last for one call."> cookie_persistence;
};

struct Input {
    Field<std::string, "GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE; not case-sensitive.",
          Pattern<"^[A-Za-z]{1,20}$">, Keyword<"examples", R"(["GET", "POST"])">>
        method;
    Field<std::string, "The absolute URL, http or https, without user and password.", MinLength<1>,
          MaxLength<8192>, Keyword<"examples", R"(["https://example.com/api?page=2"])">>
        url;
    Field<std::map<std::string, std::string>,
          "Request headers. Host, Content-Length, Transfer-Encoding, Connection and similar "
          "headers are set automatically.",
          MaxProperties<100>, Keyword<"examples", R"([{"Accept": "application/json"}])">>
        headers = toolhost::empty;
    Field<std::optional<std::string>,
          "The request body as text. Set its Content-Type in headers; for JSON use json_data.">
        body;
    Field<std::optional<nlohmann::json>,
          "A JSON value to send as the body, with Content-Type application/json. Cannot be "
          "combined with body.">
        json_data;
    Field<std::optional<Literal<"Bearer", "token", "basic", "digest", "jwt", "aws_sig_v4", "custom",
                                "api_key">>,
          "How to authenticate. Bearer, token: Authorization is that word and the token; custom: "
          "Authorization is the token; api_key: X-API-Key is the token; these require auth_token "
          "or auth_env_var. basic requires basic_auth, digest digest_auth, jwt jwt_config, "
          "aws_sig_v4 aws_auth.">
        auth_type;
    Field<std::optional<std::string>, "The token for Bearer, token, custom and api_key.",
          MinLength<1>, MaxLength<20000>>
        auth_token;
    Field<std::optional<std::string>,
          "The environment variable with the token, so that it need not be in the prompt. Only "
          "variables that the policy's env_tokens lists for the URL's origin.",
          Pattern<"^[A-Za-z_][A-Za-z0-9_]{0,100}$">>
        auth_env_var;
    Field<std::optional<UserPassword>, "For auth_type basic, and for digest without digest_auth.">
        basic_auth;
    Field<std::optional<DigestAuth>, "For auth_type digest."> digest_auth;
    Field<std::optional<JwtConfig>, "For auth_type jwt: a token signed with a shared secret.">
        jwt_config;
    Field<std::optional<AwsAuth>, "For auth_type aws_sig_v4."> aws_auth;
    Field<double,
          "The timeout in seconds, including redirects and retries; limited by the timeout of the "
          "call.",
          Min<0.01>>
        timeout = 30.0;
    Field<bool, "Follow redirects. A writing method is not repeated to another origin.">
        allow_redirects = true;
    Field<int, "The maximum number of redirects to follow; the policy may allow fewer.", Min<0>>
        max_redirects = 30;
    Field<bool, "Verify the server's certificate. false requires a policy with allow_insecure.">
        verify_ssl = true;
    Field<std::optional<std::string>,
          "A file in the workspace with cookies to send, each to its own domain (Netscape format, "
          "as written by browsers and curl).",
          MinLength<1>, MaxLength<4096>>
        cookie;
    Field<SessionConfig, "Retries."> session_config = SessionConfig{};
    Field<bool, "Return an HTML page as Markdown, which is much shorter."> convert_to_markdown =
        false;
    Field<bool, "Also return timings and sizes."> metrics = false;
    Field<bool, "Stream a text body as it arrives."> streaming = false;
};

using Method = Field<std::string, "", Pattern<"^[A-Za-z]{1,20}$">>;

struct Policy {
    Field<std::vector<std::string>,
          "Allowed hosts: names and globs (api.example.com, *.example.com), addresses and ranges "
          "(192.0.2.7, 10.0.0.0/8). Empty: any.">
        allowed_hosts = toolhost::empty;
    Field<std::vector<std::string>,
          "Denied hosts, in the same format; takes precedence. Also applies to the address of the "
          "connection.">
        denied_hosts = toolhost::empty;
    Field<std::vector<Method>, "Allowed methods; not case-sensitive."> allowed_methods = {
        Method("GET"), Method("HEAD"),  Method("OPTIONS"), Method("POST"),
        Method("PUT"), Method("PATCH"), Method("DELETE")};
    Field<std::vector<Literal<"http", "https">>, "Allowed schemes."> allowed_schemes = {
        Literal<"http", "https">("http"), Literal<"http", "https">("https")};
    Field<std::vector<int>,
          "Allowed ports. Empty: any except those of other protocols, such as mail.">
        allowed_ports = toolhost::empty;
    Field<std::vector<Field<std::string, "", Pattern<"^(any|[0-9A-Fa-f.:]+(/[0-9]{1,3})?)$">>>,
          "Addresses and ranges (10.0.0.0/8, 127.0.0.1, ::1) that are allowed although they are "
          "private, loopback, link-local or otherwise not on the public internet; 'any' for all. "
          "Applies to the address of the connection, also after a redirect.">
        private_addresses = toolhost::empty;
    Field<std::int64_t, "The maximum size of a response body, decompressed.", Min<0>, Max<33554432>>
        max_body_bytes = 5242880;
    Field<std::int64_t, "The maximum size of a request body.", Min<0>, Max<33554432>>
        max_request_bytes = 1048576;
    Field<int, "The maximum number of redirects.", Min<0>, Max<100>> max_redirects = 30;
    Field<bool, "Whether verify_ssl may be false."> allow_insecure = false;
    Field<std::string,
          "A PEM file with certificate authorities for private servers; relative to the workspace. "
          "It must be in the workspace or in a system folder, where a worker can read it.">
        ca_file = toolhost::empty;
    Field<std::optional<std::vector<Method>>,
          "Methods that require a human's consent; not case-sensitive. Default: all except GET, "
          "HEAD and OPTIONS. Empty: none. The profile's consent (ask, deny or bypass) applies.">
        consent_methods;
    Field<std::map<std::string, std::vector<std::string>>,
          "Environment variables that auth_env_var can name, each with the hosts that can receive "
          "its value: a host (a glob), which means https on port 443, or an origin such as "
          "http://host:8080. The profile's environment must pass the variable to the worker.">
        env_tokens = toolhost::empty;
};

struct RedirectOut {
    Field<int, "The redirect's status."> status;
    Field<std::string, "The redirect's target."> url;
};

struct MetricsOut {
    Field<double, "Total seconds."> duration;
    Field<double, "Seconds until the host name of the last exchange was resolved."> resolve;
    Field<double, "Seconds until the connection was open."> connect;
    Field<double, "Seconds until the TLS handshake was complete; 0 without TLS."> tls;
    Field<double, "Seconds until the first byte of the response."> first_byte;
    Field<std::int64_t, "Bytes of the request body."> bytes_sent;
    Field<std::int64_t, "Bytes of the response body on the wire."> bytes_received;
    Field<std::string, "The address of the server."> address;
    Field<std::string, "The version of HTTP."> http_version;
};

struct Output {
    Field<int, "The HTTP status."> status;
    Field<std::string, "The reason phrase of the server."> reason;
    Field<bool, "Whether the status is below 400."> ok;
    Field<std::string, "The URL of the response, after redirects."> url;
    Field<std::map<std::string, std::string>,
          "The response headers, with names in lower case; repeated headers are joined by a comma.">
        headers;
    Field<std::optional<nlohmann::json>,
          "The body: the JSON value, otherwise text. Missing if there is no body, if it is binary, "
          "or if it is too long and only in the text block.">
        body;
    Field<Literal<"none", "text", "json", "html", "markdown", "image", "document">,
          "The type of the body.">
        body_kind;
    Field<std::int64_t, "The size of the body, decompressed."> bytes;
    Field<std::optional<std::string>, "The charset that text was decoded from."> charset;
    Field<std::optional<std::vector<RedirectOut>>, "The followed redirects."> redirects;
    Field<std::optional<int>, "The number of retries."> retries;
    Field<std::optional<MetricsOut>, "Timings and sizes, if requested."> metrics;
    Field<std::optional<std::vector<std::string>>, "Notes about this response."> notes;
};

}  // namespace http_tool
