// What http_request takes, what its policy says, and what it gives.
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
    Field<std::optional<std::string>, "Not needed: the server names its realm."> realm;
};

struct JwtConfig {
    Field<std::string, "The secret that both sides know.", MinLength<1>, MaxLength<10000>> secret;
    Field<Literal<"HS256", "HS384", "HS512">, "How it is signed."> algorithm = "HS256";
    Field<int, "Seconds from now until the token ends.", Min<1>, Max<31536000>> expiry = 3600;
};

struct AwsAuth {
    Field<std::string, "The service, such as s3.", Pattern<"^[a-z0-9-]{1,64}$">> service;
    Field<std::string, "The region, such as eu-central-1.", Pattern<"^[a-z0-9-]{1,64}$">> region;
    Field<std::string, "The access key's id.", MinLength<1>, MaxLength<1000>> access_key;
    Field<std::string, "The secret access key.", MinLength<1>, MaxLength<1000>> secret_key;
    Field<std::optional<std::string>, "For temporary credentials.", MaxLength<10000>> session_token;
};

struct SessionConfig {
    Field<int,
          "How often to try again after 502, 503, 504 or a connection that was dropped; 5 at most.",
          Min<0>>
        max_retries = 3;
    Field<std::optional<bool>, "No effect: a call's connections end with it."> keep_alive;
    Field<std::optional<int>, "No effect: a call has one connection at a time."> pool_size;
    Field<std::optional<bool>, "No effect: cookies last for a call."> cookie_persistence;
};

struct Input {
    Field<std::string, "GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE; case does not matter.",
          Pattern<"^[A-Za-z]{1,20}$">, Keyword<"examples", R"(["GET", "POST"])">>
        method;
    Field<std::string, "The absolute URL, http or https, without user and password.", MinLength<1>,
          MaxLength<8192>, Keyword<"examples", R"(["https://example.com/api?page=2"])">>
        url;
    Field<std::map<std::string, std::string>,
          "Request headers. Not Host, Content-Length, Transfer-Encoding, Connection and the like, "
          "which follow from the rest.",
          MaxProperties<100>, Keyword<"examples", R"([{"Accept": "application/json"}])">>
        headers = toolhost::empty;
    Field<std::optional<std::string>,
          "The request's body as text. Give its Content-Type in headers; for JSON use json_data.">
        body;
    Field<std::optional<nlohmann::json>,
          "A JSON value to send as the body, with Content-Type application/json. Not with body.">
        json_data;
    Field<std::optional<Literal<"Bearer", "token", "basic", "digest", "jwt", "aws_sig_v4", "custom",
                                "api_key">>,
          "How to authenticate. Bearer, token: Authorization with that word before the token; "
          "custom: Authorization is the token itself; api_key: X-API-Key is; these need auth_token "
          "or auth_env_var. basic needs basic_auth, digest digest_auth, jwt jwt_config, aws_sig_v4 "
          "aws_auth.">
        auth_type;
    Field<std::optional<std::string>, "The token for Bearer, token, custom and api_key.",
          MinLength<1>, MaxLength<20000>>
        auth_token;
    Field<std::optional<std::string>,
          "The environment variable that has the token, so that no prompt has to. Only variables "
          "that the policy's env_tokens names for the URL's origin.",
          Pattern<"^[A-Za-z_][A-Za-z0-9_]{0,100}$">>
        auth_env_var;
    Field<std::optional<UserPassword>, "For auth_type basic, and for digest without digest_auth.">
        basic_auth;
    Field<std::optional<DigestAuth>, "For auth_type digest."> digest_auth;
    Field<std::optional<JwtConfig>, "For auth_type jwt: a token made from a shared secret.">
        jwt_config;
    Field<std::optional<AwsAuth>, "For auth_type aws_sig_v4."> aws_auth;
    Field<double,
          "Seconds for everything, redirects and retries included; what the host leaves at most.",
          Min<0.01>>
        timeout = 30.0;
    Field<bool, "Follow redirects. A writing method is not repeated to another origin.">
        allow_redirects = true;
    Field<int, "How many redirects to follow; the policy may allow fewer.", Min<0>> max_redirects =
        30;
    Field<bool, "Check the server's certificate. false needs a policy with allow_insecure.">
        verify_ssl = true;
    Field<std::optional<std::string>,
          "A file in the workspace with cookies to send, each to its own domain (Netscape format, "
          "as browsers and curl write it).",
          MinLength<1>, MaxLength<4096>>
        cookie;
    Field<SessionConfig, "Retries."> session_config = SessionConfig{};
    Field<bool, "Answer an HTML page as Markdown: much shorter, and what it says stays.">
        convert_to_markdown = false;
    Field<bool, "Also answer timings and sizes."> metrics = false;
    Field<bool, "Send parts of a text body as they arrive."> streaming = false;
};

using Method = Field<std::string, "", Pattern<"^[A-Za-z]{1,20}$">>;

struct Policy {
    Field<std::vector<std::string>,
          "Hosts that may be asked: names and globs (api.example.com, *.example.com), addresses "
          "and ranges (192.0.2.7, 10.0.0.0/8). Empty: any.">
        allowed_hosts = toolhost::empty;
    Field<std::vector<std::string>,
          "Hosts that may not be asked, listed alike; wins. It counts for the address of the "
          "connection too, by whatever name it was found.">
        denied_hosts = toolhost::empty;
    Field<std::vector<Method>, "Methods that may be used; case does not matter."> allowed_methods =
        {Method("GET"), Method("HEAD"),  Method("OPTIONS"), Method("POST"),
         Method("PUT"), Method("PATCH"), Method("DELETE")};
    Field<std::vector<Literal<"http", "https">>, "Schemes that may be used."> allowed_schemes = {
        Literal<"http", "https">("http"), Literal<"http", "https">("https")};
    Field<std::vector<int>,
          "Ports that may be used. Empty: any but those known for another protocol, such as mail.">
        allowed_ports = toolhost::empty;
    Field<std::vector<Field<std::string, "", Pattern<"^(any|[0-9A-Fa-f.:]+(/[0-9]{1,3})?)$">>>,
          "Addresses and ranges (10.0.0.0/8, 127.0.0.1, ::1) that may be connected to although "
          "they are private, loopback, link-local or otherwise not of the public internet; 'any' "
          "for all. It is the address of the connection that counts, at every redirect too.">
        private_addresses = toolhost::empty;
    Field<std::int64_t, "How large a response's body may be, unpacked.", Min<0>, Max<33554432>>
        max_body_bytes = 5242880;
    Field<std::int64_t, "How large a request's body may be.", Min<0>, Max<33554432>>
        max_request_bytes = 1048576;
    Field<int, "How many redirects may be followed.", Min<0>, Max<100>> max_redirects = 30;
    Field<bool, "Whether verify_ssl may be false."> allow_insecure = false;
    Field<std::string,
          "A PEM file with authorities for servers that no public one vouches for; relative to "
          "the workspace. A worker can read it in the workspace and in the system's folders.">
        ca_file = toolhost::empty;
    Field<std::optional<std::vector<Method>>,
          "Methods that a human is asked about before anything is sent; case does not matter. "
          "Not given: all but GET, HEAD and OPTIONS. Empty: none. The profile's consent decides "
          "who answers: ask, deny, or bypass.">
        consent_methods;
    Field<std::map<std::string, std::vector<std::string>>,
          "Environment variables that auth_env_var may name, each with those that may get its "
          "value: a host (a glob), which means https on port 443, or an origin as "
          "http://host:8080. The profile's environment must let the variable through to the "
          "worker.">
        env_tokens = toolhost::empty;
};

struct RedirectOut {
    Field<int, "The status that sent it on."> status;
    Field<std::string, "Where to."> url;
};

struct MetricsOut {
    Field<double, "Seconds in all."> duration;
    Field<double, "Seconds until the last exchange's name was resolved."> resolve;
    Field<double, "Seconds until it was connected."> connect;
    Field<double, "Seconds until TLS stood; 0 without."> tls;
    Field<double, "Seconds until the first byte of the answer."> first_byte;
    Field<std::int64_t, "Bytes of the request's body."> bytes_sent;
    Field<std::int64_t, "Bytes of the response's body on the wire."> bytes_received;
    Field<std::string, "The address connected to."> address;
    Field<std::string, "The version of HTTP."> http_version;
};

struct Output {
    Field<int, "The HTTP status."> status;
    Field<std::string, "The status in words, as the server said it."> reason;
    Field<bool, "Whether the status is below 400."> ok;
    Field<std::string, "The URL that answered, after redirects."> url;
    Field<std::map<std::string, std::string>,
          "The response's headers, names in lower case; several of one name joined by a comma.">
        headers;
    Field<std::optional<nlohmann::json>,
          "The body: the value itself for JSON, else text. Missing if there is none, if it is "
          "binary, or if it is too long and only in the text block.">
        body;
    Field<Literal<"none", "text", "json", "html", "markdown", "image", "document">,
          "What the body is.">
        body_kind;
    Field<std::int64_t, "The body's size, unpacked."> bytes;
    Field<std::optional<std::string>, "What a text was decoded from."> charset;
    Field<std::optional<std::vector<RedirectOut>>, "The redirects that were followed."> redirects;
    Field<std::optional<int>, "How often it was tried again."> retries;
    Field<std::optional<MetricsOut>, "Timings and sizes, where asked for."> metrics;
    Field<std::optional<std::vector<std::string>>, "What to know about this answer."> notes;
};

}  // namespace http_tool
