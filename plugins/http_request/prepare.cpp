#include "prepare.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <ctime>

#include "net/cookie_file.hpp"
#include "net/hosts.hpp"
#include "net/jwt.hpp"

namespace http_tool {
namespace {

using toolhost::BadInput;

// Headers that determine the request itself cannot be set: another Host would reach a server that
// the policy did not check.
constexpr std::array kOwnHeaders{
    "host",    "content-length",      "transfer-encoding", "connection", "keep-alive", "te",
    "trailer", "proxy-authorization", "proxy-connection",  "upgrade",    "expect"};

bool is_token(std::string_view name) {
    return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
    });
}

bool has_line_end(std::string_view value) {
    return value.find_first_of(std::string_view("\r\n\0", 3)) != std::string_view::npos;
}

std::string pointer_to(const std::string& field, const std::string& key) {
    std::string pointer = "/" + field + "/";
    for (const char c : key) pointer += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
    return pointer;
}

Headers read_headers(const Input& in) {
    Headers headers;
    for (const auto& [name, value] : in.headers) {
        const std::string where = pointer_to("headers", name);
        if (!is_token(name)) throw BadInput(where, "is not a valid header name");
        if (has_line_end(value)) throw BadInput(where, "a header value must be one line");
        for (const char* own : kOwnHeaders)
            if (same_name(name, own))
                throw BadInput(where, "this header is set automatically and cannot be given");
        headers.emplace_back(name, value);
    }
    return headers;
}

void set_header(Headers& headers, const std::string& name, const std::string& value) {
    std::erase_if(headers, [&](const auto& one) { return same_name(one.first, name); });
    headers.emplace_back(name, value);
}

Url read_url(const Input& in) {
    auto url = parse_url(in.url);
    if (!url) throw BadInput("/url", url.error());
    if (url->has_credentials)
        throw BadInput(
            "/url",
            "user and password are not allowed in a URL; use auth_type basic with basic_auth");
    return *std::move(url);
}

std::string upper(std::string method) {
    for (char& c : method)
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    return method;
}

std::string read_method(const Input& in) {
    std::string method = upper(in.method);
    if (method == "CONNECT") throw BadInput("/method", "CONNECT is not supported");
    return method;
}

void read_body(const Input& in, const Policy& policy, toolhost::Context& context,
               Request& request) {
    if (in.body && in.json_data) throw BadInput("/json_data", "cannot be given together with body");
    if (in.body) request.body = *in.body;
    if (in.json_data) {
        request.body = in.json_data->dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
        if (header(request.headers, "content-type").empty())
            set_header(request.headers, "Content-Type", "application/json");
    }
    const auto allowed = static_cast<std::size_t>(policy.max_request_bytes.get());
    if (request.body && request.body->size() > allowed)
        context.deny(Reason("request_too_large"),
                     "the request's body has " + std::to_string(request.body->size()) +
                         " bytes; max_request_bytes allows " + std::to_string(allowed));
}

// Reads a token from an environment variable. It is sent only to its origins: another port of the
// same host may belong to someone else, and plain http can be read in transit.
std::string token_from_environment(const std::string& name, const Policy& policy, const Url& url,
                                   toolhost::Context& context) {
    const auto found = policy.env_tokens.find(name);
    if (found == policy.env_tokens.end())
        context.deny(Reason("token_not_allowed"),
                     "the policy's env_tokens does not list the variable " + name +
                         "; it maps variables to hosts");
    if (!matches_origin(found->second, url))
        context.deny(
            Reason("token_not_allowed"),
            "the policy's env_tokens lists " + name + ", but not for " + url.scheme + " to '" +
                url.host + "' at port " + std::to_string(url.port) +
                "; a host means https on port 443; for other origins write http://host:8080");
    const char* value = std::getenv(name.c_str());
    if (!value || !*value)
        context.fail("tool_failed",
                     "the environment variable " + name +
                         " is not set; set it and add it to the profile's environment");
    return value;
}

std::string read_token(const Input& in, const Policy& policy, const Url& url,
                       toolhost::Context& context) {
    if (!in.auth_token && !in.auth_env_var)
        throw BadInput("/auth_token",
                       "auth_type " + in.auth_type->str() + " requires auth_token or auth_env_var");
    std::string token = in.auth_token
                            ? *in.auth_token
                            : token_from_environment(*in.auth_env_var, policy, url, context);
    if (has_line_end(token))
        throw BadInput(in.auth_token ? "/auth_token" : "/auth_env_var", "a token must be one line");
    return token;
}

std::string read_jwt(const Input& in) {
    if (!in.jwt_config) throw BadInput("/jwt_config", "is required by auth_type jwt");
    const auto& config = *in.jwt_config;
    const auto token = make_jwt(config.secret, config.algorithm.str(),
                                std::int64_t{std::time(nullptr)} + config.expiry.get());
    if (!token) throw BadInput("/jwt_config", token.error());
    return *token;
}

Credentials read_user(const Input& in, Credentials::Kind kind) {
    Credentials credentials{kind, {}, {}, {}};
    if (kind == Credentials::Kind::digest && in.digest_auth) {
        credentials.user = in.digest_auth->username;
        credentials.password = in.digest_auth->password;
    } else if (in.basic_auth) {
        credentials.user = in.basic_auth->username;
        credentials.password = in.basic_auth->password;
    } else {
        const bool basic = kind == Credentials::Kind::basic;
        throw BadInput(basic ? "/basic_auth" : "/digest_auth",
                       "is required by auth_type " + in.auth_type->str());
    }
    return credentials;
}

Credentials read_aws(const Input& in, Request& request) {
    if (!in.aws_auth) throw BadInput("/aws_auth", "is required by auth_type aws_sig_v4");
    const auto& aws = *in.aws_auth;
    if (aws.session_token) {
        if (has_line_end(*aws.session_token))
            throw BadInput("/aws_auth/session_token", "a token must be one line");
        set_header(request.headers, "x-amz-security-token", *aws.session_token);
    }
    return {Credentials::Kind::aws, aws.access_key, aws.secret_key,
            "aws:amz:" + aws.region.get() + ':' + aws.service.get()};
}

void read_auth(const Input& in, const Policy& policy, toolhost::Context& context,
               Request& request) {
    if (!in.auth_type) {
        if (in.auth_token || in.auth_env_var || in.basic_auth || in.digest_auth || in.jwt_config ||
            in.aws_auth)
            throw BadInput("/auth_type", "is required with credentials");
        return;
    }
    const std::string type = in.auth_type->str();
    auto& headers = request.headers;
    if (type == "basic") {
        request.credentials = read_user(in, Credentials::Kind::basic);
    } else if (type == "digest") {
        request.credentials = read_user(in, Credentials::Kind::digest);
    } else if (type == "aws_sig_v4") {
        request.credentials = read_aws(in, request);
    } else if (type == "jwt") {
        set_header(headers, "Authorization", "Bearer " + read_jwt(in));
    } else {
        const std::string token = read_token(in, policy, request.url, context);
        if (type == "api_key")
            set_header(headers, "X-API-Key", token);
        else
            set_header(headers, "Authorization", type == "custom" ? token : type + ' ' + token);
    }
}

std::vector<std::string> read_cookies(const Input& in, toolhost::Context& context) {
    if (!in.cookie) return {};
    auto cookies = read_cookie_file(context.workspace(), *in.cookie);
    if (const auto* refusal = std::get_if<Refusal>(&cookies))
        context.deny(refusal->reason, refusal->message);
    if (const auto* failure = std::get_if<Failure>(&cookies))
        throw BadInput("/cookie", failure->message);
    return std::get<0>(std::move(cookies));
}

// More retries than this are treated as this many.
constexpr int kMaxRetries = 5;
constexpr double kLongest = 3600;

Clock::time_point deadline_of(const Input& in, const toolhost::Context& context) {
    using std::chrono::milliseconds;
    auto time = std::chrono::duration_cast<milliseconds>(
        std::chrono::duration<double>(std::min(in.timeout.get(), kLongest)));
    // Ends before the host's timeout, so that the answer names what was waited for.
    constexpr milliseconds kMargin(100);
    if (const auto left = context.remaining())
        time = std::min(time, std::max(*left - kMargin, milliseconds(1)));
    return Clock::now() + time;
}

std::vector<std::string> read_hosts(const std::vector<std::string>& listed, const char* field,
                                    toolhost::Context& context) {
    auto hosts = spell_hosts(listed);
    if (!hosts)
        context.fail("tool_failed", std::string("policy at /") + field + ": " + hosts.error());
    return *std::move(hosts);
}

}  // namespace

Rules make_rules(const Policy& policy, toolhost::Context& context) {
    Rules rules;
    rules.allowed_hosts = read_hosts(policy.allowed_hosts, "allowed_hosts", context);
    rules.denied_hosts = read_hosts(policy.denied_hosts, "denied_hosts", context);
    for (const auto& method : policy.allowed_methods)
        rules.allowed_methods.push_back(upper(method.get()));
    for (const auto& scheme : policy.allowed_schemes) rules.allowed_schemes.push_back(scheme.str());
    rules.allowed_ports = policy.allowed_ports;
    rules.max_body_bytes = static_cast<std::size_t>(policy.max_body_bytes.get());
    std::vector<std::string> listed(policy.private_addresses.begin(),
                                    policy.private_addresses.end());
    auto addresses = AddressRules::make(listed);
    if (!addresses)
        context.fail("tool_failed", "policy at /private_addresses: " + addresses.error());
    rules.addresses = *std::move(addresses);
    if (!policy.ca_file.empty())
        rules.ca_file = (context.workspace() / policy.ca_file.get()).string();
    return rules;
}

Request make_request(const Input& in, const Policy& policy, toolhost::Context& context) {
    Request request;
    request.method = read_method(in);
    request.url = read_url(in);
    request.headers = read_headers(in);
    read_body(in, policy, context, request);
    read_auth(in, policy, context, request);
    request.cookies = read_cookies(in, context);
    if (!in.verify_ssl && !policy.allow_insecure)
        context.deny(Reason("insecure_not_allowed"),
                     "verify_ssl=false requires a policy with allow_insecure: true");
    request.verify_tls = in.verify_ssl;
    request.follow_redirects = in.allow_redirects;
    request.max_redirects = std::min(in.max_redirects.get(), policy.max_redirects.get());
    request.max_retries = std::min(in.session_config.max_retries.get(), kMaxRetries);
    request.deadline = deadline_of(in, context);
    return request;
}

}  // namespace http_tool
